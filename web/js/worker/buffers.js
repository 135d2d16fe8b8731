// The buffers that a file is read into: front to back, by this worker or the second one, and part by part.

/** Bytes of a buffer: Chromium never has more of a stream at hand. */
export const PIECE = 2 << 20;

/** How many buffers are filled, on their way, or in use. */
export const BUFFERS = 3;

/** Bytes of the buffers that wait for their next part, at most. */
const KEPT = 8 << 20;

/** Bytes of the longest buffer that waits: few parts are longer. */
const LONGEST = PIECE;

/**
 * Buffers for parts of a file. A new one for each part would stay until the browser collects it, which it does late, since what it
 * collects for itself is small (measured: 69 MB of them after 50 jumps).
 */
export class Buffers {
    /** Those that wait, the last one that came back last. @type {ArrayBuffer[]} */
    #waiting = [];
    #bytes = 0;
    /** Those that are in use. @type {WeakSet<ArrayBufferLike>} */
    #lent = new WeakSet();
    /** Whether what comes back waits for a next part. */
    #waits = true;

    /**
     * @param {number} length bytes that are needed
     * @returns {ArrayBuffer} of a power of two of bytes, so that it is of use for other parts, too, unless it will not wait for one
     */
    take(length) {
        if (length > LONGEST) return new ArrayBuffer(length);
        const size = 2 ** Math.ceil(Math.log2(Math.max(length, 1)));
        const at = this.#waiting.findLastIndex(({ byteLength }) => byteLength === size);
        if (at < 0) return new ArrayBuffer(size);
        this.#bytes -= size;
        return /** @type {ArrayBuffer} */ (this.#waiting.splice(at, 1)[0]);
    }

    /**
     * Notes that a buffer is in use. It is not the object that was taken any more: each read of a stream gives the buffer back as a new one.
     * @template {Uint8Array<ArrayBuffer>} Bytes
     * @param {Bytes} bytes in the buffer
     */
    lend(bytes) {
        this.#lent.add(bytes.buffer);
        return bytes;
    }

    /**
     * Takes a buffer back whose bytes nobody needs any more. What was not lent is left alone.
     * @param {Uint8Array} bytes in the buffer
     */
    giveBack({ buffer }) {
        if (!this.#lent.delete(buffer)) return;
        if (buffer.byteLength > LONGEST || !this.#waits) return;
        this.#waiting.push(/** @type {ArrayBuffer} */ (buffer));
        this.#bytes += buffer.byteLength;
        // The ones that have waited longest: other sizes are in use now.
        while (this.#bytes > KEPT) this.#bytes -= this.#waiting.shift()?.byteLength ?? 0;
    }

    /** @param {boolean} waits whether there will be a next part; if not, nothing is kept for it */
    keep(waits) {
        this.#waits = waits;
        if (waits) return;
        this.#waiting = [];
        this.#bytes = 0;
    }
}
