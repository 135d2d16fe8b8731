// The log on the screen, whichever that is: for questions about what the user sees.

import { drop } from "./log-handle.js";

/** @typedef {import("./protocol.js").Questions} Questions */
/** @typedef {import("./protocol.js").Commands} Commands */

/**
 * @template {keyof Questions} K
 * @typedef {import("./protocol.js").Meanwhile<K>} Meanwhile
 */

export class ShownLog {
    #client;
    #store;

    /**
     * @param {import("./client.js").Client} client
     * @param {import("./store.js").Store<import("./state.js").State>} store
     */
    constructor(client, store) {
        this.#client = client;
        this.#store = store;
    }

    get #log() {
        return this.#client.of(this.#store.value.shown);
    }

    /**
     * @template {keyof Questions} K
     * @param {K} kind
     * @param {Questions[K]["ask"]} body
     * @param {(body: Meanwhile<K>) => void} [meanwhile] gets what comes before the answer
     * @returns {Promise<Questions[K]["answer"] | null>} also null if another log is shown by then
     */
    async ask(kind, body, meanwhile) {
        const log = this.#log;
        /** @type {(body: Meanwhile<K>) => void} */
        const say = (said) => (log === this.#log ? meanwhile?.(said) : drop(said));
        const answer = await log.ask(kind, body, say);
        if (log === this.#log) return answer;
        drop(answer);
        return null;
    }

    /**
     * @template {keyof Commands} K
     * @param {K} kind
     * @param {Commands[K]} body
     */
    send(kind, body) {
        this.#log.send(kind, body);
    }
}
