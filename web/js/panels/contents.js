// The contents of the drawer: the facts about one log at one time, and the rows of its tables.

import { PagedRows } from "./paged.js";
import { shownFacts } from "./range-or-whole.js";

/** @typedef {import("../state.js").LogState} LogState */
/** @typedef {import("../protocol.js").TableInfo} TableInfo */
/** @typedef {import("./paged.js").Question & { table: string, range: boolean }} TableQuestion */
/** @typedef {(question: TableQuestion) => Promise<import("./paged.js").RowsPage | null>} AskTable
 *     asks for some rows of a table: of the whole log, or of the selected range */

/** Most rows of a table that are printed. */
export const PRINTED = 1000;

export class Contents {
    #ask;
    /** By the tables' keys. @type {Map<string, PagedRows>} */
    #rows = new Map();
    opening = 0;
    /** @type {LogState["log"]} */
    log = null;
    /** @type {LogState["totals"]} */
    totals = null;
    facts = shownFacts([], null);

    /** @param {AskTable} ask */
    constructor(ask) {
        this.#ask = ask;
    }

    /**
     * Another log is shown: drops everything about the last one.
     * @param {number} opening
     */
    begin(opening) {
        for (const rows of this.#rows.values()) rows.end();
        this.#rows.clear();
        this.opening = opening;
        this.#tell(null, null);
    }

    /**
     * Takes new facts: more of the log has been read, or another range is selected.
     * @param {Pick<LogState, "log" | "totals">} state
     * @returns {boolean} whether anything has changed
     */
    take({ log, totals }) {
        if (log === this.log && totals === this.totals) return false;
        this.#tell(log, totals);
        for (const rows of this.#rows.values()) {
            rows.hold(0);
            rows.outdate();
        }
        return true;
    }

    /**
     * @param {LogState["log"]} log
     * @param {LogState["totals"]} totals
     */
    #tell(log, totals) {
        this.log = log;
        this.totals = totals;
        this.facts = shownFacts(log?.facts.sections ?? [], totals?.facts.sections ?? null);
    }

    /**
     * Keeps at hand the rows that would be printed: a browser does not wait when it prints.
     * @param {TableInfo[]} tables
     */
    prepareForPaper(tables) {
        for (const table of tables) this.rowsOf(table).hold(PRINTED);
    }

    /**
     * The rows of a table; the same object each time.
     * @param {TableInfo} table
     */
    rowsOf({ key, rows, heaviest }) {
        const known = this.#rows.get(key);
        if (known) return known;
        const made = new PagedRows(rows, (question) => {
            const range = this.totals !== null && !this.facts.wholeTables.has(key);
            return this.#ask({ table: key, range, ...question });
        });
        if (heaviest) [made.sort, made.down] = [heaviest, true];
        this.#rows.set(key, made);
        return made;
    }
}
