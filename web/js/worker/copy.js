// A copy of a log that was unpacked or downloaded, so that any part of it can be read again.
//
// The browser gets it piece by piece, as the blob of a response. Chromium keeps those in a separate process and on disk, Firefox in
// temporary files; neither keeps them in the page's memory (measured: 1 GiB adds 50 and 7 MB to the page). Checkpoints of the decoder would
// make the copy needless, but cost 44 KiB each for gzip and megabytes each for zstd, and neither the browser's decoder nor the zstd library
// can go back to one.

import { range } from "./reading.js";

/** Bytes handed over at a time: smaller blobs would stay in the page's memory. */
const PART = 16 << 20;

export class Copy {
    /** Most bytes copied: as much of the disk as we dare to use. */
    static LIMIT = 4 * 2 ** 30;

    /** @type {Blob[]} */
    #parts = [];
    /** @type {Uint8Array<ArrayBuffer>[]} */
    #waiting = [];
    #bytesWaiting = 0;
    #bytes = 0;

    /** @param {Uint8Array} piece its bytes are copied: they may change afterwards */
    async add(piece) {
        const room = Copy.LIMIT - this.#bytes;
        if (room <= 0) return;
        const kept = piece.slice(0, room);
        this.#waiting.push(kept);
        this.#bytes += kept.length;
        this.#bytesWaiting += kept.length;
        if (this.#bytesWaiting < PART) return;
        const part = this.#handOver();
        this.#waiting = [];
        this.#bytesWaiting = 0;
        this.#parts.push(await part);
    }

    #handOver() {
        return new Response(new Blob(this.#waiting)).blob();
    }

    /** Everything that was copied. */
    blob() {
        return new Blob([...this.#parts, ...this.#waiting]);
    }

    /**
     * @param {number} offset
     * @param {number} length
     * @returns {Promise<Uint8Array | null>} null beyond the end of the copy
     */
    async range(offset, length) {
        if (offset + length > this.#bytes) return null;
        return range(this.blob(), offset, length);
    }
}
