// A table of any length: only the rows in view have elements, and the worker is asked for them in pages. Its heads sort it, a text filters
// it, keys move in it, and it can be copied into a spreadsheet.

import { html, nothing } from "lit";
import { Filter } from "./filter.js";
import { choicesPart } from "./choices.js";
import { Part } from "./part.js";
import { PRINTED } from "./contents.js";
import { Sizes } from "./sizes.js";
import { aboutColumn } from "../explained.js";
import { SOURCE, headCell, tableRow } from "./cells.js";
import { NO_LINKS } from "../sources/link.js";
import { followSource, linkOffer } from "../sources/part.js";
import { copyRows } from "./copying.js";
import { heightOf, inView, rowAfter, showing } from "./scroll.js";
import { count, valuesText } from "../format.js";
import { counted } from "../words.js";
import { Times } from "../times.js";
import { WHOLE_LOG } from "./range-or-whole.js";

/** @typedef {import("../protocol.js").TableInfo} TableInfo */
/** @typedef {import("./paged.js").PagedRows} PagedRows */

/**
 * What a table can do to the rest of the viewer.
 * @typedef {object} TableActs
 * @property {(time: number, track?: number) => void} goTo shows a time, and selects what the track has there
 * @property {(from: number, to: number, track?: number) => void} showLife shows all of what lasts from one time to another, or its part in
 *     the selected range, and selects what the track has at its begin
 * @property {(one: number, other: number) => void} between selects the time between two moments
 * @property {((time: number, track?: number) => void) | null} link copies a link to a time and what the track has there; null where there
 *     are no links
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {() => void} setSources lets the user set where places in the source lead
 * @property {(row: import("./paged.js").Row) => void} [chosen] hears of a row with a time that is chosen
 * @property {(table: string, row: string) => void} pick shows the details of a row, given its first value
 */

/** The column that says when what a row is about was over; it has nothing where that lasted until the log's end. */
const OVER = "finished_ns";

/** Tables with fewer rows have no filter. */
const FEW = 12;

export class LogTable extends Part {
    static properties = {
        info: { attribute: false },
        rows: { attribute: false },
        times: { attribute: false },
        whole: { type: Boolean, reflect: true },
        note: { attribute: false },
        sources: { attribute: false },
        choices: { attribute: false },
        tools: { attribute: false },
        cursor: { state: true },
        chosen: { state: true },
        scrolled: { state: true },
        copying: { state: true },
    };

