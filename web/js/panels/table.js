// A table of any length: only the rows in view exist, and those are asked for by pages. It is sorted by its heads, filtered by a
// text, walked by keys, and copied for a spreadsheet.

import { html, nothing } from "lit";
import { Part } from "./part.js";
import { heightOf, inView, rowAfter, showing } from "./scroll.js";
import { tsvHead, tsvRow } from "./tsv.js";
import { count, percent, valueText } from "../format.js";
import { counted } from "../words.js";

/** @typedef {import("../protocol.js").Column} Column */
/** @typedef {import("../protocol.js").TableInfo} TableInfo */
/** @typedef {import("../protocol.js").Value} Value */
/** @typedef {import("./paged.js").PagedRows} PagedRows */
/** @typedef {import("./paged.js").Row} Row */

/**
 * What a table can have done.
 * @typedef {object} TableActs
 * @property {(time: number, track?: number) => void} goTo shows a time, and selects what a track shows there
 * @property {(text: string) => void} say tells those who listen
 */

/** How high a row is before one has been seen, in CSS pixels. */
const ROW_HEIGHT = 26;

/** Below this many rows there is nothing to filter. */
const FEW = 12;

/** Rows that are copied at most: what a clipboard and a spreadsheet still take. */
const MOST_COPIED = 100_000;

/** How long typing rests before the rows are filtered, in ms. */
const FILTER_REST = 150;

export class LogTable extends Part {
    static properties = {
        info: { attribute: false },
        rows: { attribute: false },
        origin: { attribute: false },
        whole: { type: Boolean, reflect: true },
        note: { attribute: false },
        cursor: { state: true },
        chosen: { state: true },
        scrolled: { state: true },
        room: { state: true },
        copying: { state: true },
    };

    #rowHeight = ROW_HEIGHT;
    /** How wide each column has been: it gets no narrower as other rows come into view. @type {number[]} */
    #widths = [];
    /** Of which columns those are. */
    #columns = "";
    /** Whether the cursor has moved out of what was in view. */
    #follows = false;
    #filtering = 0;
    /** Whether those who listen wait for what a filter finds. */
    #searches = false;
    #resizes = new ResizeObserver(() => this.#measure());

    constructor() {
        super();
        /** @type {TableInfo | null} */
        this.info = null;
        /** @type {PagedRows | null} */
        this.rows = null;
        /** The time that is shown as 0. */
        this.origin = 0;
        /** Whether all rows are shown: for tables of few rows. */
        this.whole = false;
        /** What is to be said of all the table. */
        this.note = "";
        /** @type {TableActs | null} */
        this.acts = null;
        /** Where the keys are: row -1 is the head, in which a column counts. */
        this.cursor = { row: 0, column: 0 };
        /** The row that was chosen last. */
        this.chosen = -1;
        this.scrolled = 0;
        /** How high the part is in which rows are seen, in CSS pixels. */
        this.room = ROW_HEIGHT * 8;
        this.copying = false;
    }

    connectedCallback() {
        super.connectedCallback();
        if (!this.hasUpdated) return;
        this.#watchSize();
        this.requestUpdate();
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        const { rows, scrolled, cursor, chosen } = this;
        if (rows) rows.left = { scrolled, row: cursor.row, chosen };
        rows?.rest();
        this.#resizes.disconnect();
        clearTimeout(this.#filtering);
    }

    firstUpdated() {
        this.#watchSize();
        if (this.rows) this.#return(this.rows);
    }

    /**
     * Shows rows as they were left.
     * @param {PagedRows} rows
     */
    #return({ filter, left }) {
        const [field, box] = [".search", ".table-box"].map((part) => this.querySelector(part));
        if (field) field.textContent = filter;
        this.cursor = { row: left.row, column: 0 };
        this.chosen = left.chosen;
        if (box) box.scrollTop = left.scrolled;
    }

