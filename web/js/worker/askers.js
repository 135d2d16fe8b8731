// The newest question of each asker about a log: only that one is still wanted. See `ASKERS` in protocol.js.

export class Askers {
    /** @type {Map<string, object>} */
    #newest = new Map();

    /**
     * A new question replaces the asker's older one.
     * @param {string | undefined} asker if undefined, the question replaces none
     * @returns {() => boolean} whether the answer is no longer wanted
     */
    begin(asker) {
        if (asker === undefined) return () => false;
        const mine = {};
        this.#newest.set(asker, mine);
        return () => this.#newest.get(asker) !== mine;
    }

    /**
     * The asker no longer wants its answer.
     * @param {string} asker
     */
    giveUp(asker) {
        this.#newest.delete(asker);
    }
}
