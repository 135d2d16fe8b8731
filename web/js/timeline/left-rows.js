// How the rows of a log were left when another log was shown, and how the other log's rows begin.

/** @typedef {import("../folds.js").Folds} Folds */
/** @typedef {{ number: number, program: string, top: number, folds: Folds }} Left */

/** Remembers the rows of two logs: the one that is laid out, and the one before, to which Cancel may return. */
export class LeftRows {
    /** @type {Left} */
    #laidOut = { number: 0, program: "", top: 0, folds: {} };
    /** @type {Left | null} */
    #before = null;
    /** The folds in a link to a log that is not on the screen yet. @type {{ url: string, folds: Folds } | null} */
    #linked = null;

    /**
     * A link leads to another log, and says what is folded there.
     * @param {string} url the log's, as in the link
     * @param {Folds | null} folds null if the link says nothing of that
     */
    link(url, folds) {
        this.#linked = folds && { url, folds };
    }

    /**
     * Another log begins at its top; one of another program also with its own folds, since what was folded or unfolded may not fit it. The
     * log that Cancel returns to is as it was left, and one that a link led to is as the link says.
     * @param {Pick<import("../state.js").LogState, "number" | "log" | "file">} shown
     * @param {() => { top: number, folds: Folds }} leave says how the rows are now
     * @returns {{ top: number, folds: Folds | null } | null} how to show them; null if it is the same log. `folds` is null if they stay
     */
    turn({ number, log, file }, leave) {
        const last = this.#laidOut;
        if (number === last.number || !log) return null;
        const left = { ...last, ...leave() };
        const program = log.process.args[0] ?? log.name;
        const now = this.#before?.number === number ? this.#before : { number, program, top: 0, folds: {} };
        // What the page remembers is for its first log.
        const isOther = left.number > 0 && program !== left.program;
        const linked = this.#linked?.url === file?.url ? this.#linked : null;
        const folds = linked?.folds ?? (now === this.#before || isOther ? now.folds : null);
        this.#linked = null;
        this.#before = left;
        this.#laidOut = now;
        return { top: now.top, folds };
    }
}
