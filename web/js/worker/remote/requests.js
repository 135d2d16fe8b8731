// The requests for a log: no server is reached by one before the reader has agreed to that.
//
// Where a server sends one elsewhere, browsers follow, and tell where to only afterwards: that server has been reached then. So they
// are let follow only within the page's own server, or not at all, until the reader has agreed that they follow anywhere.

import { Unreadable } from "../unreadable.js";
import { Broken, connect, sleep } from "./connection.js";
import { urlOf } from "../../url.js";
import { unanswered } from "./answer.js";

/** @typedef {import("../../protocol.js").Question} Question */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {Pick<RequestInit, "mode" | "redirect">} Following where browsers follow a server that sends one on */

/** @type {Following} */
const ANYWHERE = { redirect: "follow" };
/** Where it would lead to another server, it fails before that is reached. @type {Following} */
const WITHIN_OWN = { mode: "same-origin" };
/** The answer says no more than that the server sends one on. @type {Following} */
const NOWHERE = { redirect: "manual" };

const FROM_START = "bytes=0-";

/** The hosts that the policy of the page's own server is against asking. @type {Set<string>} */
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
    /** The servers that may be asked. @type {Set<string>} */
    #allowed = new Set([location.origin]);
    /** Whether the reader has agreed that the server is followed wherever it sends one. */
    #mayFollow = false;
    /** How parts are asked for. */
    #following = ANYWHERE;

    /**
     * @param {URL} url
     * @param {((question: Question) => Promise<void>) | null} askReader waits until the reader agrees; null if he need not be asked
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
        // Nothing is read of the answer of a server that the reader has not agreed to.
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
        throw new Unreadable(`the server sends ${where} for it now. Open it again to be asked about that`);
    }

    get #isOwn() {
        return this.#url.origin === location.origin;
    }

    get #followsAnywhere() {
        return !this.#askReader || this.#mayFollow;
    }

    /**
     * The ways of asking for a file from its first byte on, of which one after the other is tried: some servers, and proxies before
     * them, fail when they are asked for a range.
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
        // The last one tells whether the server sends one elsewhere.
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
                // An empty file has no first byte.
                if (range === null || connection.response.status !== 416) return connection;
                connection.close();
            } catch (error) {
                if (!(error instanceof Broken)) throw error;
            }
        }
        // Browsers tell of a policy a moment later.
        await sleep(50, signal);
        const isForbidden = forbidden.has(this.#url.host);
        throw unanswered(this.#url, { isForbidden, mayHaveFollowed: this.#followsAnywhere, hasFollowed: this.#mayFollow });
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
