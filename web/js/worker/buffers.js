// The buffers that a file is read into: front to back, by this worker or the second one; or part by part.

/** Bytes of a buffer: Chromium never gives more of a stream at a time. */
export const PIECE = 2 << 20;

/** How many buffers are filled, on their way, or in use. */
export const BUFFERS = 3;

/** Most bytes of all buffers that wait for another part. */
const KEPT = 8 << 20;

/** Longer buffers do not wait: few parts are that long. */
const LONGEST = PIECE;

/**
 * Buffers for parts of a file. A new buffer for each part would stay until the browser collects it as garbage. That happens late, since the
 * JavaScript object is small (measured: 69 MB of them after 50 jumps).
 */
export class Buffers {
    /** Buffers that wait; the one that came back last is last. @type {ArrayBuffer[]} */
    #waiting = [];
    #bytes = 0;
    /** Buffers in use. @type {WeakSet<ArrayBufferLike>} */
    #lent = new WeakSet();
    /** Whether buffers that come back wait for another part. */
    #waits = true;

    /**
     * @param {number} length bytes that are needed
     * @returns {ArrayBuffer} its length is a power of two, so that it fits other parts, too; unless buffers do not wait for those
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
     * Notes that a buffer is in use. It is no longer the object that was taken: each read of a stream gives the buffer back as a new
     * object.
     * @template {Uint8Array<ArrayBuffer>} Bytes
     * @param {Bytes} bytes in the buffer
     */
    lend(bytes) {
        this.#lent.add(bytes.buffer);
        return bytes;
    }

    /**
     * Takes back a buffer whose bytes are no longer needed. A buffer that was not lent is left alone.
     * @param {Uint8Array} bytes in the buffer
     */
    giveBack({ buffer }) {
        if (!this.#lent.delete(buffer)) return;
        if (buffer.byteLength > LONGEST || !this.#waits) return;
        this.#waiting.push(/** @type {ArrayBuffer} */ (buffer));
        this.#bytes += buffer.byteLength;
        // Drops those that have waited longest: other sizes are in use now.
        while (this.#bytes > KEPT) this.#bytes -= this.#waiting.shift()?.byteLength ?? 0;
    }

    /** @param {boolean} waits whether another part may follow; if not, no buffer is kept */
    keep(waits) {
        this.#waits = waits;
        if (waits) return;
        this.#waiting = [];
        this.#bytes = 0;
    }
}
