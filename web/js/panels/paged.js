// The rows of a table in pages: the page keeps a few of them, those near the view. It asks for them one question after the other, so that
// after scrolling through thousands of rows only those in view at the end are asked for.

/** @typedef {import("../protocol.js").EventsPage} EventsPage */
/** @typedef {import("../protocol.js").TablePage} TablePage */
/** @typedef {import("../protocol.js").Value} Value */
/** @typedef {import("../wishes.js").Within} Within */
/** @typedef {{ sort: string, down: boolean, filter: string, query: string, within: Within | null, from: number, count: number }} Question */
/** @typedef {Pick<TablePage, "rows" | "times" | "tracks" | "found" | "kept" | "of"> & Partial<Pick<EventsPage, "columns" | "complete">>} RowsPage */
/**
 * @typedef {{ values: Value[], time: number | null, track: number | null }} Row `time` and `track`: where the timeline goes when the row is
 *     chosen
 */

/**
 * @typedef {object} Page
 * @property {Row[]} rows
 * @property {number} order the number of the order that the rows are in
 * @property {number} age the table's age when the page was asked for
 */

/** Rows in a page. */
export const PAGE = 64;
/** Most pages in one question. */
const AT_ONCE = 8;
/** Most pages that are kept. */
const MOST_PAGES = 64;
/** Rows in one question when all of them are wanted. */
const ALL_AT_ONCE = 1024;

export class PagedRows {
    #ask;
    /** The pages, in the order in which they were last wanted. @type {Map<number, Page>} */
    #pages = new Map();
    /** Counts the changes of `sort`, `filter` and `within`. */
    #order = 0;
    /** The order that is shown. */
    #shown = 0;
    /** Counts the times that the table may have grown. */
    #age = 0;
    /** The pages in view: the first one, and the one after the last. */
    #wanted = { first: 0, end: 0 };
    #asking = false;
    /** Whether the rows are not shown. */
    #rests = true;
    /** The number of first rows to keep at hand, shown or not. */
    #held = 0;

    /** The column that the rows are sorted by; empty for the table's own order. */
    sort = "";
    down = false;
    filter = "";
    /** What the events of a listing must fit. */
    query = "";
    /** The columns, where they depend on what is chosen. @type {import("../protocol.js").Column[] | null} */
    columns = null;
    /** Whether no more rows will be found. */
    complete = true;
    /** How many rows there are at least, while they are counted. @type {number | null} */
    atLeast = null;
    /** Only rows with such a value in a column. @type {Within | null} */
    within = null;
    /** The number of rows that pass the filter. */
    found;
    /** The number of rows of the table. */
    kept;
    /** The number of rows in the log; the table may have dropped some. */
    of;

    /** Where the user was in them when another table was shown. */
    left = { scrolled: 0, row: 0, chosen: -1 };

    /** Called when more rows are there. */
    changed = () => {};
    /** Called when `within` changes. */
    narrowed = () => {};

    /**
     * @param {number} rows the number of rows, as far as known
     * @param {(question: Question) => Promise<RowsPage | null>} ask
     */
    constructor(rows, ask) {
        this.found = this.kept = this.of = rows;
        this.#ask = ask;
    }

    /** Whether the shown rows are sorted and filtered as wanted. */
    get isOrdered() {
        return this.#shown === this.#order;
    }

    /** Whether all rows in view are from the table as it is now. */
    get isFresh() {
        return this.#missingInView() === null;
    }

    /**
     * @param {number} at
     * @returns {Row | undefined} undefined if it has not come yet
     */
    row(at) {
        return this.#pages.get(Math.floor(at / PAGE))?.rows[at % PAGE];
    }

    /**
     * Sets the rows in view.
     * @param {number} first
     * @param {number} end after the last one
     */
    want(first, end) {
        this.#wanted = { first: Math.floor(first / PAGE), end: Math.ceil(end / PAGE) };
        this.#rests = false;
        void this.#askOn();
    }

    /** The rows are no longer shown: asks only for those of `hold`, until rows are in view again. */
    rest() {
        this.#rests = true;
    }

    /**
     * Keeps the first rows at hand, whether they are shown or not. They are asked for after all rows in view.
     * @param {number} count
     */
    hold(count) {
        this.#held = count;
        void this.#askOn();
    }

    /** The rows will not be shown again. */
    end() {
        this.rest();
        this.hold(0);
        this.changed = () => {};
    }

    /** The table may have grown: the shown rows stay until the new ones come. */
    outdate() {
        this.#age += 1;
        this.changed();
        void this.#askOn();
    }

    /**
     * @param {string} sort
     * @param {boolean} down
     */
    sortBy(sort, down) {
        this.sort = sort;
        this.down = down;
        this.#reorder();
    }

