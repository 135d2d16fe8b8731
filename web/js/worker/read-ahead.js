// Reads a file nearly from front to back, in parts that the caller chooses. While one part is used, the next bytes of the file are read.
// They come as a stream into a few buffers. Each slice would be a new buffer, which the browser keeps until garbage collection (measured:
// 60 MB of them), and slices take half as long again.

import { PIECE } from "./buffers.js";
import { giveBack } from "./reading.js";

/** Bytes of the longest part that is taken from the stream. */
const LONGEST = 3 << 20;

/** Bytes before the last part that are kept: parts overlap. */
const BEHIND = 1 << 20;

/** The most bytes that the stream skips on the way to a part. */
const SKIPPED = 4 << 20;

/**
 * After this many parts, check whether the file was changed: a stream goes on regardless, only a slice fails. A check takes a millisecond
 * or two, and nothing waits for it.
 */
const PARTS_CHECKED = 4;

/** The file to read.
 * @typedef {object} Readable
 * @property {number} size in bytes
 * @property {(offset: number) => AsyncIterable<Uint8Array>} from the bytes from `offset` on, in pieces of at most `PIECE` bytes; each is
 *     valid until the next one
 * @property {(offset: number, length: number) => Promise<Uint8Array>} range any part; fewer bytes at the end of the file
 */

export class ReadAhead {
    #file;
    /**
     * The latest bytes from the stream: `#length` bytes of the file from `#start` on, without a gap. Empty until a stream begins, which
     * some logs never need.
     */
    #window = new Uint8Array();
    #start = 0;
    #length = 0;
    /** @type {AsyncIterator<Uint8Array> | null} */
    #stream = null;
    /** The number of parts that came from the stream. */
    #parts = 0;
    /** Why the file can no longer be read, once that is known. @type {unknown} */
    #trouble = null;
    /**
     * The end of the last part that was read alone. A stream begins only if the next part follows there, since a stream needs buffers of
     * its own.
     */
    #alone = 0;
    /** The part that was read alone last; no longer needed once another one is asked for. */
    #partBefore = /** @type {Uint8Array} */ (new Uint8Array());

    /** @param {Readable} file */
    constructor(file) {
        this.#file = file;
    }

    get #end() {
        return this.#start + this.#length;
    }

    /**
     * A part of the file, valid until the next one is asked for. The caller asks for parts one after the other.
     * @param {number} offset
     * @param {number} length
     * @returns {Promise<Uint8Array>} fewer bytes at the end of the file
     */
    async part(offset, length) {
        if (this.#trouble) {
            await this.end();
            throw this.#trouble;
        }
        const isBefore = offset < this.#start && this.#stream !== null;
        if (length > LONGEST || isBefore) return this.#partAlone(offset, length);
        if (offset > this.#end + SKIPPED) await this.end();
        if (!this.#stream) {
            const follows = offset >= this.#alone - BEHIND && offset <= this.#alone + SKIPPED;
            this.#alone = offset + length;
            if (!follows) return this.#partAlone(offset, length);
            this.#beginAt(offset);
        }
        try {
            while (this.#end < offset + length && (await this.#readOn(offset)));
            // Reading on at the end of the file fails if the file has changed.
            if (this.#end === this.#file.size) await this.#readOn(offset);
        } catch (error) {
            await this.end();
            throw error;
        }
        // The stream ended too early: reading the part as a range fails with the reason.
        if (this.#end < offset + length) return this.#partAlone(offset, length);
        if (++this.#parts % PARTS_CHECKED === 0) this.#file.range(offset, 1).catch((error) => (this.#trouble = error));
        const from = offset - this.#start;
        return this.#window.subarray(from, from + length);
    }

    /**
     * @param {number} offset
     * @param {number} length
     */
    async #partAlone(offset, length) {
        this.#giveBack();
        return (this.#partBefore = await this.#file.range(offset, length));
    }

    #giveBack() {
        giveBack(this.#partBefore);
        this.#partBefore = new Uint8Array();
    }

    /** The caller needs no more parts, and no longer the last one. */
    async end() {
        this.#giveBack();
        const stream = this.#stream;
        this.#stream = null;
        await stream?.return?.();
    }

    /** @param {number} offset */
    #beginAt(offset) {
        [this.#start, this.#length] = [offset, 0];
        if (this.#window.length === 0) this.#window = new Uint8Array(Math.min(BEHIND + LONGEST + PIECE, this.#file.size));
        this.#stream = this.#file.from(offset)[Symbol.asyncIterator]();
    }

    /**
     * Takes the next piece of the stream; returns whether there is one.
     * @param {number} wanted the offset of the part to read
     */
    async #readOn(wanted) {
        const { done, value } = (await this.#stream?.next()) ?? { done: true, value: undefined };
        if (done) return false;
        // The file may have grown.
        const piece = value.subarray(0, this.#file.size - this.#end);
        if (this.#length + piece.length > this.#window.length) this.#forgetBefore(Math.min(wanted - BEHIND, this.#end));
        this.#window.set(piece, this.#length);
        this.#length += piece.length;
        return piece.length > 0;
    }

    /** @param {number} offset */
    #forgetBefore(offset) {
        const forgotten = Math.max(offset - this.#start, 0);
        this.#window.copyWithin(0, forgotten, this.#length);
        this.#start += forgotten;
        this.#length -= forgotten;
    }
}
