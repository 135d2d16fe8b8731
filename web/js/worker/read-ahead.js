// Reads a file nearly from front to back, in parts that the caller chooses. While one part is used, the next bytes of the file are read.
// They come as a stream into a few buffers. Each slice would be a new buffer, which the browser keeps until garbage collection (measured:
// 60 MB of them), and slices take half as long again.

import { PIECE } from "./buffers.js";
import { giveBack } from "./reading.js";

/** Bytes of the longest part that is taken from the stream. */
const LONGEST = 3 << 20;

/**
 * The latest bytes of the stream that are kept. GHC writes blocks of up to 2 MiB for each capability, and parts of the same time are in as
 * many blocks as there are capabilities: it grows for up to eight of them. Reading a part alone takes the browser a millisecond.
 */
const KEPT = { first: 6 << 20, most: 18 << 20 };

/**
 * After this many parts, check whether the file was changed: a stream goes on regardless, only a slice fails. A check takes a millisecond
 * or two, and nothing waits for it.
 */
const PARTS_CHECKED = 16;

/** The file to read.
 * @typedef {object} Readable
 * @property {number} size in bytes
 * @property {(offset: number) => AsyncIterable<Uint8Array>} from the bytes from `offset` on, in pieces of at most `PIECE` bytes; each is
 *     valid until the next one
 * @property {(offset: number, length: number) => Promise<Uint8Array>} range any part; fewer bytes at the end of the file
 */

export class ReadAhead {
    #file;
    /** A ring of the latest bytes from the stream, those of the file from `#start` to `#end`. Empty until a stream begins, which some logs
     * never need. */
    #ring = new Uint8Array();
    #start = 0;
    #end = 0;
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
        if (isBefore) this.#keep(this.#end - offset + PIECE);
        if (length > LONGEST || isBefore) return this.#partAlone(offset, length);
        if (offset > this.#end + this.#ring.length) await this.end();
        if (!this.#stream) {
            const before = this.#alone;
            this.#alone = offset + length;
            if (Math.abs(offset - before) > KEPT.first) return this.#partAlone(offset, length);
            this.#beginAt(Math.min(offset, before));
        }
        try {
            while (this.#end < offset + length && (await this.#readOn()));
            // Reading on at the end of the file fails if the file has changed.
            if (this.#end === this.#file.size) await this.#readOn();
        } catch (error) {
            await this.end();
            throw error;
        }
        // The stream ended too early: reading the part as a range fails with the reason.
        if (this.#end < offset + length) return this.#partAlone(offset, length);
        if (++this.#parts % PARTS_CHECKED === 0) this.#file.range(offset, 1).catch((error) => (this.#trouble = error));
        return this.#kept(offset, length);
    }

    /**
     * @param {number} offset
     * @param {number} length
     */
    #kept(offset, length) {
        const { length: size } = this.#ring;
        const from = offset % size;
        if (from + length <= size) return this.#ring.subarray(from, from + length);
        const both = new Uint8Array(length);
        both.set(this.#ring.subarray(from));
        both.set(this.#ring.subarray(0, from + length - size), size - from);
        return both;
    }

    /** Keeps so many bytes from now on, if that is not too many. @param {number} count */
    #keep(count) {
        if (count <= this.#ring.length || count > KEPT.most) return;
        const before = this.#kept(this.#start, this.#end - this.#start);
        this.#ring = new Uint8Array(Math.min(Math.ceil(count / PIECE) * PIECE, this.#file.size));
        this.#add(before, this.#start);
    }

    /**
     * @param {Uint8Array} bytes
     * @param {number} offset
     */
    #add(bytes, offset) {
        const at = offset % this.#ring.length;
        const first = bytes.subarray(0, this.#ring.length - at);
        this.#ring.set(first, at);
        this.#ring.set(bytes.subarray(first.length), 0);
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
        this.#start = this.#end = offset;
        if (this.#ring.length === 0) this.#ring = new Uint8Array(Math.min(KEPT.first, this.#file.size));
        this.#stream = this.#file.from(offset)[Symbol.asyncIterator]();
    }

    /** Takes the next piece of the stream; returns whether there is one. */
    async #readOn() {
        const { done, value } = (await this.#stream?.next()) ?? { done: true, value: undefined };
        if (done) return false;
        // The file may have grown.
        const piece = value.subarray(0, this.#file.size - this.#end);
        this.#add(piece, this.#end);
        this.#end += piece.length;
        this.#start = Math.max(this.#start, this.#end - this.#ring.length);
        return piece.length > 0;
    }
}
