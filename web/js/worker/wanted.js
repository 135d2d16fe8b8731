// A log that the page wants open, from `open` until `close`: also while it is requested from a server, and while the user is asked about
// it.

import { Arrangement, Log } from "../../wasm/ghc-eventlog-wasm.js";
import { example } from "./example.js";
import { Opening } from "./opening.js";
import { load } from "./remote.js";
import { sourceOf } from "./source.js";
import { Unreadable } from "./unreadable.js";

/** @typedef {import("../protocol.js").Events} Events */

/** Reports to the page about the log. @typedef {<K extends keyof Events>(kind: K, body: Events[K]) => void} Tell */

export class WantedLog {
    #tell;
    #ready;
    #broken;
    #control = new AbortController();
    /** The logs of an archive that the user may choose from. @type {import("./source.js").List | null} */
    #list = null;
    /** Resolves the promise of the user's choice or consent. */
    #chosen = (/** @type {number} */ _entry) => {};
    #allowed = () => {};
    /** Null until its first bytes come. @type {Opening | null} */
    opening = null;

    /**
     * @param {Tell} tell
     * @param {Promise<unknown>} ready resolves when the wasm is there
     * @param {(error: unknown) => void} broken gets errors that are not the log's fault
     */
    constructor(tell, ready, broken) {
        this.#tell = tell;
        this.#ready = ready;
        this.#broken = broken;
    }

    get #isClosed() {
        return this.#control.signal.aborted;
    }

    /** @param {import("../wishes.js").Origin} origin */
    async open(origin) {
        try {
            await this.#ready;
            const source = this.#isClosed ? null : await this.#sourceOf(origin);
            if (!source || this.#isClosed) return;
            const log = new Log(source.packed ? undefined : source.size || undefined);
            this.opening = new Opening({ name: nameOf(origin), source }, { log, arrangement: new Arrangement() }, this.#tell);
            await this.opening.read();
        } catch (error) {
            if (this.#isClosed) return;
            this.#control.abort();
            if (error instanceof Unreadable) this.#tell("failed", error.message);
            else this.#broken(error);
        }
    }

    /**
     * @param {import("../wishes.js").Origin} origin
     * @returns {Promise<import("./source.js").Source | null>} null if it is no longer wanted
     */
    async #sourceOf(origin) {
        const come = await this.#bytesOf(origin);
        return come instanceof Blob
            ? sourceOf(
                  come,
                  (list) => this.#choice(list),
                  () => !this.#isClosed,
              )
            : come;
    }

    /** @param {import("../wishes.js").Origin} origin */
    #bytesOf(origin) {
        if ("file" in origin) return origin.file;
        if ("example" in origin) return example();
        return load(origin, this.#control.signal, (question) => this.#consent(question), this.#tell);
    }

    /**
     * Lets the user choose one of an archive's logs.
     * @param {import("./source.js").List} list
     * @returns {Promise<number>}
     */
    #choice(list) {
        this.#list = list;
        this.#tell("choose", list(""));
        return new Promise((chosen) => (this.#chosen = chosen));
    }

    /** @param {number} entry of the archive */
    choose(entry) {
        this.#chosen(entry);
    }

    /** @param {string} text to find in the names of the logs */
    filter(text) {
        if (this.#list) this.#tell("choose", this.#list(text));
    }

    /** Asks the user.
     * @param {import("../protocol.js").Question} question
     * @returns {Promise<void>} resolves when the user agrees
     */
    #consent(question) {
        this.#tell("consent", question);
        return new Promise((allowed) => (this.#allowed = allowed));
    }

    /** The user agrees to the last question. */
    allow() {
        this.#allowed();
    }

    close() {
        this.#control.abort();
        this.#list = null;
        this.opening?.close();
    }
}

/** @param {import("../wishes.js").Origin} origin */
function nameOf(origin) {
    if ("file" in origin) return origin.file.name;
    return "example" in origin ? "example.eventlog" : origin.name;
}
