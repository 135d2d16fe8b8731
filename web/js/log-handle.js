// A log as the page has it: what is asked of it, and told to the worker about it. Which questions there are, `protocol.js` says.

import { ASKERS } from "./protocol.js";

/** @typedef {import("./protocol.js").Questions} Questions */
/** @typedef {import("./protocol.js").Commands} Commands */

/**
 * @template {keyof Questions} K
 * @typedef {import("./protocol.js").Meanwhile<K>} Meanwhile
 */

/** @typedef {{ answer: (body: any) => void, meanwhile: ((body: any) => void) | undefined }} Waiting for an answer, and for what is said before */

export class LogHandle {
    #number;
    /** Posts to the worker; null once the log is closed. @type {((message: import("./protocol.js").ToWorker) => void) | null} */
    #post;
    /** The questions that have no answer yet, by their numbers. @type {Map<number, Waiting>} */
    #waiting = new Map();
    /** The newest question of each asker. @type {Map<string, number>} */
    #newest = new Map();
    #lastId = 0;
    /** Whether it has not been read so far. */
    isReading = true;

    /**
     * @param {number} number
     * @param {(message: import("./protocol.js").ToWorker) => void} post
     */
    constructor(number, post) {
        this.#number = number;
        this.#post = post;
    }

    /** Whether the worker owes something. */
    get isBusy() {
        return this.isReading || this.#waiting.size > 0;
    }

    /**
     * @template {keyof Questions} K
     * @param {K} kind
     * @param {Questions[K]["ask"]} body
     * @param {(body: Meanwhile<K>) => void} [meanwhile] is told what is said before the answer is there
     * @returns {Promise<Questions[K]["answer"] | null>} null if the log is closed, if the answer is not wanted any more, or if there is none
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
     * The answer to an asker's question is not wanted any more.
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
     * Something has come from the worker: for whoever still waits for it.
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

    /** The log is closed: nothing more comes of it. */
    end() {
        this.#post = null;
        for (const id of this.#waiting.keys()) this.take("answer", id, null);
    }
}

/**
 * Gives back the memory of a picture that nobody will see.
 * @param {unknown} body of an answer that is not wanted
 */
export function drop(body) {
    if (body && typeof body === "object" && "image" in body) /** @type {ImageBitmap | null} */ (body.image)?.close();
}
