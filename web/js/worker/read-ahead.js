// Reading a file nearly from front to back, in parts that somebody else chooses: while one is used, what comes next in the file is read.

/** Bytes that are read at a time. */
const WINDOW = 4 << 20;

/** @typedef {(offset: number, length: number) => Promise<Uint8Array>} Read gives fewer bytes where the file ends */

export class ReadAhead {
    #read;
    #size;
    /** What has been read, or is being: this part of the file, and the next one. @type {{ from: number, bytes: Promise<Uint8Array> }[]} */
    #windows = [];

    /**
     * @param {Read} read
     * @param {number} size bytes of the file
     */
    constructor(read, size) {
        this.#read = read;
        this.#size = size;
    }

    /**
     * A part of the file, which holds until the next one is asked for.
     * @param {number} offset
     * @param {number} length
     * @returns {Promise<Uint8Array>} fewer bytes if there are no more
     */
    async part(offset, length) {
        const end = offset + length;
        const isBefore = this.#windows.length > 0 && end <= this.#windows[0].from;
        if (length > WINDOW || isBefore) return this.#read(offset, length);
        const at = this.#windows.findIndex(({ from }) => offset >= from && offset < from + WINDOW);
        if (at < 0) this.#windows = [this.#window(offset)];
        else this.#windows.splice(0, at);
        const next = this.#windows[0].from + WINDOW;
        if (this.#windows.length === 1 && next < this.#size) this.#windows.push(this.#window(next));
        const needed = this.#windows.filter(({ from }) => from < end);
        const parts = [];
        for (const { from, bytes } of needed) parts.push((await bytes).subarray(Math.max(offset - from, 0), end - from));
        return parts.length === 1 ? parts[0] : joined(parts);
    }

    /** @param {number} from */
    #window(from) {
        const bytes = this.#read(from, Math.min(WINDOW, this.#size - from));
        // One that nobody comes to must not count as unhandled.
        bytes.catch(() => {});
        return { from, bytes };
    }
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
    const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}
