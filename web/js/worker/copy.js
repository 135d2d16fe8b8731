// A copy of a log that was unpacked, or that has come from a server, for reading it again at any place.
//
// It is handed to the browser piece by piece, as a response's blob: Chromium keeps those in a process of its own and on disk,
// Firefox in temporary files, neither in the page's memory (measured: 1 GiB adds 50 and 7 MB to the page). Checkpoints of the
// decoder would do without, but cost 44 KiB each for gzip and megabytes each for zstd, and neither the browser's decoder nor
// the zstd library can be set back to one.

import { range } from "./reading.js";

/** Bytes handed over at a time: less would be kept in the page. */
const PART = 16 << 20;

export class Copy {
    /** Bytes copied at most: what a disk can be asked for. */
    static LIMIT = 4 * 2 ** 30;

    /** @type {Blob[]} */
    #parts = [];
    /** @type {Uint8Array<ArrayBuffer>[]} */
    #waiting = [];
    #bytesWaiting = 0;
    #bytes = 0;

    /** @param {Uint8Array} piece is copied: it may change afterwards */
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

    /** All that was copied. */
    blob() {
        return new Blob([...this.#parts, ...this.#waiting]);
    }

    /**
     * @param {number} offset
     * @param {number} length
     * @returns {Promise<Uint8Array | null>} null where nothing was copied any more
     */
    async range(offset, length) {
        if (offset + length > this.#bytes) return null;
        return range(this.blob(), offset, length);
    }
}
