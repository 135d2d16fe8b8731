// Reads a file nearly from front to back, in parts that the caller chooses. While one part is used, the next bytes of the file are read.
// They come as a stream into a few buffers. Each slice would be a new buffer, which the browser keeps until garbage collection (measured:
// 60 MB of them), and slices take half as long again.

import { PIECE } from "./buffers.js";

/** Bytes of the longest part that is taken from the stream; the model asks for no longer ones when it searches (FIND_PIECE). */
const LONGEST = 3 << 20;

/**
 * Bytes of the ring: at first, and at most. GHC writes blocks of up to 2 MiB for each capability, and parts of the same time are in as many
 * blocks as there are capabilities. The ring grows until it holds the blocks of up to eight: reading a part alone takes the browser a
 * millisecond.
 */
const RING = { first: 6 << 20, most: 18 << 20 };

/** Parts follow each other if there are at most so many bytes between them, or in both of them. */
const NEXT = 128 << 10;

/**
 * After this many parts, check whether the file was changed: a stream goes on regardless, only a slice fails. A check takes a millisecond
 * or two, and nothing waits for it.
 */
const PARTS_CHECKED = 16;

/**
 * The last ring that is no longer used, unless the browser has collected it: each search would leave another one.
 * @type {WeakRef<Uint8Array<ArrayBuffer>> | null}
 */
let spare = null;

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
     * A ring of the latest bytes from the stream, those of the file from `#start` to `#end`. Empty until a stream begins, which some logs
     * never need.
     */
    #ring = new Uint8Array();
    #start = 0;
    #end = 0;
    /** A part that lies at the ring's end and at its begin. */
    #joined = new Uint8Array();
    /** @type {AsyncIterator<Uint8Array> | null} */
    #stream = null;
    /** The number of parts that came from the stream. */
    #parts = 0;
    /** Why the file can no longer be read, once that is known. @type {unknown} */
    #trouble = null;
    /**
     * Where the last part ended that did not come from a stream. A stream begins only if the next part is near that, since a stream needs
     * buffers of its own.
     */
    #endBefore = 0;
    /** Bytes of the parts that followed each other there, while the stream was further on. */
    #before = 0;

    /** @param {Readable} file */
    constructor(file) {
        this.#file = file;
    }

    /**
     * A part of the file, valid until the next one is asked for. The caller asks for parts one after the other, and may give them back.
     * @param {number} offset
     * @param {number} length
     * @returns {Promise<Uint8Array>} fewer bytes at the end of the file
     */
    async part(offset, length) {
        if (this.#trouble) {
            await this.#leave();
            throw this.#trouble;
        }
        const isBefore = offset < this.#start && this.#stream !== null;
        if (isBefore) {
            // Room to reach as far back next time, and for two more pieces of the stream. It grows twice at most: what is in it is lost.
            const size = Math.ceil((this.#end - offset + 2 * PIECE) / RING.first) * RING.first;
            if (size > this.#ring.length && size <= RING.most) {
                this.#ring = new Uint8Array(size);
                this.#start = this.#end;
            }
        }
        if (length > LONGEST) return this.#file.range(offset, length);
        if (isBefore) {
            // Blocks of several capabilities are short. What follows on for longer than they are is read from front to back, so the stream
            // goes on there.
            const goesOn = Math.abs(offset - this.#endBefore) <= NEXT;
            this.#before = goesOn ? this.#before + length : length;
            this.#endBefore = offset + length;
            if (this.#before <= RING.first) return this.#file.range(offset, length);
            this.#before = 0;
            await this.#leave();
        }
        if (offset > this.#end + this.#ring.length) await this.#leave();
        if (!this.#stream) {
            const before = this.#endBefore;
            this.#endBefore = offset + length;
            if (Math.abs(offset - before) > RING.first) return this.#file.range(offset, length);
            this.#start = this.#end = Math.min(offset, before);
            if (this.#ring.length === 0) this.#ring = this.#newRing();
            this.#stream = this.#file.from(this.#end)[Symbol.asyncIterator]();
        }
        try {
            while (this.#end < offset + length && (await this.#readOn()));
            // Reading on at the end of the file fails if the file has changed.
            if (this.#end === this.#file.size) await this.#readOn();
        } catch (error) {
            await this.#leave();
            throw error;
        }
        // The stream ended too early: reading the part as a range fails with the reason.
        if (this.#end < offset + length) return this.#file.range(offset, length);
        if (++this.#parts % PARTS_CHECKED === 0) this.#file.range(offset, 1).catch((error) => (this.#trouble = error));
        const { length: size } = this.#ring;
        const from = offset % size;
        if (from + length <= size) return this.#ring.subarray(from, from + length);
        if (this.#joined.length < length) this.#joined = new Uint8Array(Math.max(length, PIECE));
        const both = this.#joined.subarray(0, length);
        both.set(this.#ring.subarray(from));
        both.set(this.#ring.subarray(0, from + length - size), size - from);
        return both;
    }

    /** The caller needs no more parts, at least for now. */
    async end() {
        if (this.#ring.length === RING.first) spare = new WeakRef(this.#ring);
        this.#ring = new Uint8Array();
        await this.#leave();
    }

    /** The stream goes on elsewhere, or not at all. */
    async #leave() {
        const stream = this.#stream;
        this.#stream = null;
        await stream?.return?.();
    }

    /** A ring of the first size. */
    #newRing() {
        const size = Math.min(RING.first, this.#file.size);
        const last = spare?.deref();
        spare = null;
        return last?.length === size ? last : new Uint8Array(size);
    }

    /** Takes the next piece of the stream; returns whether there is one. */
    async #readOn() {
        const { done, value } = (await this.#stream?.next()) ?? { done: true, value: undefined };
        if (done) return false;
        // The file may have grown.
        const piece = value.subarray(0, this.#file.size - this.#end);
        const at = this.#end % this.#ring.length;
        const room = this.#ring.length - at;
        this.#ring.set(piece.subarray(0, room), at);
        this.#ring.set(piece.subarray(room));
        this.#end += piece.length;
        this.#start = Math.max(this.#start, this.#end - this.#ring.length);
        return piece.length > 0;
    }
}
