// The parts of a log that are read again, for whoever needs them; and what the page is told of those that cannot be read.

import { Overtaken } from "./driver.js";
import { giveBack } from "./reading.js";
import { NotNow, Unreadable } from "./unreadable.js";

/** Parts of a file that are read at the same time: most of the time that one takes is spent waiting for it. */
const AT_ONCE = 16;

/** @typedef {import("../../wasm/ghc-eventlog-wasm.js").Log} Log */

export class Parts {
    #log;
    #source;
    #tell;
    #isClosed;
    /** What the page was told of parts of the log that it cannot have now. @type {Set<string>} */
    #missing = new Set();

    /**
     * @param {Log} log
     * @param {import("./source.js").Source} source
     * @param {import("./wanted.js").Tell} tell
     * @param {() => boolean} isClosed
     */
    constructor(log, source, tell, isClosed) {
        this.#log = log;
        this.#source = source;
        this.#tell = tell;
        this.#isClosed = isClosed;
    }

    /**
     * Reads any part of the log, many at the same time.
     * @param {() => boolean} isOver
     * @returns {import("./driver.js").Reader}
     */
    reader(isOver) {
        return { atOnce: AT_ONCE, part: (offset, length, isOver) => this.part(offset, length, isOver), free: giveBack, isOver };
    }

    /**
     * @param {number} offset
     * @param {number} length
     * @param {() => boolean} isOver
     */
    async part(offset, length, isOver) {
        const bytes = await this.#source.range(offset, length, isOver);
        if (!this.#isClosed() && bytes.length >= length) this.#came();
        if (isOver()) {
            giveBack(bytes);
            throw new Overtaken();
        }
        if (bytes.length >= length) return bytes;
        giveBack(bytes);
        // Asking again would ask for the same: the file has become shorter.
        throw new DOMException("it is too short", "NotReadableError");
    }

    /**
     * Tells the page why something could not be done, if there is somebody who waits for it.
     * @param {unknown} error
     */
    failed(error) {
        if (error instanceof Overtaken || this.#isClosed()) return;
        if (error instanceof NotNow) this.#missing.add(error.message);
        this.#tell("trouble", reasonOf(error, this.#log));
    }

    /** A part has come: the page need not say any more that it could not. */
    #came() {
        for (const text of this.#missing) this.#tell("solved", text);
        this.#missing.clear();
    }
}

/**
 * Why a file cannot be read. Browsers tell no more than that it cannot: changed, removed and forbidden look alike.
 * @param {unknown} error
 * @param {Log | null} log as far as it has been read; null if it is closed
 */
export function reasonOf(error, log) {
    if (error instanceof Unreadable) return error.message;
    // After a failure in wasm, nothing can be asked of that.
    if (!(error instanceof DOMException)) throw error;
    const offset = log ? log.status().offset : 0;
    return `the file was changed or removed after it was opened (${error.name}); it could be read up to byte ${offset}. Open it again to see all of it`;
}
