// What a server's answer says about a log: how long it is, whether it is still the same, and what is wrong.

import { Unreadable } from "../unreadable.js";
import { isNearby, isSafari, isThisComputer } from "./local.js";

/** Status codes that may pass in a moment: the server is too busy, or a server behind it does not answer. */
const PASSING = [408, 429, 500, 502, 503, 504];

/** What to do if a browser window can get a file that the viewer cannot. */
const BY_HAND = "download the log in the browser, and drop it here";

/** How to let a page read from the reader's computer or network. */
const ALLOWING =
    "click on the sign to the left of this page's address, allow access to the local network (or to apps on this device), and open the log again";

/** @param {Response} response */
export const isPassing = ({ status }) => PASSING.includes(status);

/** @param {Response} response */
function isEncoded({ headers }) {
    return (headers.get("content-encoding") ?? "identity") !== "identity";
}

/**
 * The bytes of the whole file; 0 if the answer does not say. From servers of other origins, `Content-Range` can be read only if they allow
 * it.
 * @param {Response} response to a request for the file from its first byte on
 */
export function sizeIn(response) {
    if (isEncoded(response)) return 0;
    return totalIn(response) ?? Number(response.headers.get("content-length") ?? 0);
}

/** @param {Response} response */
function totalIn({ headers }) {
    const [, total] = /^bytes \d+-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
    return total === undefined ? null : Number(total);
}

/** @param {Response} response */
const showsRange = (response) => totalIn(response) !== null;

/** @param {Response} response */
export const isPartial = (response) => response.status === 206 && !isEncoded(response);

/**
 * Whether the file may be longer than this answer, which begins at its first byte: servers may send less than was asked for, and the answer
 * does not show whether this one has.
 * @param {Response} response
 */
export const mayBeCapped = (response) => isPartial(response) && !showsRange(response);

/**
 * Whether an answer is about the same file as the first one, as far as their headers show.
 * @param {Response} first
 * @param {Response} later
 */
export function isSame(first, later) {
    /** @type {((response: Response) => string | number | null)[]} */
    const facts = [({ headers }) => headers.get("etag"), ({ headers }) => headers.get("last-modified"), totalIn];
    return facts.every((fact) => {
        const [was, is] = [fact(first), fact(later)];
        return was === null || is === null || was === is;
    });
}

/**
 * Whether an answer is the part of a file that was asked for, or the beginning of that: servers may send less.
 * @param {Response} response
 * @param {number} from
 * @param {number} to one more than the last byte's; infinite for the rest of the file
 */
export function isPart(response, from, to) {
    const { status, headers } = response;
    const [, first = from] = /^bytes (\d+)-/.exec(headers.get("content-range") ?? "") ?? [];
    const length = Number(headers.get("content-length") ?? to - from);
    return status === 206 && !isEncoded(response) && Number(first) === from && length > 0 && length <= to - from;
}

/**
 * What is wrong with an answer without the file.
 * @param {Response} response
 */
export function refused({ status, statusText }) {
    const said = `${status}${statusText ? ` ${statusText}` : ""}`;
    if (status === 404 || status === 410)
        return new Unreadable(`the server has no such file (${said}): the address is wrong, or the log was removed`);
    if (status === 401 || status === 403) {
        return new Unreadable(
            `the server does not give it to everyone (${said}), and the viewer sends no passwords or cookies; ${BY_HAND}`,
        );
    }
    if (status === 416)
        return new Unreadable(`the server says that the log does not have these bytes (${said}): it may be empty, or shorter than it was`);
    if (PASSING.includes(status)) return new Unreadable(`the server cannot answer now (${said}); try again later`);
    return new Unreadable(`the server does not send it (${said})`);
}

/**
 * Why there is no answer. Browsers do not distinguish a server that is not there from one that does not let other servers' pages read its
 * files.
 * @param {URL} url
 * @param {object} why
 * @param {boolean} why.isForbidden whether the content security policy of the viewer's page forbids it
 * @param {boolean} why.mayHaveFollowed whether the browser would have followed a redirect
 * @param {boolean} why.hasFollowed whether there was a redirect, and the browser followed it
 * @param {"granted" | "denied" | "unknown"} why.nearby whether the browser lets this page read from the reader's computer or network
 */
export function unanswered({ host, hostname, origin, protocol }, { isForbidden, mayHaveFollowed, hasFollowed, nearby }) {
    const server = hasFollowed ? `${host} redirects in a circle, or the server that it redirects to` : host;
    if (isForbidden) return new Unreadable(`the policy of this page's server does not let it contact ${server}; ${BY_HAND}`);
    if (origin === location.origin && !mayHaveFollowed) return new Unreadable("the server cannot be reached");
    if (origin === location.origin && !hasFollowed) {
        return new Unreadable(
            `the server cannot be reached, or redirects to one that does not let other sites' pages read its files; in that case ${BY_HAND}`,
        );
    }
    const isMixed = protocol === "http:" && location.protocol === "https:";
    const isLocal = isThisComputer(hostname) || isNearby(hostname);
    if (isLocal && !isThisComputer(location.hostname) && !hasFollowed) {
        return new Unreadable(isMixed && isSafari() ? unreadableInSafari : unansweredNearby(host, isMixed && isNearby(hostname), nearby));
    }
    if (isMixed && !hasFollowed) {
        return new Unreadable(
            `browsers do not let a page loaded by https read by http; use an address that begins with https, or ${BY_HAND}`,
        );
    }
    return new Unreadable(
        `${server} cannot be reached, or does not let other sites' pages read its files. Its owner can allow that with the header Access-Control-Allow-Origin; otherwise ${BY_HAND}`,
    );
}

const unreadableInSafari = `Safari does not let a page loaded by https read by http, not even from this computer. Use another browser, or drop the log here`;

/**
 * Why there is no answer from the reader's own computer or network.
 * @param {string} host
 * @param {boolean} needsHttps whether only some browsers let this page read from there by http
 * @param {"granted" | "denied" | "unknown"} nearby
 */
function unansweredNearby(host, needsHttps, nearby) {
    if (nearby === "denied") return `this browser does not let this page read from ${host}. To allow it, ${ALLOWING}. Or drop the log here`;
    const reasons = [
        `no server answers at ${host}`,
        "the server does not send the header Access-Control-Allow-Origin, which lets other sites' pages read its files",
        ...(needsHttps ? ["this browser does not let a page loaded by https read there by http"] : []),
        ...(location.protocol === "http:" ? ["this browser lets only pages loaded by https read from there"] : []),
        ...(nearby === "unknown" && location.protocol === "https:"
            ? [`the browser has not let this page read from there: ${ALLOWING}`]
            : []),
    ];
    return `one of these is the reason: ${reasons.map((reason, at) => `(${at + 1}) ${reason}`).join("; ")}. Or drop the log here`;
}

/**
 * Whether a web page has come instead of a log.
 * @param {Response} response
 * @param {Uint8Array} head its first bytes
 */
export function isWebPage({ headers }, head) {
    const text = new TextDecoder().decode(head).trimStart().toLowerCase();
    return (
        /^<(!doctype html|html|head|body)\b/.test(text) ||
        (text.startsWith("<") && /^text\/html\b/i.test(headers.get("content-type") ?? ""))
    );
}

/** @param {URL} url */
export function webPage({ host }) {
    return new Unreadable(`${host} has sent a web page instead of a log, perhaps one to log in; log in there, ${BY_HAND}`);
}
