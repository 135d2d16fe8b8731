// The requests for a log: none reaches another server than the page's own before the user has agreed to that.
//
// When a server redirects, the browser follows and only then says where to: by then that server has been reached. So until the user has
// agreed to any server, the browser may follow redirects only within the page's own server, or not at all.

import { Unreadable } from "../unreadable.js";
import { Broken, connect, sleep } from "./connection.js";
import { urlOf } from "../../url.js";
import { unanswered } from "./answer.js";
import { accessTo } from "./local.js";

/** @typedef {import("../../protocol.js").Question} Question */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {Pick<RequestInit, "mode" | "redirect">} Following how far the browser follows redirects */

/** @type {Following} */
const ANYWHERE = { redirect: "follow" };
/** A redirect to another server fails before that is reached. @type {Following} */
const WITHIN_OWN = { mode: "same-origin" };
/** The answer only says that there is a redirect. @type {Following} */
const NOWHERE = { redirect: "manual" };

const FROM_START = "bytes=0-";

/** The hosts that the content security policy of the page forbids. @type {Set<string>} */
const forbidden = new Set();
self.addEventListener("securitypolicyviolation", (event) => {
    const { blockedURI } = /** @type {SecurityPolicyViolationEvent} */ (event);
    forbidden.add(urlOf(blockedURI)?.host ?? "");
});

/** @param {Response} response */
const sendsOn = ({ type }) => type === "opaqueredirect";

export class Requests {
    #url;
    #askReader;
    /** The servers that the user allows. @type {Set<string>} */
    #allowed = new Set([location.origin]);
    /** Whether the user allows redirects to any server. */
    #mayFollow = false;
    /** How requests for parts follow redirects. */
    #following = ANYWHERE;

    /**
     * @param {URL} url
     * @param {((question: Question) => Promise<void>) | null} askReader resolves when the user agrees; null if the user need not be asked
     */
    constructor(url, askReader) {
        this.#url = url;
        this.#askReader = askReader;
    }

    /**
     * The file from its first byte on.
     * @param {AbortSignal} signal
     */
    async whole(signal) {
        await this.#askFor(this.#url);
        let connection = await this.#fromStart(signal);
        if (sendsOn(connection.response)) {
            connection.close();
            await this.#askReader?.({ host: this.#isOwn ? null : this.#url.host, follows: true });
            this.#mayFollow = true;
            connection = await this.#fromStart(signal);
        }
        // The answer of a server that the user has not agreed to is not read.
        for (let url = new URL(connection.response.url); !this.#mayUse(url); url = new URL(connection.response.url)) {
            connection.close();
            await this.#askFor(url);
            connection = await this.#fromStart(signal);
        }
        if (!this.#followsAnywhere) this.#following = connection.response.redirected ? WITHIN_OWN : NOWHERE;
        return connection;
    }

    /**
     * @param {string} range
     * @param {AbortSignal} signal
     */
    async part(range, signal) {
        const connection = await connect(this.#url, range, this.#following, signal);
        const { response } = connection;
        const url = urlOf(response.url);
        if (!sendsOn(response) && url && this.#mayUse(url)) return connection;
        connection.close();
        const where = sendsOn(response) ? "elsewhere" : `to ${url?.host}`;
        throw new Unreadable(`the server now redirects ${where}. Open it again to be asked about that`);
    }

    get #isOwn() {
        return this.#url.origin === location.origin;
    }

    get #followsAnywhere() {
        return !this.#askReader || this.#mayFollow;
    }

    /**
     * Ways to request a file from its first byte on. They are tried one after the other: some servers, and proxies before them, fail when
     * they are asked for a range.
     * @returns {[string | null, Following][]}
     */
    get #ways() {
        /** @type {(following: Following) => [string | null, Following][]} */
        const withRangeAndWithout = (following) => [
            [FROM_START, following],
            [null, following],
        ];
        if (this.#followsAnywhere) return withRangeAndWithout(ANYWHERE);
        if (!this.#isOwn) return withRangeAndWithout(NOWHERE);
        // The last one shows whether the server redirects.
        return [...withRangeAndWithout(WITHIN_OWN), [null, NOWHERE]];
    }

    /**
     * @param {AbortSignal} signal
     * @returns {Promise<Connection>}
     */
    async #fromStart(signal) {
        for (const [range, following] of this.#ways) {
            try {
                const connection = await connect(this.#url, range, following, signal);
                // An empty file has no first byte, so asking for a range of it fails.
                if (range === null || connection.response.status !== 416) return connection;
                connection.close();
            } catch (error) {
                if (!(error instanceof Broken)) throw error;
            }
        }
        // Browsers report a violation of the policy a moment later.
        await sleep(50, signal);
        const isForbidden = forbidden.has(this.#url.host);
        const nearby = await accessTo(this.#url.hostname);
        throw unanswered(this.#url, { isForbidden, mayHaveFollowed: this.#followsAnywhere, hasFollowed: this.#mayFollow, nearby });
    }

    /** @param {URL} url */
    #mayUse({ origin }) {
        return !this.#askReader || this.#allowed.has(origin);
    }

    /** @param {URL} url */
    async #askFor(url) {
        if (this.#mayUse(url)) return;
        await this.#askReader?.({ host: url.host, follows: false });
        this.#allowed.add(url.origin);
    }
}
