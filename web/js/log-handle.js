// The page's handle of an open log: sends questions and commands about it to the worker. `protocol.js` lists them.

import { ASKERS } from "./protocol.js";

/** @typedef {import("./protocol.js").Questions} Questions */
/** @typedef {import("./protocol.js").Commands} Commands */

/**
 * @template {keyof Questions} K
 * @typedef {import("./protocol.js").Meanwhile<K>} Meanwhile
 */

/**
 * @typedef {{ answer: (body: any) => void, meanwhile: ((body: any) => void) | undefined }} Waiting who gets the answer, and what comes
 *     before it
 */

export class LogHandle {
    #number;
    /** Posts to the worker; null once the log is closed. @type {((message: import("./protocol.js").ToWorker) => void) | null} */
    #post;
    /** The questions without an answer yet, by their numbers. @type {Map<number, Waiting>} */
    #waiting = new Map();
    /** The newest question of each asker. @type {Map<string, number>} */
    #newest = new Map();
    #lastId = 0;
    /** Whether the log is still being read. */
    isReading = true;

    /**
     * @param {number} number
     * @param {(message: import("./protocol.js").ToWorker) => void} post
     */
    constructor(number, post) {
        this.#number = number;
        this.#post = post;
    }

    /** Whether the worker is reading or has a question to answer. */
    get isBusy() {
        return this.isReading || this.#waiting.size > 0;
    }

    /**
     * @template {keyof Questions} K
     * @param {K} kind
     * @param {Questions[K]["ask"]} body
     * @param {(body: Meanwhile<K>) => void} [meanwhile] gets what comes before the answer
     * @returns {Promise<Questions[K]["answer"] | null>} null if the log is closed, if the answer is no longer wanted, or if there is none
     */
    ask(kind, body, meanwhile) {
        const post = this.#post;
        if (!post) return Promise.resolve(null);
        const id = ++this.#lastId;
        const asker = ASKERS[kind]?.(body);
        if (asker !== undefined) {
            this.#forget(asker);
            this.#newest.set(asker, id);
        }
        post(/** @type {import("./protocol.js").ToWorker} */ ({ kind, log: this.#number, id, body }));
        return new Promise((answer) => this.#waiting.set(id, { answer, meanwhile }));
    }

    /**
     * @template {keyof Commands} K
     * @param {K} kind
     * @param {Commands[K]} body
     */
    send(kind, body) {
        this.#post?.(/** @type {import("./protocol.js").ToWorker} */ ({ kind, log: this.#number, body }));
    }

    /**
     * The asker no longer wants its answer.
     * @param {string} asker
     */
    giveUp(asker) {
        this.#forget(asker);
        this.send("giveUp", asker);
    }

    /** @param {string} asker */
    #forget(asker) {
        const id = this.#newest.get(asker);
        if (id !== undefined) this.take("answer", id, null);
    }

    /**
     * Passes a message from the worker on to the question that waits for it.
     * @param {keyof import("./protocol.js").Answered} kind
     * @param {number} id the question's
     * @param {any} body
     */
    take(kind, id, body) {
        const waiting = this.#waiting.get(id);
        if (!waiting) return drop(body);
        if (kind === "answer") this.#waiting.delete(id);
        waiting[kind]?.(body);
    }

    /** The log is closed: nothing more comes from the worker. */
    end() {
        this.#post = null;
        for (const id of this.#waiting.keys()) this.take("answer", id, null);
    }
}

/**
 * Frees the memory of a picture that will not be shown.
 * @param {unknown} body of an answer that is no longer wanted
 */
export function drop(body) {
    if (body && typeof body === "object" && "image" in body) /** @type {ImageBitmap | null} */ (body.image)?.close();
}
