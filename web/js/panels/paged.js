// The rows of a table as the page has them: a few pages, those near what is in view. They are asked for one question after the
// other, so that whoever scrolls through thousands of rows asks for those where they come to rest.

/** @typedef {import("../protocol.js").TablePage} TablePage */
/** @typedef {import("../protocol.js").Value} Value */
/** @typedef {import("../protocol.js").Within} Within */
/** @typedef {{ sort: string, down: boolean, filter: string, within: Within | null, from: number, count: number }} Question */
/** @typedef {{ values: Value[], time: number | null, track: number | null }} Row `time` and `track`: where it goes when it is chosen */

/**
 * @typedef {object} Page
 * @property {Row[]} rows
 * @property {number} order in which order it is
 * @property {number} age of the table when it was asked for
 */

/** Rows in a page. */
export const PAGE = 64;
/** Pages that one question asks for at most. */
const AT_ONCE = 8;
/** Pages that are kept. */
const MOST_PAGES = 64;
/** Rows that one question asks for when all of them are wanted. */
const ALL_AT_ONCE = 1024;

export class PagedRows {
    #ask;
    /** In the order in which they were last wanted. @type {Map<number, Page>} */
    #pages = new Map();
    /** Counts what `sort`, `filter` and `within` have been. */
    #order = 0;
    /** The one that is shown. */
    #shown = 0;
    /** Counts how often the table may have grown. */
    #age = 0;
    /** The pages in view: the first one, and the one after the last. */
    #wanted = { first: 0, end: 0 };
    #asking = false;
    /** Whether nobody sees them. */
    #rests = true;
    /** How many of the first rows are to be at hand, seen or not. */
    #held = 0;

    /** By which column the rows are sorted; the table's own order if by none. */
    sort = "";
    down = false;
    filter = "";
    /** What they have in a column. @type {Within | null} */
    within = null;
    /** How many rows pass the filter. */
    found;
    /** How many rows there are. */
    kept;
    /** How many there were in the log. */
    of;

    /** Where those who read them were when they turned to another table. */
    left = { scrolled: 0, row: 0, chosen: -1 };

    /** Is called when there is more to show. */
    changed = () => {};
    /** Is called when `within` is another. */
    narrowed = () => {};

    /**
     * @param {number} rows how many there are, as far as that is known
     * @param {(question: Question) => Promise<TablePage | null>} ask
     */
    constructor(rows, ask) {
        this.found = this.kept = this.of = rows;
        this.#ask = ask;
    }

    /** Whether what is shown is sorted and filtered as is wanted. */
    get isOrdered() {
        return this.#shown === this.#order;
    }

    /** Whether all that is in view is as the table is now. */
    get isFresh() {
        return this.#missingInView() === null;
    }

    /**
     * @param {number} at
     * @returns {Row | undefined} none if it is not there yet
     */
    row(at) {
        return this.#pages.get(Math.floor(at / PAGE))?.rows[at % PAGE];
    }

    /**
     * From now on, these rows are in view.
     * @param {number} first
     * @param {number} end after the last one
     */
    want(first, end) {
        this.#wanted = { first: Math.floor(first / PAGE), end: Math.ceil(end / PAGE) };
        this.#rests = false;
        void this.#askOn();
    }

    /** Nobody sees them: none are asked for until some are wanted again, but those that are held. */
    rest() {
        this.#rests = true;
    }

    /**
     * From now on, the first rows are at hand whether they are seen or not, as soon as all is there that is seen.
     * @param {number} count
     */
    hold(count) {
        this.#held = count;
        void this.#askOn();
    }

    /** There is nobody any more who could show them. */
    end() {
        this.rest();
        this.hold(0);
        this.changed = () => {};
    }

    /** The table may have grown: what is shown stays until it is known anew. */
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

    /** @param {Within | null} within */
    narrow(within) {
        this.within = within;
        this.#reorder();
        this.changed();
        this.narrowed();
    }

    /**
     * All rows that pass the filter, in their order, a part at a time.
     * @param {number} most how many
     * @returns {AsyncGenerator<Row[]>} ends early if there is nobody left to answer
     */
    async *all(most) {
        const { sort, down, filter, within } = this;
        for (let from = 0; from < most; ) {
            const count = Math.min(most - from, ALL_AT_ONCE);
            const page = await this.#ask({ sort, down, filter, within, from, count });
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
        // How many rows there are now, only an answer tells.
        return this.#held > 0 ? Math.max(Math.ceil(Math.min(this.#held, this.found) / PAGE), 1) : 0;
    }

    #missingInView() {
        const { first, end } = this.#wanted;
        // Without any row in view, it is to be found out whether there are any.
        return this.#missingOf({ first, end: Math.max(end, first + 1) });
    }

    /**
     * The first pages of some that are not as they should be.
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
     * @returns {Promise<boolean>} whether there is anybody to ask
     */
    async #askFor(first, end) {
        const [order, age] = [this.#order, this.#age];
        const { sort, down, filter, within } = this;
        const answer = await this.#ask({ sort, down, filter, within, from: first * PAGE, count: (end - first) * PAGE });
        if (!answer) return false;
        // In an order that nobody wants any more.
        if (order !== this.#order) return true;
        this.#shown = order;
        ({ found: this.found, kept: this.kept, of: this.of } = answer);
        // What is in view may be asked for beyond the last row: a table can become shorter.
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
            // Rows of two orders are never shown side by side.
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
 * @param {TablePage} page
 * @returns {Row[]}
 */
function rowsOf({ rows, times, tracks }) {
    return rows.map((values, at) => ({ values, time: times[at] ?? null, track: tracks[at] ?? null }));
}
