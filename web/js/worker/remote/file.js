// A file on a server: asked for from its first byte on, and for parts of it.

import { Unreadable } from "../unreadable.js";
import { Broken, connect, pauses, sleep } from "./connection.js";
import { urlOf } from "../../url.js";
import { isPart, isPassing, isSame, refused, showsRange, sizeIn, unanswered } from "./answer.js";

/** Bytes at a file's end that tell whether a server gives parts of it. */
const PROBE = 16;

const CHANGED = "the log was changed on the server since it was opened. Open it again to see all of it";

/** The hosts that the policy of the page's own server is against asking. @type {Set<string>} */
const forbidden = new Set();
self.addEventListener("securitypolicyviolation", (event) => {
    const { blockedURI } = /** @type {SecurityPolicyViolationEvent} */ (event);
    forbidden.add(urlOf(blockedURI)?.host ?? "");
});

export class RemoteFile {
    /** @type {Set<string>} */
    #allowed = new Set([location.origin]);
    /** What came with the first byte. @type {Response} */
    #first;
    #stopping = new AbortController();

    /**
     * @param {URL} url
     * @param {((host: string) => Promise<void>) | null} agreed waits until the user agrees to asking another server than the page's own;
     *     null if that need not be
     * @param {AbortSignal} signal ends all requests
     */
    constructor(url, agreed, signal) {
        this.url = url;
        this.agreed = agreed;
        this.signal = signal;
        this.#first = new Response();
        signal.addEventListener("abort", () => this.stop());
    }

    /** Ends the reading front to back; parts can still be asked for. */
    stop() {
        this.#stopping.abort();
    }

    /** Ends with the reading front to back. */
    get streaming() {
        return this.#stopping.signal;
    }

    /** Whether that has ended, and parts may be wanted. */
    get isStopped() {
        return this.streaming.aborted && !this.signal.aborted;
    }

    /** The file from its first byte on. */
    async whole() {
        await this.#ask(this.url);
        let connection = await this.#fromStart();
        // Where the page's server sends one to is known once one has been there; nothing is read of that before the user agrees.
        for (let url = new URL(connection.response.url); !this.#mayUse(url); url = new URL(connection.response.url)) {
            connection.close();
            await this.#ask(url);
            connection = await this.#fromStart();
        }
        const { response, close } = connection;
        if (!response.ok) {
            close();
            throw refused(response);
        }
        this.#first = response;
        return connection;
    }

    /** Bytes of the file; 0 if the server does not tell. */
    get size() {
        return sizeIn(this.#first);
    }

    /** Whether the server has sent a part when it was asked for one, so that it can go on after an interruption. */
    get canGoOn() {
        return this.#first.status === 206 && this.size > 0;
    }

    /** Whether it gives any part. What a server of another origin compresses on the way cannot be seen, but then this fails. */
    async givesParts() {
        if (!this.canGoOn || showsRange(this.#first)) return this.canGoOn;
        try {
            await this.#bytes(Math.max(this.size - PROBE, 0), this.size, () => false);
            return true;
        } catch (error) {
            if (error instanceof Broken || error instanceof Unreadable) return false;
            throw error;
        }
    }

    /**
     * A part of the file, asked for again where the connection breaks.
     * @param {number} from
     * @param {number} to one more than its last byte
     * @param {() => boolean} [unwanted] ends it early
     */
    async bytes(from, to, unwanted = () => false) {
        const left = pauses();
        for (;;) {
            try {
                return await this.#bytes(from, to, unwanted);
            } catch (error) {
                if (!(error instanceof Broken)) throw error;
            }
            const { value: pause, done } = left.next();
            if (unwanted()) return new Uint8Array();
            if (done) throw new Unreadable(`${this.url.host} does not answer any more: a part of the log cannot be seen closely now`);
            await sleep(pause, this.signal);
        }
    }

    /**
     * @param {number} from
     * @param {number} to
     * @param {() => boolean} unwanted
     */
    async #bytes(from, to, unwanted) {
        const bytes = new Uint8Array(to - from);
        for (let filled = 0; filled < bytes.length; ) {
            const begin = filled;
            const { pieces } = await this.part(from + filled, to, this.signal);
            for await (const piece of pieces()) {
                if (piece.length > bytes.length - filled) throw new Unreadable(CHANGED);
                bytes.set(piece, filled);
                filled += piece.length;
                if (unwanted()) return bytes.subarray(0, filled);
            }
            if (filled === begin) throw new Broken("nothing came");
        }
        return bytes;
    }

    /**
     * @param {number} from
     * @param {number} to one more than its last byte
     * @param {AbortSignal} signal ends it
     */
    async part(from, to, signal) {
        const connection = await connect(this.url, `bytes=${from}-${to - 1}`, signal);
        const trouble = this.#troubleWith(connection.response, from, to);
        if (!trouble) return connection;
        connection.close();
        throw trouble;
    }

    /**
     * Why an answer is not the part of the file that was asked for.
     * @param {Response} response
     * @param {number} from
     * @param {number} to
     */
    #troubleWith(response, from, to) {
        if (isPassing(response)) return new Broken(`status ${response.status}`);
        const url = new URL(response.url);
        if (!this.#mayUse(url)) return new Unreadable(`the server sends to ${url.host} for it now. Open it again to be asked about that`);
        // Shorter than it was.
        if (response.status === 416) return new Unreadable(CHANGED);
        if (!response.ok) return refused(response);
        if (!isSame(this.#first, response)) return new Unreadable(CHANGED);
        return isPart(response, from, to) ? null : new Unreadable("the server does not send parts of the log any more");
    }

    async #fromStart() {
        try {
            const connection = await connect(this.url, "bytes=0-", this.streaming);
            // An empty file has no first byte.
            if (connection.response.status !== 416) return connection;
            connection.close();
        } catch (error) {
            if (!(error instanceof Broken)) throw error;
        }
        // Some servers, and proxies before them, fail when they are asked for a range.
        try {
            return await connect(this.url, null, this.streaming);
        } catch (error) {
            if (!(error instanceof Broken)) throw error;
        }
        // Browsers tell of a policy a moment later.
        await sleep(50, this.signal);
        throw unanswered(this.url, forbidden.has(this.url.host));
    }

    /** @param {URL} url */
    #mayUse({ origin }) {
        return !this.agreed || this.#allowed.has(origin);
    }

    /** @param {URL} url */
    async #ask(url) {
        if (this.#mayUse(url)) return;
        await this.agreed?.(url.host);
        this.#allowed.add(url.origin);
    }
}
