// Reading a file nearly from front to back, in parts that somebody else chooses: while one is used, what comes next in the file is read.
// It comes as a stream into buffers that take turns; slices would be a new buffer each, which the browser keeps until it collects
// them (measured: 60 MB of them), and take half as long again.

import { PIECE } from "./buffers.js";
import { giveBack } from "./reading.js";

/** Bytes of the longest part that is taken from the stream. */
const LONGEST = 3 << 20;

/** Bytes before the last part that are at hand: parts overlap. */
const BEHIND = 1 << 20;

/** The most bytes that the stream reads for nothing on the way to a part. */
const SKIPPED = 4 << 20;

/** After so many parts it is looked whether the file was changed: a stream goes on then, only a slice tells. Each look takes a
 * millisecond or two, which nobody waits for. */
const PARTS_CHECKED = 4;

/**
 * What is read.
 * @typedef {object} Readable
 * @property {number} size bytes that there are
 * @property {(offset: number) => AsyncIterable<Uint8Array>} from the bytes from there on; a piece, of `PIECE` bytes at most, holds
 *     until the next one
 * @property {(offset: number, length: number) => Promise<Uint8Array>} range any part; fewer bytes if there are no more
 */

export class ReadAhead {
    #file;
    /** What has come last, without a gap: the bytes of the file at `#start`, `#length` of them. There is no room for any before a stream
     * begins: of some logs none does. */
    #window = new Uint8Array();
    #start = 0;
    #length = 0;
    /** @type {AsyncIterator<Uint8Array> | null} */
    #stream = null;
    /** How many parts the stream has given. */
    #parts = 0;
    /** Why the file cannot be read any more, once that is known. @type {unknown} */
    #trouble = null;
    /** Where the last part ended that was read alone: a stream begins once others follow it, since it has buffers of its own. */
    #alone = 0;
    /** The part that was read alone last: nobody needs it any more once another one is asked for. */
    #partBefore = /** @type {Uint8Array} */ (new Uint8Array());

    /** @param {Readable} file */
    constructor(file) {
        this.#file = file;
    }

    get #end() {
        return this.#start + this.#length;
    }

    /**
     * A part of the file, which holds until the next one is asked for; parts are asked for one after the other.
     * @param {number} offset
     * @param {number} length
     * @returns {Promise<Uint8Array>} fewer bytes if there are no more
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
            // What follows the last bytes tells whether the file is still the one that it was.
            if (this.#end === this.#file.size) await this.#readOn(offset);
        } catch (error) {
            await this.end();
            throw error;
        }
        // Why it has ended before that, a range tells.
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

    /** Nothing more is asked for; the last part is not needed any more. */
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
     * Takes the next piece; whether there is one.
     * @param {number} wanted where the part that is wanted begins
     */
    async #readOn(wanted) {
        const { done, value } = (await this.#stream?.next()) ?? { done: true, value: undefined };
        if (done) return false;
        // A file may have grown.
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
