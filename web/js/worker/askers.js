// Who asks about a log, and which question of each is still wanted: the newest one. See `ASKERS` in protocol.js.

export class Askers {
    /** @type {Map<string, object>} */
    #newest = new Map();

    /**
     * A new question takes the place of the asker's older one.
     * @param {string | undefined} asker none of whose questions ends another one, if it is undefined
     * @returns {() => boolean} whether the answer is not wanted any more
     */
    begin(asker) {
        if (asker === undefined) return () => false;
        const mine = {};
        this.#newest.set(asker, mine);
        return () => this.#newest.get(asker) !== mine;
    }

    /**
     * The answer to the asker's question is not wanted any more.
     * @param {string} asker
     */
    giveUp(asker) {
        this.#newest.delete(asker);
    }
}