    #watchSize() {
        const box = this.querySelector(".table-box");
        if (box) this.#resizes.observe(box);
    }

    get #sheet() {
        return { rows: this.rows?.found ?? 0, rowHeight: this.#rowHeight, room: this.whole ? Infinity : this.room };
    }

    render() {
        const { info, rows } = this;
        if (!info || !rows) return nothing;
        const { first, end, above } = inView(this.#sheet, this.scrolled);
        const known = Array.from({ length: end - first }, (_, at) => rows.row(first + at));
        const isSeen = this.cursor.row < 0 || (this.cursor.row >= first && this.cursor.row < end);
        const sheet = this.whole ? "" : `--rows-height: ${heightOf(this.#sheet)}px; --above: ${above}px; --room: ${this.room}px`;
        // Styles by properties: a strict policy allows no attributes for them.
        return html`
            <div class="table-bar">
                <h3>${info.name}</h3>
                <p class="muted" id="table-${info.key}-note">${this.#said(rows)}</p>
                ${info.rows > FEW || rows.filter ? this.#filterField() : nothing}
                <button class="copy" ?disabled=${this.copying} title="Copy all rows for a spreadsheet, as tab-separated values (Ctrl+C)" @click=${this.#copy}>
                    ${this.copying ? "copying…" : "copy as TSV"}
                </button>
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
                                    ${info.columns.map((column, at) => this.#head(column, at))}
                                </tr>
                            </thead>
                            <tbody @click=${this.#click}>
                                ${known.map((row, at) => this.#row(info.columns, row, first + at))}
                            </tbody>
                        </table>
                    </div>
                </div>
            </div>
        `;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        if (changed.has("rows") && this.rows) this.rows.changed = () => this.#come();
        const columns = this.info?.columns.map(({ key }) => key).join() ?? "";
        if (columns === this.#columns) return;
        this.#columns = columns;
        this.#widths = [];
    }

    updated() {
        // What was to be updated may be gone by now.
        if (!this.isConnected) return;
        this.#measure();
        if (this.#follows) this.#reveal();
        const { first, end } = inView(this.#sheet, this.scrolled);
        this.rows?.want(first, end);
    }

    /** More rows are there. */
    #come() {
        if (this.#searches && this.rows?.isOrdered) {
            this.#searches = false;
            this.acts?.say(`${counted(this.rows.found, "row")} found`);
        }
        this.requestUpdate();
    }

    /** How many rows there are, of how many. @param {PagedRows} rows */
    #said({ filter, found, kept, of }) {
        const thinned = kept < of ? `${count(kept)} of ${counted(of, "row")} are kept: spread evenly, with the smallest and the largest` : "";
        const filtered = filter ? `${count(found)} of ${counted(kept, "row")}` : "";
        const all = thinned || filter || this.whole ? "" : counted(found, "row");
        return [filtered, thinned, all, this.note].filter(Boolean).join(" · ");
    }

    #filterField() {
        // No input: for one of those, Chromium asks a server of its own how to fill it.
        return html`<div
            class="search"
            role="searchbox"
            contenteditable="plaintext-only"
            spellcheck="false"
            tabindex="0"
            aria-label="Filter the rows"
            @input=${this.#filter}
            @keydown=${this.#typed}
        ></div>`;
    }

    /**
     * @param {Column} column
     * @param {number} at
     */
    #head({ key, name, unit, role }, at) {
        const { sort, down } = this.rows ?? {};
        const order = sort !== key ? "none" : down ? "descending" : "ascending";
        const isHere = this.cursor.row < 0 && this.cursor.column === at;
        return html`<th
            scope="col"
            id=${isHere ? this.#idOf(-1) : nothing}
            class=${`${isLeft(unit, at) ? "" : "number"} ${isHere ? "cursor" : ""}`}
            aria-sort=${order}
            title=${`Sort by ${name}`}
            .style=${`min-width: ${this.#widths[at] ?? 0}px`}
            @click=${() => this.#sort(at)}
        >
            ${role ? html`<span class="swatch" .style=${`background: var(--${role})`}></span>` : nothing}
            ${name}
        </th>`;
    }

    /**
     * @param {Column[]} columns
     * @param {Row | undefined} row
     * @param {number} at
     */
    #row(columns, row, at) {
        const goes = row?.time != null;
        const time = goes ? columns.findIndex(({ unit }) => unit === "time") : -1;
        const known = row ? knownTime(columns, row.values) : 0;
        const isHere = this.cursor.row === at;
        return html`<tr
            id=${this.#idOf(at)}
            data-at=${at}
            aria-rowindex=${at + 2}
            aria-selected=${goes ? String(this.chosen === at) : nothing}
            aria-busy=${row ? nothing : "true"}
            class=${`${goes ? "goes" : ""} ${isHere ? "cursor" : ""}`}
        >
            ${columns.map((column, place) => this.#cell(column, place, row, known, place === time))}
        </tr>`;
    }

    /**
     * @param {Column} column
     * @param {number} place
     * @param {Row | undefined} row
     * @param {number} known
     * @param {boolean} isLink
     */
    #cell({ unit, part }, place, row, known, isLink) {
        const value = row?.values[place];
        const shown = row ? this.#text(unit, value) : "…";
        const share = part && typeof value === "number" && known > 0 ? html` <span class="share">${percent(value / known)}</span>` : nothing;
        const text = isLink ? html`<span class="place">${shown}</span>` : shown;
        const kind = `${isLeft(unit, place) ? "" : "number"}`;
        // A long text is cut.
        const title = unit === "text" && value != null ? shown : nothing;
        return place === 0 ? html`<th scope="row" title=${title}>${text}</th>` : html`<td class=${kind} title=${title}>${text}${share}</td>`;
    }

    /**
     * @param {import("../protocol.js").Unit} unit
     * @param {Value} value
     */
    #text(unit, value) {
        const text = valueText(unit, value, this.origin, "–");
        return value == null ? html`<span class="unknown">${text}</span>` : text;
    }

    /** @param {number} row */
    #idOf(row) {
        const { key } = this.info ?? {};
        return row < 0 ? `table-${key}-head` : `table-${key}-row-${row}`;
    }

    /** What only the browser knows: how high rows are, and how wide columns. */
    #measure() {
        const [box, head, row] = [".table-box", "thead", "tbody tr"].map((part) => this.querySelector(part));
        if (!box || !head || box.clientHeight === 0) return;
        // All is read before any is written: what is read after that is laid out anew, each time.
        if (row) this.#rowHeight = row.getBoundingClientRect().height || ROW_HEIGHT;
        const { height } = head.getBoundingClientRect();
        const heads = /** @type {HTMLElement[]} */ ([...head.querySelectorAll("th")]);
        const widths = heads.map((cell) => Math.ceil(cell.getBoundingClientRect().width));
        this.room = Math.max(box.clientHeight - height, this.#rowHeight);
        this.style.setProperty("--head-height", `${height}px`);
        this.#keepWidths(heads, widths);
    }

    /**
     * @param {HTMLElement[]} heads
     * @param {number[]} widths as they are now
     */
    #keepWidths(heads, widths) {
        if (this.whole) return;
        heads.forEach((cell, at) => {
            this.#widths[at] = Math.max(widths[at], this.#widths[at] ?? 0);
            cell.style.minWidth = `${this.#widths[at]}px`;
        });
    }

    /** @param {Event} event */
    #scroll({ currentTarget }) {
        this.scrolled = /** @type {HTMLElement} */ (currentTarget).scrollTop;
    }

    /** Scrolls to where the keys are. */
    #reveal() {
        this.#follows = false;
        const box = this.querySelector(".table-box");
        if (!box || this.cursor.row < 0) return;
        if (!this.whole) {
            box.scrollTop = showing(this.#sheet, this.scrolled, this.cursor.row);
            this.scrolled = box.scrollTop;
        }
        // The box itself may be out of sight: at a large zoom the page scrolls.
        this.#showCursor("tbody");
    }

    /** @param {"thead" | "tbody"} part where the keys are */
    #showCursor(part) {
        const show = () => this.querySelector(`${part} .cursor`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
        void this.updateComplete.then(show);
    }

    /** @param {KeyboardEvent} event */
    #press(event) {
        const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
        if ((ctrlKey || metaKey) && key === "c" && !this.#isMarked()) void this.#copy();
        else if (altKey || ctrlKey || metaKey || shiftKey || !this.#walk(key)) return;
        event.preventDefault();
        event.stopPropagation();
    }

    /**
     * @param {string} key
     * @returns {boolean} whether it does anything
     */
    #walk(key) {
        const { row, column } = this.cursor;
        const columns = this.info?.columns.length ?? 0;
        if (row < 0 && key === "ArrowRight") this.cursor = { row, column: Math.min(column + 1, columns - 1) };
        else if (row < 0 && key === "ArrowLeft") this.cursor = { row, column: Math.max(column - 1, 0) };
        else if (key === "Enter" || key === " ") this.#enter();
        else return this.#step(rowAfter(row, key, this.rows?.found ?? 0, Math.floor(this.room / this.#rowHeight) - 1));
        if (this.cursor.row < 0) this.#showCursor("thead");
        return true;
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

    /** Whether text is marked. Of what is marked in a shadow tree Chromium tells the document that it is collapsed. */
    #isMarked() {
        const root = /** @type {Document | ShadowRoot & { getSelection?: () => Selection | null }} */ (this.getRootNode());
        return String((root.getSelection?.() ?? getSelection()) ?? "") !== "";
    }

    /** @param {MouseEvent} event */
    #click({ target }) {
        // Text was marked, to be copied.
        if (this.#isMarked()) return;
        const at = Number(target instanceof Element && target.closest("tr")?.getAttribute("data-at"));
        this.cursor = { ...this.cursor, row: at };
        this.#choose(at);
    }

    /** @param {number} at */
    #choose(at) {
        const time = this.rows?.row(at)?.time;
        if (time == null) return;
        this.chosen = at;
        this.acts?.goTo(time, this.info?.track);
    }

    /**
     * First the way one looks for, largest numbers and earliest times; then the other way; then as the table has it.
     * @param {number} at of a column
     */
    #sort(at) {
        const { rows, info } = this;
        if (!rows || !info) return;
        const { key, unit } = info.columns[at];
        const first = isLargestFirst(unit);
        if (rows.sort !== key) rows.sortBy(key, first);
        else if (rows.down === first) rows.sortBy(key, !first);
        else rows.sortBy("", false);
        this.#fromTop();
    }

    /** Rows of another order have other places. */
    #fromTop() {
        this.chosen = -1;
        this.cursor = { ...this.cursor, row: Math.min(this.cursor.row, 0) };
        this.scrolled = 0;
        const box = this.querySelector(".table-box");
        if (box) box.scrollTop = 0;
        this.requestUpdate();
    }

    /** @param {Event} event */
    #filter({ currentTarget }) {
        const text = /** @type {HTMLElement} */ (currentTarget).textContent ?? "";
        clearTimeout(this.#filtering);
        this.#filtering = window.setTimeout(() => {
            this.#searches = true;
            this.rows?.search(text.replaceAll("\n", ""));
            this.#fromTop();
        }, FILTER_REST);
    }

    /** @param {KeyboardEvent} event */
    #typed(event) {
        const field = /** @type {HTMLElement} */ (event.currentTarget);
        if (event.key === "Enter") event.preventDefault();
        if (event.key === "ArrowDown") this.querySelector("table")?.focus();
        if (event.key === "Escape" && field.textContent) {
            field.textContent = "";
            field.dispatchEvent(new Event("input"));
        }
        // What is typed here is no key of the timeline's.
        event.stopPropagation();
    }

    async #copy() {
        const { info, rows, origin } = this;
        if (!info || !rows || this.copying) return;
        this.copying = true;
        try {
            let copied = 0;
            const lines = async () => {
                const parts = [tsvHead(info.columns)];
                for await (const some of rows.all(MOST_COPIED)) {
                    copied += some.length;
                    parts.push(...some.map(({ values }) => tsvRow(info.columns, values, origin)));
                }
                return parts.join("");
            };
            await write(lines());
            const cut = rows.found > copied ? `, the first of ${count(rows.found)}` : "";
            this.acts?.say(`${counted(copied, "row")} copied${cut}`);
        } catch {
            this.acts?.say("The browser does not let this page copy.");
        } finally {
            this.copying = false;
        }
    }
}

/**
 * Puts a text that is not there yet on the clipboard: the permission is that of the click, which would be over by then.
 * @param {Promise<string>} text
 */
async function write(text) {
    const blob = text.then((lines) => new Blob([lines], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/**
 * Texts begin at the left, as does what names a row; numbers end at the right.
 * @param {import("../protocol.js").Unit} unit
 * @param {number} at its place among the columns
 */
function isLeft(unit, at) {
    return at === 0 || unit === "text";
}

/** @param {import("../protocol.js").Unit} unit */
function isLargestFirst(unit) {
    return unit === "duration" || unit === "bytes" || unit === "count" || unit === "share";
}

/** The column that has the time of which the log tells, for each row. */
const KNOWN = "known_ns";

/**
 * The time of which a row's parts are shares.
 * @param {Column[]} columns
 * @param {Value[]} values
 */
function knownTime(columns, values) {
    return Number(values[columns.findIndex(({ key }) => key === KNOWN)] ?? 0);
}

customElements.define("log-table", LogTable);