    #sizes = new Sizes(() => this.requestUpdate());
    #filter = new Filter(
        (text) => this.#search(text),
        () => this.querySelector("table")?.focus(),
    );
    /** The columns that the sizes belong to. */
    #columns = "";
    /** Whether the cursor has moved out of view. */
    #follows = false;
    /** Whether to announce what the filter finds. */
    #searches = false;
    /** The `within` of the shown rows. @type {import("../wishes.js").Within | null} */
    #within = null;
    #come = () => this.#tellFound();

    /** The last note, and the rows that it is about. @type {{ rows: PagedRows, note: string, text: string } | undefined} */
    #saidOf;

    constructor() {
        super();
        /** @type {TableInfo | null} */
        this.info = null;
        /** @type {PagedRows | null} */
        this.rows = null;
        /** How moments are written. */
        this.times = new Times(0);
        /** Whether all rows are shown: for short tables, and on paper, where their number is bounded. */
        this.whole = false;
        /** Where places in the source lead. */
        this.sources = NO_LINKS;
        /** The note about the whole table. */
        this.note = "";
        /**
         * The choices that filter its rows, instead of a text; such a table cannot be sorted.
         * @type {import("../protocol.js").RowChoice[] | null}
         */
        this.choices = null;
        /** What its bar has besides. @type {unknown} */
        this.tools = nothing;
        /** @type {TableActs | null} */
        this.acts = null;
        /** The cursor of the keys: row -1 is the head, where the column counts, too. */
        this.cursor = { row: 0, column: 0 };
        /** The row that was chosen last. */
        this.chosen = -1;
        this.scrolled = 0;
        this.copying = false;
    }

    connectedCallback() {
        super.connectedCallback();
        if (this.hasUpdated) this.requestUpdate("rows");
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        const { rows, scrolled, cursor, chosen } = this;
        this.#sizes.rest();
        this.#filter.rest();
        if (!rows) return;
        rows.left = { scrolled, row: cursor.row, chosen };
        rows.rest();
        // Another table may show these rows by now.
        if (rows.changed === this.#come) rows.changed = () => {};
    }

    firstUpdated() {
        if (this.rows) this.#return(this.rows);
    }

    /**
     * Shows rows, scrolled as they were left.
     * @param {PagedRows} rows
     */
    #return({ filter, within, left }) {
        this.#within = within;
        const [field, box] = [".search", ".table-box"].map((part) => this.querySelector(part));
        if (field) field.textContent = filter;
        this.cursor = { row: left.row, column: 0 };
        this.chosen = left.chosen;
        if (box && left.scrolled > 0) box.scrollTop = left.scrolled;
    }

    get #sheet() {
        const { rowHeight, room } = this.#sizes;
        const found = this.rows?.found ?? 0;
        return this.whole ? { rows: Math.min(found, PRINTED), rowHeight, room: Infinity } : { rows: found, rowHeight, room };
    }

    /**
     * Moves the cursor of the keys to a row, and scrolls to it.
     * @param {number} at its place among all rows
     */
    showRow(at) {
        const last = (this.rows?.found ?? 0) - 1;
        if (last >= 0) this.#step(Math.min(at, last));
    }

    /** Scrolls to the top: the rows are others now. */
    toTop() {
        this.#fromTop();
    }

    /** Renders now if a rendering is due. */
    showNow() {
        this.performUpdate();
    }

    /** The columns of the rows that are there. */
    get #columnsOfRows() {
        return this.rows?.columns ?? this.info?.columns ?? [];
    }

    render() {
        const { rows } = this;
        if (!this.info || !rows) return nothing;
        const info = { ...this.info, columns: this.#columnsOfRows };
        const { first, end, above } = inView(this.#sheet, this.scrolled);
        const known = Array.from({ length: end - first }, (_, at) => rows.row(first + at));
        const isSeen = this.cursor.row < 0 || (this.cursor.row >= first && this.cursor.row < end);
        const { room, headHeight } = this.#sizes;
        const sheet = this.whole
            ? ""
            : `--rows-height: ${heightOf(this.#sheet)}px; --above: ${above}px; --room: ${room}px; --head-height: ${headHeight}px`;
        // Sets styles as properties: a strict content security policy forbids `style` attributes.
        return html`
            <div class="table-bar">
                <h3>${info.name}</h3>
                <p class="muted" id="table-${info.key}-note">${this.#said(rows)}</p>
                ${this.#finder(info, rows)} ${this.#withinPart(info, rows)}
                <button class="copy" aria-disabled=${this.copying} title="Copy all rows for a spreadsheet, as tab-separated values (Ctrl+C)" @click=${this.#copy}>
                    ${this.copying ? "copying…" : "copy as TSV"}
                </button>
                ${info.columns.some(({ key }) => key === SOURCE) ? linkOffer(this.sources, () => this.acts?.setSources()) : nothing}
                ${this.tools}
            </div>
            <div class="table-box" @scroll=${this.#scroll}>
                <div class="table-sizer" .style=${sheet}>
                    <div class="table-frame">
                        <table
                            role="grid"
                            tabindex="0"
                            aria-label=${info.name}
                            aria-describedby="table-${info.key}-note"
                            aria-rowcount=${rows.found + 1}
                            aria-busy=${rows.isFresh ? nothing : "true"}
                            aria-activedescendant=${isSeen ? this.#idOf(this.cursor.row) : nothing}
                            @keydown=${this.#press}
                        >
                            <thead>
                                <tr aria-rowindex="1">
                                    ${info.columns.map((column, at) => headCell(column, this.#headOf(column.key, at)))}
                                </tr>
                            </thead>
                            <tbody @mousedown=${this.#pointed} @click=${this.#click}>
                                ${known.map((row, at) => tableRow(info, row, this.#placeOf(first + at)))}
                            </tbody>
                        </table>
                    </div>
                </div>
            </div>
        `;
    }

    /** The field or list that filters rows.
     * @param {TableInfo} info
     * @param {PagedRows} rows
     */
    #finder(info, { filter }) {
        if (this.choices) return choicesPart(this.choices, filter, this.note ? WHOLE_LOG : "", (chosen) => this.#search(chosen));
        return info.rows > FEW || filter ? this.#filter.render() : nothing;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        if (changed.has("rows") && this.rows) this.rows.changed = this.#come;
        const columns = this.#columnsOfRows.map(({ key }) => key).join();
        if (columns === this.#columns) return;
        this.#columns = columns;
        this.#sizes.forgetColumns();
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        // The table may be gone by now.
        if (!this.isConnected) return;
        if (changed.get("whole")) this.#scrollBack();
        if (this.whole) this.#sizes.rest();
        else this.#sizes.follow(this);
        if (this.#follows) this.#reveal();
        const { first, end } = inView(this.#sheet, this.scrolled);
        this.rows?.want(first, end);
    }

    /** Announces how many rows the filter has found. */
    #tellFound() {
        if (this.rows && this.rows.within !== this.#within) {
            this.#within = this.rows.within;
            this.#searches = true;
            this.#fromTop();
        }
        if (this.#searches && this.rows?.isOrdered && this.rows.complete) {
            this.#searches = false;
            this.acts?.say(`${counted(this.rows.found, this.#what)} found`);
        }
        this.requestUpdate();
    }

    /** The kind of its rows. */
    get #what() {
        return this.choices ? "event" : "row";
    }

    /**
     * The values of a column that are shown, if not all.
     * @param {TableInfo} info
     * @param {PagedRows} rows
     */
    #withinPart({ columns }, { within }) {
        const column = columns.find(({ key }) => key === within?.column);
        if (!within || !column) return nothing;
        const text = `${column.name} ${valuesText(column.unit, within)}`;
        return html`<button class="within" title="Show all rows" aria-label=${`${text}. Show all rows`} @click=${() => this.#showAll()}>${text} ×</button>`;
    }

    #showAll() {
        this.#searches = true;
        this.rows?.narrow(null);
        this.querySelector("table")?.focus();
    }

    /** The note about the rows: until the wanted rows come, it is about those that are shown. @param {PagedRows} rows */
    #said(rows) {
        const { note } = this;
        const said = this.#saidOf;
        // A count of the whole log must never be shown as one of a range, nor the other way round.
        const isTrue = rows.isOrdered && (rows.isFresh || note === said?.note);
        if (said && !isTrue && rows === said.rows) return said.text;
        const text = this.#counts(rows);
        this.#saidOf = { rows, note, text };
        return text;
    }

    /** How many rows are shown, out of how many. @param {PagedRows} rows */
    #counts({ filter: text, query, within, found, kept, of, atLeast }) {
        const filter = text || query || within;
        const what = this.#what;
        const why = this.choices ? "can be listed so far" : `are shown, ${this.info?.kept}`;
        const thinned = kept < of ? `${count(kept)} of ${counted(of, what)} ${why}` : "";
        const number = atLeast === null ? count(found) : `at least ${count(Math.max(found, atLeast))}`;
        const filtered = filter ? `${number} of ${counted(kept, what)}` : "";
        const cut = this.whole && found > PRINTED ? `the first ${count(PRINTED)} of ${counted(found, what)}` : "";
        const all = thinned || filter || this.whole ? "" : counted(found, what);
        return [filtered, thinned, cut, all, this.note].filter(Boolean).join(" · ");
    }

    /**
     * @param {string} key of a column
     * @param {number} at its index
     * @returns {import("./cells.js").Head}
     */
    #headOf(key, at) {
        const { sort, down } = this.rows ?? {};
        const isHere = this.cursor.row < 0 && this.cursor.column === at;
        return {
            about: aboutColumn(this.info?.key ?? "", key),
            at,
            order: sort !== key ? "none" : down ? "descending" : "ascending",
            width: this.whole ? 0 : (this.#sizes.widths[at] ?? 0),
            cursor: isHere ? this.#idOf(-1) : null,
            sort: this.choices || this.#columnsOfRows[at].unit === "levels" ? null : () => this.#sort(at),
        };
    }

    /** @param {number} at @returns {import("./cells.js").Place} */
    #placeOf(at) {
        return {
            at,
            id: this.#idOf(at),
            isHere: this.cursor.row === at,
            isChosen: this.chosen === at,
            times: this.times,
            sources: this.sources,
            links: Boolean(this.acts?.link),
        };
    }

    /** @param {number} row */
    #idOf(row) {
        const { key } = this.info ?? {};
        return row < 0 ? `table-${key}-head` : `table-${key}-row-${row}`;
    }

    /** @param {Event} event */
    #scroll({ currentTarget }) {
        // A table shown whole does not scroll, and loses its scrolled place.
        if (!this.whole) this.scrolled = /** @type {HTMLElement} */ (currentTarget).scrollTop;
    }

    /** Scrolls back after the table was shown whole, on paper. */
    #scrollBack() {
        const box = this.querySelector(".table-box");
        if (box && this.scrolled > 0) box.scrollTop = this.scrolled;
    }

    /** Scrolls to the cursor. */
    #reveal() {
        this.#follows = false;
        const box = this.querySelector(".table-box");
        if (!box || this.cursor.row < 0) return;
        if (!this.whole) {
            box.scrollTop = showing(this.#sheet, this.scrolled, this.cursor.row);
            this.scrolled = box.scrollTop;
        }
        // The box itself may be out of view: at a large zoom the page scrolls.
        this.#showCursor("tbody");
    }

    /** @param {"thead" | "tbody"} part where the cursor is */
    #showCursor(part) {
        const show = () => this.querySelector(`${part} .cursor`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
        void this.updateComplete.then(show);
    }

    /** @param {KeyboardEvent} event */
    #press(event) {
        const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
        if ((ctrlKey || metaKey) && key === "c" && !this.#isMarked()) void this.#copy();
        else if ((ctrlKey || metaKey) && key === "Enter") followSource(this);
        else if (shiftKey && key === "Enter" && this.#spans(this.cursor.row)) this.#between(this.cursor.row);
        else if (event.code === "KeyY" && !altKey && !ctrlKey && !metaKey && this.#hasLink(this.cursor.row)) this.#link(this.cursor.row);
        else if (altKey || ctrlKey || metaKey || shiftKey || !this.#walk(key)) return;
        event.preventDefault();
        event.stopPropagation();
    }

    /**
     * @param {string} key
     * @returns {boolean} whether the key does anything
     */
    #walk(key) {
        const { row, column } = this.cursor;
        const columns = this.#columnsOfRows.length;
        if (row < 0 && key === "ArrowRight") this.cursor = { row, column: Math.min(column + 1, columns - 1) };
        else if (row < 0 && key === "ArrowLeft") this.cursor = { row, column: Math.max(column - 1, 0) };
        else if (key === "Enter" || key === " ") this.#enter();
        else return this.#step(rowAfter(row, key, this.rows?.found ?? 0, this.#page));
        if (this.cursor.row < 0) this.#showCursor("thead");
        return true;
    }

    /** The number of rows visible at once. */
    get #page() {
        const { rows, rowHeight, room } = this.#sheet;
        return room === Infinity ? rows : Math.floor(room / rowHeight) - 1;
    }

    #enter() {
        const { row, column } = this.cursor;
        if (row < 0) this.#sort(column);
        else this.#choose(row);
    }

    /** @param {number | null} row */
    #step(row) {
        if (row === null) return false;
        this.cursor = { ...this.cursor, row };
        this.#follows = true;
        if (row < 0) this.#showCursor("thead");
        return true;
    }

    /** Whether the user has selected text. Of a selection in a shadow tree, Chromium reports to the document that it is collapsed. */
    #isMarked() {
        const root = /** @type {Document | ShadowRoot & { getSelection?: () => Selection | null }} */ (this.getRootNode());
        return String(root.getSelection?.() ?? getSelection() ?? "") !== "";
    }

    /**
     * Whether there is a time between the row that was chosen last and another one.
     * @param {number} at
     */
    #spans(at) {
        return this.chosen >= 0 && at !== this.chosen && [at, this.chosen].every((row) => this.rows?.row(row)?.time != null);
    }

    /** @param {number} at */
    #between(at) {
        const [one, other] = [this.chosen, at].map((row) => this.rows?.row(row)?.time);
        if (one != null && other != null) this.acts?.between(one, other);
    }

    /**
     * Shift extends the range, not a selection of text.
     * @param {MouseEvent} event
     */
    #pointed(event) {
        if (event.shiftKey) event.preventDefault();
    }

    /** @param {number} at whether the row has a moment that a link can lead to */
    #hasLink(at) {
        return Boolean(this.acts?.link) && this.rows?.row(at)?.time != null;
    }

    /** @param {number} at */
    #link(at) {
        const { time, track } = this.rows?.row(at) ?? {};
        if (time != null) this.acts?.link?.(time, track ?? undefined);
    }

    /** @param {MouseEvent} event */
    #click({ target, shiftKey }) {
        // The user selected text, perhaps to copy it.
        if (this.#isMarked()) return;
        const at = Number(target instanceof Element && target.closest("tr")?.getAttribute("data-at"));
        this.cursor = { ...this.cursor, row: at };
        if (target instanceof Element && target.closest(".row-link")) this.#link(at);
        else if (shiftKey && this.#spans(at)) this.#between(at);
        else this.#choose(at);
    }

    /** @param {number} at */
    #choose(at) {
        const { time, track, values } = this.rows?.row(at) ?? {};
        const { key, picks, columns = [] } = this.info ?? {};
        if (key && picks && values) {
            this.chosen = at;
            return this.acts?.pick(key, String(values[0]));
        }
        const over = columns.findIndex((column) => column.key === OVER);
        if (time == null && (over < 0 || !values)) return;
        this.chosen = at;
        const row = this.rows?.row(at);
        if (row) this.acts?.chosen?.(row);
        if (over >= 0) this.acts?.showLife(time ?? -Infinity, Number(values?.[over] ?? Infinity), track ?? undefined);
        else if (time != null) this.acts?.goTo(time, track ?? undefined);
    }

    /**
     * First with the largest numbers or earliest times on top; then the other way; then in the table's own order.
     * @param {number} at of a column
     */
    #sort(at) {
        const { rows, info } = this;
        if (!rows || !info || this.choices) return;
        const { key, unit } = info.columns[at];
        // Pictures cannot be sorted.
        if (unit === "levels") return;
        const first = isLargestFirst(unit);
        if (rows.sort !== key) rows.sortBy(key, first);
        else if (rows.down === first) rows.sortBy(key, !first);
        else rows.sortBy("", false);
        this.#fromTop();
    }

    /** Scrolls to the top: the order of the rows has changed. */
    #fromTop() {
        this.chosen = -1;
        this.cursor = { ...this.cursor, row: Math.min(this.cursor.row, 0) };
        this.scrolled = 0;
        const box = this.querySelector(".table-box");
        if (box) box.scrollTop = 0;
        this.requestUpdate();
    }

    /** @param {string} text */
    #search(text) {
        this.#searches = true;
        this.rows?.search(text);
        this.#fromTop();
        this.dispatchEvent(new CustomEvent("filtered"));
    }

    async #copy() {
        const { info, rows, times } = this;
        if (!info || !rows || this.copying) return;
        this.copying = true;
        this.acts?.say(await copyRows({ ...info, columns: this.#columnsOfRows }, rows, times));
        this.copying = false;
    }
}

/** @param {import("../protocol.js").Unit} unit */
function isLargestFirst(unit) {
    return unit === "duration" || unit === "bytes" || unit === "count" || unit === "share";
}

customElements.define("log-table", LogTable);
