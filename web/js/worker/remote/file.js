// A file on a server: asked for from its first byte on, and for parts of it.

import { NotNow, Unreadable } from "../unreadable.js";
import { isPart, isPartial, isPassing, isSame, mayBeCapped, refused, sizeIn } from "./answer.js";
import { Broken, pauses, sleep } from "./connection.js";
import { Requests } from "./requests.js";

/** @typedef {import("./connection.js").Connection} Connection */

/** Bytes at a file's end that tell whether a server gives parts of it. */
const PROBE = 16;

const CHANGED = "the log was changed on the server since it was opened. Open it again to see all of it";

export class RemoteFile {
    /** Bytes of the file; 0 if nobody knows. */
    size;
    /** Whether there may be more than `size`. */
    mayBeLonger;
    #first;
    #requests;
    #stopping;

    /**
     * @param {URL} url
     * @param {((question: import("./requests.js").Question) => Promise<void>) | null} askReader waits until the reader agrees to asking
     *     another server than the page's own; null if he need not be asked
     * @param {AbortSignal} signal ends all requests
     * @returns {Promise<{ file: RemoteFile, connection: Connection }>} the connection to its first byte
     */
    static async open(url, askReader, signal) {
        const stopping = new AbortController();
        signal.addEventListener("abort", () => stopping.abort());
        const requests = new Requests(url, askReader);
        const connection = await requests.whole(stopping.signal);
        const { response, close } = connection;
        if (response.ok) return { file: new RemoteFile(url, requests, response, signal, stopping), connection };
        close();
        throw refused(response);
    }

    /**
     * @param {URL} url
     * @param {Requests} requests
     * @param {Response} first what came with the first byte
     * @param {AbortSignal} signal
     * @param {AbortController} stopping
     */
    constructor(url, requests, first, signal, stopping) {
        this.url = url;
        this.signal = signal;
        this.size = sizeIn(first);
        this.mayBeLonger = mayBeCapped(first);
        this.#requests = requests;
        this.#first = first;
        this.#stopping = stopping;
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

    /** Whether the server has sent a part when it was asked for one, so that it can go on after an interruption. */
    get canGoOn() {
        return isPartial(this.#first);
    }

    /** @param {number} size is the file's: all of it has come */
    endsAt(size) {
        this.size = size;
        this.mayBeLonger = false;
    }

    /**
     * Whether it gives any part; and with that, how long the file is. What a server of another origin compresses on the way cannot be
     * seen, but then this fails.
     */
    async givesParts() {
        if (!this.canGoOn || !this.mayBeLonger) return this.canGoOn;
        const from = this.size - PROBE;
        // Its length is not known, or as good as nothing.
        if (from <= 0) return false;
        try {
            const received = await this.#probe(from);
            if (received === PROBE) this.endsAt(this.size);
            else this.size = 0;
            return true;
        } catch (error) {
            if (error instanceof Broken || error instanceof Unreadable) return false;
            throw error;
        }
    }

    /**
     * How many bytes come from there on; no more of them than tell whether the file ends where the first answer does.
     * @param {number} from
     */
    async #probe(from) {
        const { pieces } = await this.part(from, Infinity, this.signal);
        let received = 0;
        for await (const { length } of pieces()) if ((received += length) > PROBE) break;
        if (received === 0) throw new Broken("nothing came");
        return received;
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
            if (done) throw new NotNow(`${this.url.host} does not answer any more: a part of the log cannot be seen closely now`);
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
     * What follows the bytes that have come. Where nobody knows whether that is anything, the last one is asked for once more: an answer
     * without any bytes would be one that servers of other origins do not let pages see.
     * @param {number} received
     * @param {number} last the last byte of those
     * @returns {Promise<Pick<Connection, "pieces">>}
     */
    async rest(received, last) {
        if (!this.mayBeLonger || received === 0) return this.part(received, this.mayBeLonger ? Infinity : this.size, this.streaming);
        const { pieces } = await this.part(received - 1, Infinity, this.streaming);
        return { pieces: () => following(last, pieces()) };
    }

    /**
     * @param {number} from
     * @param {number} to one more than its last byte; infinite for all that follows
     * @param {AbortSignal} signal ends it
     */
    async part(from, to, signal) {
        const connection = await this.#requests.part(`bytes=${from}-${to === Infinity ? "" : to - 1}`, signal);
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
        // Shorter than it was.
        if (response.status === 416) return new Unreadable(CHANGED);
        if (!response.ok) return refused(response);
        if (!isSame(this.#first, response)) return new Unreadable(CHANGED);
        return isPart(response, from, to) ? null : new Unreadable("the server does not send the part of the log that it is asked for");
    }
}

/**
 * What comes after a byte that is known.
 * @param {number} known
 * @param {AsyncIterable<Uint8Array>} pieces
 */
async function* following(known, pieces) {
    let isFirst = true;
    for await (const piece of pieces) {
        if (isFirst && piece[0] !== known) throw new Unreadable(CHANGED);
        yield isFirst ? piece.subarray(1) : piece;
        isFirst = false;
    }
    if (isFirst) throw new Broken("nothing came");
}