    /** @param {string} filter */
    search(filter) {
        if (filter === this.filter) return;
        this.filter = filter;
        this.#reorder();
    }

    /** @param {string} query what the events of a listing must fit */
    find(query) {
        if (query === this.query) return;
        this.query = query;
        this.#reorder();
    }

    /** @param {Within | null} within */
    narrow(within) {
        this.within = within;
        this.#reorder();
        this.changed();
        this.narrowed();
    }

    /**
     * All rows that pass the filter, in order, one part at a time.
     * @param {number} most the number of rows, at most
     * @returns {AsyncGenerator<Row[]>} ends early if the log was closed
     */
    async *all(most) {
        const { sort, down, filter, query, within } = this;
        for (let from = 0; from < most; ) {
            const count = Math.min(most - from, ALL_AT_ONCE);
            const page = await this.#ask({ sort, down, filter, query, within, from, count });
            if (!page || page.rows.length === 0) return;
            yield rowsOf(page);
            from += page.rows.length;
        }
    }

    #reorder() {
        this.#order += 1;
        void this.#askOn();
    }

    async #askOn() {
        if (this.#asking) return;
        this.#asking = true;
        try {
            for (let missing = this.#missing(); missing; missing = this.#missing()) {
                if (!(await this.#askFor(missing.first, missing.end))) return;
                this.changed();
            }
        } finally {
            this.#asking = false;
        }
    }

    /** The pages to ask for next. */
    #missing() {
        return (this.#rests ? null : this.#missingInView()) ?? this.#missingOf({ first: 0, end: this.#heldPages });
    }

    get #heldPages() {
        // Only an answer shows how many rows there are now.
        return this.#held > 0 ? Math.max(Math.ceil(Math.min(this.#held, this.found) / PAGE), 1) : 0;
    }

    #missingInView() {
        const { first, end } = this.#wanted;
        // If no row is in view, ask for one to see whether there are any.
        return this.#missingOf({ first, end: Math.max(end, first + 1) });
    }

    /**
     * The first pages in a stretch that are missing or outdated.
     * @param {{ first: number, end: number }} pages
     */
    #missingOf({ first, end }) {
        const isMissing = (/** @type {number} */ at) => at < end && !this.#isGood(this.#pages.get(at));
        let from = first;
        while (from < end && !isMissing(from)) from++;
        if (!isMissing(from)) return null;
        let to = from;
        while (to < from + AT_ONCE && isMissing(to)) to++;
        return { first: from, end: to };
    }

    /** @param {Page | undefined} page */
    #isGood(page) {
        return page?.order === this.#order && page.age === this.#age;
    }

    /**
     * @param {number} first
     * @param {number} end
     * @returns {Promise<boolean>} whether the log can still be asked
     */
    async #askFor(first, end) {
        const [order, age] = [this.#order, this.#age];
        const { sort, down, filter, query, within } = this;
        const answer = await this.#ask({ sort, down, filter, query, within, from: first * PAGE, count: (end - first) * PAGE });
        if (!answer) return false;
        // The order has changed meanwhile.
        if (order !== this.#order) return true;
        this.#shown = order;
        ({ found: this.found, kept: this.kept, of: this.of, columns: this.columns = null, complete: this.complete = true } = answer);
        // The rows in view may lie beyond the last row: a table can become shorter.
        this.#wanted.end = Math.min(this.#wanted.end, Math.ceil(this.found / PAGE));
        this.#wanted.first = Math.min(this.#wanted.first, Math.max(this.#wanted.end - 1, 0));
        this.#keep(rowsOf(answer), first, end, { order, age });
        return true;
    }

    /**
     * @param {Row[]} rows
     * @param {number} first
     * @param {number} end
     * @param {{ order: number, age: number }} asked
     */
    #keep(rows, first, end, asked) {
        for (const [at, { order }] of this.#pages) {
            // Rows of two orders are never mixed.
            if (order !== asked.order || at * PAGE >= this.found) this.#pages.delete(at);
        }
        for (let at = first; at < end; at++) {
            const from = (at - first) * PAGE;
            this.#pages.delete(at);
            this.#pages.set(at, { rows: rows.slice(from, from + PAGE), ...asked });
        }
        for (const at of this.#pages.keys()) {
            if (this.#pages.size <= MOST_PAGES) break;
            this.#pages.delete(at);
        }
    }
}

/**
 * @param {RowsPage} page
 * @returns {Row[]}
 */
function rowsOf({ rows, times, tracks }) {
    return rows.map((values, at) => ({ values, time: times[at] ?? null, track: tracks[at] ?? null }));
}
