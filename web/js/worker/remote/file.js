// A file on a server: requests for all of it, and for parts.

import { NotNow, Unreadable } from "../unreadable.js";
import { isPart, isPartial, isPassing, isSame, mayBeCapped, refused, sizeIn } from "./answer.js";
import { Broken, pauses, sleep } from "./connection.js";
import { Requests } from "./requests.js";

/** @typedef {import("./connection.js").Connection} Connection */

/** Bytes to request at the end of a file, to see whether the server supports ranges. */
const PROBE = 16;

const CHANGED = "the log was changed on the server since it was opened. Open it again to see all of it";

export class RemoteFile {
    /** Bytes of the file; 0 if not known. */
    size;
    /** Whether the file may be longer than `size`. */
    mayBeLonger;
    #first;
    #requests;
    #stopping;

    /**
     * @param {URL} url
     * @param {((question: import("./requests.js").Question) => Promise<void>) | null} askReader resolves when the user agrees to ask
     *     another server than the page's own; null if the user need not be asked
     * @param {AbortSignal} signal ends all requests
     * @returns {Promise<{ file: RemoteFile, connection: Connection }>} the connection that begins at its first byte
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
     * @param {Response} first the answer that begins at the first byte
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

    /** Ends reading from front to back; parts can still be requested. */
    stop() {
        this.#stopping.abort();
    }

    /** Aborts when reading from front to back is ended. */
    get streaming() {
        return this.#stopping.signal;
    }

    /** Whether reading from front to back has ended, but not all requests. */
    get isStopped() {
        return this.streaming.aborted && !this.signal.aborted;
    }

    /** Whether the server sent a part when it was asked for one, so that reading can go on after an interruption. */
    get canGoOn() {
        return isPartial(this.#first);
    }

    /** @param {number} size the file's: all of it has come */
    endsAt(size) {
        this.size = size;
        this.mayBeLonger = false;
    }

    /**
     * Whether the server gives any part of the file; this also finds out the file's length. Whether a server of another origin compresses
     * its answers cannot be seen, but in that case this fails.
     */
    async givesParts() {
        if (!this.canGoOn || !this.mayBeLonger) return this.canGoOn;
        const from = this.size - PROBE;
        // The length is not known, or nearly 0.
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
     * How many bytes come from `from` on. It stops as soon as they show that the file is longer than the first answer said.
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
     * A part of the file; requested again if the connection breaks.
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
            if (done) throw new NotNow(`${this.url.host} no longer answers: part of the log cannot be shown in detail now`);
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
     * The bytes after those that have come. If it is not known whether there are any, the last byte is requested once more: pages cannot
     * see an answer without bytes from a server of another origin.
     * @param {number} received
     * @param {number} last the last byte that has come
     * @returns {Promise<Pick<Connection, "pieces">>}
     */
    async rest(received, last) {
        if (!this.mayBeLonger || received === 0) return this.part(received, this.mayBeLonger ? Infinity : this.size, this.streaming);
        const { pieces } = await this.part(received - 1, Infinity, this.streaming);
        return { pieces: () => following(last, pieces()) };
    }

    /**
     * @param {number} from
     * @param {number} to one more than its last byte; infinite for the rest of the file
     * @param {AbortSignal} signal ends the request
     */
    async part(from, to, signal) {
        const connection = await this.#requests.part(`bytes=${from}-${to === Infinity ? "" : to - 1}`, signal);
        const trouble = this.#troubleWith(connection.response, from, to);
        if (!trouble) return connection;
        connection.close();
        throw trouble;
    }

    /**
     * Why an answer is not the requested part of the file.
     * @param {Response} response
     * @param {number} from
     * @param {number} to
     */
    #troubleWith(response, from, to) {
        if (isPassing(response)) return new Broken(`status ${response.status}`);
        // The file is shorter than it was.
        if (response.status === 416) return new Unreadable(CHANGED);
        if (!response.ok) return refused(response);
        if (!isSame(this.#first, response)) return new Unreadable(CHANGED);
        return isPart(response, from, to) ? null : new Unreadable("the server does not send the part of the log that was requested");
    }
}

/**
 * The bytes after a known byte.
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
