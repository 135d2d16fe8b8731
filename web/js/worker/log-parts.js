// Reads parts of a log again, and reports to the page those that cannot be read.

import { Overtaken } from "./driver.js";
import { ReadAhead } from "./read-ahead.js";
import { giveBack } from "./reading.js";
import { NotNow, Unreadable } from "./unreadable.js";

/** Parts of a file that are read at the same time: reading one is mostly waiting. */
const AT_ONCE = 16;

/** @typedef {import("../../wasm/ghc-eventlog-wasm.js").Log} Log */

export class Parts {
    #log;
    #source;
    #tell;
    #isClosed;
    /** The troubles that the page has because of parts that cannot be had now. @type {Set<string>} */
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
     * A reader of any part of the log, many at the same time.
     * @param {() => boolean} isOver
     * @returns {import("./driver.js").Reader}
     */
    reader(isOver) {
        return { atOnce: AT_ONCE, part: (offset, length, isOver) => this.part(offset, length, isOver), free: giveBack, isOver };
    }

    /**
     * A reader of parts one after the other, most of which follow each other in the file; reading on meanwhile, unless that would ask a
     * server.
     * @returns {import("./driver.js").InTurn}
     */
    ahead() {
        /** @type {import("./read-ahead.js").Readable["range"]} */
        const range = (offset, length) => this.part(offset, length, this.#isClosed);
        const from = this.#source.from?.bind(this.#source);
        if (!from) return { part: range, end: async () => {} };
        return new ReadAhead({ size: this.#log.status().offset, from, range });
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
        // The file has become shorter: asking again would not help.
        throw new DOMException("it is too short", "NotReadableError");
    }

    /**
     * Reports to the page why something could not be done, unless its result is no longer wanted.
     * @param {unknown} error
     */
    failed(error) {
        if (error instanceof Overtaken || this.#isClosed()) return;
        if (error instanceof NotNow) this.#missing.add(error.message);
        this.#tell("trouble", reasonOf(error, this.#log));
    }

    /** A part has come: takes the troubles back that said it could not. */
    #came() {
        for (const text of this.#missing) this.#tell("solved", text);
        this.#missing.clear();
    }
}

/**
 * Why a file cannot be read. Browsers do not say the reason: changed, removed and forbidden look alike.
 * @param {unknown} error
 * @param {Log | null} log null if it is closed
 */
export function reasonOf(error, log) {
    if (error instanceof Unreadable) return error.message;
    // After a failure in wasm, the log cannot be asked anything.
    if (!(error instanceof DOMException)) throw error;
    const offset = log ? log.status().offset : 0;
    return `the file was changed or removed after it was opened (${error.name}); it could be read up to byte ${offset}. Open it again to see all of it`;
}
