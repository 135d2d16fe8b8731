// A log on a server: read once from front to back, over as many connections as that takes; then any part of it, by ranges or from a copy.

import { Copy } from "../copy.js";
import { pieces } from "../reading.js";
import { Unreadable } from "../unreadable.js";
import { Broken, noPauseFirst, pauses, sleep } from "./connection.js";

/** @typedef {Pick<import("./connection.js").Connection, "pieces">} Connection */

/** A log of up to this many bytes is kept in a copy: asking the server again would take longer than reading that. */
export const SMALL = 16 << 20;

/** Bytes by which the format of a file is recognised. */
const HEAD = 512;

export class RemoteLog {
    packed = false;
    broken = "";
    used = 0;
    /** Bytes that have come; some may not have been read yet. */
    received = 0;
    /** The last byte that has come. */
    #last = 0;
    /** @type {Copy | null} */
    #copy = null;
    /** The copy of a log that proves to be short; null once it is too long. Its size may not be known. @type {Copy | null} */
    #short = new Copy();
    /** The first pieces: read to recognise the format, then once more with the others. @type {Uint8Array[]} */
    #begin = [];
    #file;
    #stream;
    #retrying;

    /**
     * @param {import("./file.js").RemoteFile} file
     * @param {Connection} connection to its first byte
     * @param {(retryIn: number | null) => void} retrying
     */
    constructor(file, connection, retrying) {
        this.#file = file;
        this.#stream = this.#streamed(connection);
        this.#retrying = retrying;
    }

    /** If the server has compressed its answer, which it may not say, the size in its headers is not the log's. */
    get size() {
        return this.received > this.#file.size ? 0 : this.#file.size;
    }

    get seekable() {
        return !this.#copy;
    }

    get from() {
        const copy = this.#copy ?? this.#short;
        return copy ? (/** @type {number} */ offset) => pieces(copy.blob().slice(offset)) : undefined;
    }

    stop() {
        this.#file.stop();
    }

    /** Makes a copy while reading. */
    keep() {
        this.#copy = new Copy();
    }

    /** The first bytes, which are read once more with the others. */
    async head() {
        for (let next; this.received < HEAD && !(next = await this.#stream.next()).done; ) this.#begin.push(next.value.slice());
        return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (this.#begin)).slice(0, HEAD).arrayBuffer());
    }

    async *pieces() {
        for await (const piece of this.#all()) {
            this.used += piece.length;
            if (this.#copy || Math.max(this.used, this.size) > SMALL) this.#short = null;
            await (this.#copy ?? this.#short)?.add(piece);
            yield piece;
        }
    }

    async *#all() {
        yield* this.#begin;
        this.#begin = [];
        yield* this.#stream;
    }

    /**
     * All pieces, over as many connections as that takes, until it is stopped.
     * @param {Connection} connection
     */
    async *#streamed(connection) {
        try {
            yield* this.#lasting(connection);
        } catch (error) {
            if (!this.#file.isStopped) throw error;
        }
    }

    /** @param {Connection} first */
    async *#lasting(first) {
        let left = pauses();
        for (let connection = first; ; connection = await this.#rest(left)) {
            const before = this.received;
            const isBroken = yield* this.#piecesOf(connection);
            const hasMore = this.received > before;
            if (!isBroken && this.#isWhole(hasMore)) return;
            // Servers may send less than they are asked for. A server that sends nothing is asked again only after a pause.
            if (hasMore) left = isBroken ? pauses() : noPauseFirst();
        }
    }

    /**
     * The pieces of one connection; returns whether it broke.
     * @param {Connection} connection
     * @returns {AsyncGenerator<Uint8Array, boolean, void>}
     */
    async *#piecesOf(connection) {
        try {
            for await (const piece of connection.pieces()) {
                this.received += piece.length;
                this.#last = piece.at(-1) ?? this.#last;
                yield piece;
            }
            return false;
        } catch (error) {
            if (error instanceof Broken) return true;
            throw error;
        }
    }

    /**
     * Whether all of the file has come, after a connection that ended without breaking.
     * @param {boolean} hasMore whether that connection brought any bytes
     */
    #isWhole(hasMore) {
        if (!this.#file.mayBeLonger) return this.received >= this.#file.size;
        if (!hasMore) this.#file.endsAt(this.received);
        return !hasMore;
    }

    /**
     * The connection that goes on where the last one ended.
     * @param {IterableIterator<number>} left the pauses before the first attempt and the next ones
     */
    async #rest(left) {
        if (!this.#file.canGoOn) {
            throw new Unreadable(
                `the connection broke at byte ${this.received}, and the server cannot go on from there. Open it again to see all of it`,
            );
        }
        for (const pause of left) {
            if (pause > 0) await this.#pause(pause);
            try {
                const connection = await this.#file.rest(this.received, this.#last);
                if (pause > 0) this.#retrying(null);
                return connection;
            } catch (error) {
                if (!(error instanceof Broken)) throw error;
            }
        }
        throw new Unreadable(`the connection broke at byte ${this.received}, and could not be restored. Open it again to see all of it`);
    }

    /** @param {number} ms before the next attempt */
    async #pause(ms) {
        this.#retrying(ms);
        await sleep(ms, this.#file.streaming);
    }

    /**
     * @param {number} offset
     * @param {number} length
     * @param {() => boolean} [unwanted]
     */
    async range(offset, length, unwanted) {
        const end = Math.min(offset + length, this.#file.size || this.received);
        const bytes = await (this.#copy ?? this.#short)?.range(offset, length);
        if (bytes) return bytes;
        if (!this.#copy) return end > offset ? this.#file.bytes(offset, end, unwanted) : new Uint8Array();
        throw new Unreadable(
            `only the first ${Copy.LIMIT / 2 ** 30} GiB can be shown in detail, because the server only sends whole files; download it and drop it here`,
        );
    }
}
