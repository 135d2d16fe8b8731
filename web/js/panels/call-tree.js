// A profile as a call tree: rows that unfold into what they called or, inverted, into their callers. Only the rows in view have elements, and
// only those are asked for.

import { html, nothing } from "lit";
import { Part } from "./part.js";
import { NAMES, callColumns, callRow, spokenCall } from "./call-rows.js";
import { OpenCalls } from "./open-calls.js";
import { heightOf, inView, rowAfter, showing } from "./scroll.js";
import { NO_LINKS } from "../sources/link.js";
import { followSource } from "../sources/part.js";
import { Sizes } from "./sizes.js";

/** @typedef {import("../protocol.js").CallTree} CallTree */
/** @typedef {import("../protocol.js").CallRow} CallRow */
/** @typedef {import("../wishes.js").FlameView} FlameView */
/** @typedef {import("./call-rows.js").CallColumn} CallColumn */
/** @typedef {import("./open-calls.js").CallPath} CallPath */

/** The frame of a row that has no number. */
const NO_FRAME = 0xffff_ffff;

/** Rows that are asked for above and below those in view. */
const AROUND = 40;

/** A row and its path, when the answer has it. @typedef {{ row: CallRow, path: CallPath }} Placed */

export class LogCallTree extends Part {
    static properties = {
        label: { attribute: false },
        acts: { attribute: false },
        facts: { attribute: false },
        section: { attribute: false },
        unit: { attribute: false },
        range: { attribute: false },
        view: { attribute: false },
        of: { attribute: false },
        search: { attribute: false },
        path: { attribute: false },
        sources: { attribute: false },
        sort: { state: true },
        down: { state: true },
        cursor: { state: true },
        scrolled: { state: true },
        tree: { state: true },
    };

    #sizes = new Sizes(() => this.requestUpdate());
    #open = new OpenCalls();
    #asking = false;
    #outdated = false;
    /** The rows of the last answer, and the place of the first one. @type {{ from: number, placed: Placed[] }} */
    #rows = { from: 0, placed: [] };
    /** Whether the chosen row has to come into view with the next answer. */
    #reveals = false;
    /** Whether the cursor has moved out of view. */
    #follows = false;
    /** The path that was last chosen here: when it comes back as `path`, its rows are not unfolded. @type {CallPath | null} */
    #given = null;

    constructor() {
        super();
        this.label = "";
        /** @type {import("./flame.js").FlameActs | null} */
        this.acts = null;
        /** The facts about the log by now: when they change, the rows are asked for again. @type {unknown} */
        this.facts = null;
        /** The key of its section. */
        this.section = "";
        /** @type {import("../protocol.js").Unit} */
        this.unit = "count";
        this.range = false;
        /** @type {FlameView} */
        this.view = "heavy";
        /** The frame whose callers or callees are shown. */
        this.of = 0;
        this.search = "";
        /** The chosen row's; null if none is. @type {CallPath | null} */
        this.path = null;
        /** Where places in the source lead. */
        this.sources = NO_LINKS;
        /** @type {import("../wishes.js").CallOrder} */
        this.sort = "total";
        this.down = true;
        /** The cursor of the keys: row -1 is the head, where the column counts, too. */
        this.cursor = { row: 0, column: 0 };
        this.scrolled = 0;
        /** @type {CallTree | null} */
        this.tree = null;
        /** @type {(module: string, frame: number) => string} */
        this.roleOf = () => "band-rest";
        /** Called when a row is chosen. @type {(path: CallPath) => void} */
        this.chose = () => {};
        /** Called when other rows have come. */
        this.changed = () => {};
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.#sizes.rest();
    }

    get #isUp() {
        return this.view === "inverted" || this.view === "callers";
    }

    /** @returns {CallColumn[]} */
    get #columns() {
        return callColumns({ isOfBytes: this.unit === "bytes", isUp: this.#isUp, hasTick: (this.tree?.tick ?? 0) > 0 });
    }

    get #sheet() {
        const { rowHeight, room } = this.#sizes;
        return { rows: this.tree?.allRows ?? 0, rowHeight, room };
    }

    /** @param {number} at */
    #placed(at) {
        return this.#rows.placed[at - this.#rows.from];
    }

    render() {
        const { tree } = this;
        if (!tree) return html`<p class="muted" aria-busy="true">…</p>`;
        const { first, end, above } = inView(this.#sheet, this.scrolled);
        const columns = this.#columns;
        const isSeen = this.cursor.row < 0 || (this.cursor.row >= first && this.cursor.row < end);
        const { room, headHeight } = this.#sizes;
        const sheet = `--rows-height: ${heightOf(this.#sheet)}px; --above: ${above}px; --room: ${room}px; --head-height: ${headHeight}px`;
        return html`<div class="table-box" @scroll=${this.#scroll}>
            <div class="table-sizer" .style=${sheet}>
                <div class="table-frame">
                    <table
                        role="treegrid"
                        tabindex="0"
                        aria-label=${this.label}
                        aria-description="Right and left arrows unfold and fold, * unfolds all rows at its level, Enter chooses, Control+Enter shows the source"
                        aria-rowcount=${tree.allRows + 1}
                        aria-readonly="true"
                        aria-activedescendant=${isSeen ? this.#idOf(this.cursor.row) : nothing}
                        @keydown=${this.#press}
                    >
                        <thead>
                            <tr aria-rowindex="1">
                                ${[NAMES, ...columns].map((column, at) => this.#head(column, at))}
                            </tr>
                        </thead>
                        <tbody @click=${this.#click}>
                            ${Array.from({ length: end - first }, (_, at) => this.#row(first + at, columns, tree))}
                        </tbody>
                    </table>
                </div>
            </div>
        </div>`;
    }

    /**
     * @param {CallColumn} column
     * @param {number} at
     */
    #head({ key, sort, name, about, isNumber }, at) {
        const isHere = this.cursor.row < 0 && this.cursor.column === at;
        // Two columns may have one order: the first of them has the mark.
        const isSorted = this.sort === sort && [sort, "name"].includes(key);
        return html`<th
            scope="col"
            id=${isHere ? this.#idOf(-1) : nothing}
            class=${`${isNumber ? "number" : ""} ${isHere ? "cursor" : ""}`}
            aria-sort=${isSorted ? (this.down ? "descending" : "ascending") : "none"}
            aria-description=${about || nothing}
            title=${about ? `${about}. Click to sort.` : `Sort by ${name}`}
            .style=${`min-width: ${this.#sizes.widths[at] ?? 0}px`}
            @click=${() => this.#sortBy(at)}
        >${name}</th>`;
    }

    /**
     * @param {number} at
     * @param {CallColumn[]} columns
     * @param {CallTree} tree
     */
    #row(at, columns, tree) {
        const placed = this.#placed(at);
        const role = placed ? this.roleOf(placed.row.module, placed.row.frame === NO_FRAME ? -1 : placed.row.frame) : "";
        const isChosen = this.path !== null && tree.chosen === at;
        return callRow(placed?.row, tree, columns, {
            at,
            id: this.#idOf(at),
            isHere: this.cursor.row === at,
            isChosen,
            role,
            sources: this.sources,
        });
    }

    /** @param {number} row */
    #idOf(row) {
        const name = `calls-${this.section}-${this.view}`;
        return row < 0 ? `${name}-head` : `${name}-row-${row}`;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        const isOther = ["section", "view", "of"].some((name) => changed.has(name));
        if (isOther) this.#open.clear();
        if (isOther || ["search", "sort", "down"].some((name) => changed.has(name))) {
            this.scrolled = 0;
            this.cursor = { ...this.cursor, row: Math.min(this.cursor.row, 0) };
        }
        if (changed.has("path") && this.path !== this.#given) {
            if (this.path) this.#open.open(this.path.slice(0, -1));
            this.#reveals = this.path !== null;
        }
        if (isOther || ["facts", "range", "search", "sort", "down", "path"].some((name) => changed.has(name))) this.#outdated = true;
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        if (!this.isConnected) return;
        this.#sizes.follow(this);
        const box = this.querySelector(".table-box");
        if (box && changed.has("scrolled") && this.scrolled === 0) box.scrollTop = 0;
        if (this.#follows) this.#reveal();
        const { first, end } = inView(this.#sheet, this.scrolled);
        const { from, placed } = this.#rows;
        const isThere = from <= first && end <= from + placed.length;
        if (this.#outdated || (this.tree && !isThere)) void this.#load();
    }

    /** Asks for the rows in view; until they come, only the newest question is kept. */
    async #load() {
        if (this.#asking || !this.acts || !this.isConnected) return;
        this.#asking = true;
        for (let again = true; again && this.isConnected; ) {
            this.#outdated = false;
            const { section, range, view, of: frame, search, sort, down, path } = this;
            const { first, end } = inView(this.#sheet, this.scrolled);
            const from = Math.max(first - AROUND, 0);
            const asked = { section, range, view, frame, sort, down, search, ...this.#open.list(), chosen: Uint32Array.from(path ?? []) };
            const tree = await this.acts.calls({ ...asked, from, count: Math.max(end, first + AROUND) + AROUND - from });
            if (!tree) break;
            if (!this.#outdated) this.#take(tree, from);
            const now = inView(this.#sheet, this.scrolled);
            again = this.#outdated || now.first < from || Math.min(now.end, tree.allRows) > from + tree.rows.length;
        }
        this.#asking = false;
    }

    /**
     * @param {CallTree} tree
     * @param {number} from
     */
    #take(tree, from) {
        const path = [...tree.above];
        const placed = tree.rows.map((row) => {
            path.length = row.depth;
            path.push(row.frame);
            return { row, path: [...path] };
        });
        this.#rows = { from, placed };
        this.tree = tree;
        this.cursor = { ...this.cursor, row: Math.min(this.cursor.row, Math.max(tree.allRows - 1, 0)) };
        if (this.#reveals && tree.chosen !== undefined) {
            this.#reveals = false;
            this.cursor = { ...this.cursor, row: tree.chosen };
            this.#follows = true;
        }
        this.changed();
    }

    /** @param {Event} event */
    #scroll({ currentTarget }) {
        this.scrolled = /** @type {HTMLElement} */ (currentTarget).scrollTop;
    }

    /** Scrolls to the cursor. */
    #reveal() {
        this.#follows = false;
        const box = this.querySelector(".table-box");
        if (!box || this.cursor.row < 0) return;
        box.scrollTop = showing(this.#sheet, this.scrolled, this.cursor.row);
        this.scrolled = box.scrollTop;
    }

    /** @param {KeyboardEvent} event */
    #press(event) {
        const { key, altKey, ctrlKey, metaKey, target } = event;
        const isLink = (ctrlKey || metaKey) && key === "Enter" && followSource(this);
        if (!isLink && (altKey || ctrlKey || metaKey || target instanceof HTMLAnchorElement || !this.#walk(key))) return;
        event.preventDefault();
        event.stopPropagation();
    }

    /**
     * @param {string} key
     * @returns {boolean} whether the key does anything
     */
    #walk(key) {
        const { row, column } = this.cursor;
        if (row < 0 && (key === "ArrowRight" || key === "ArrowLeft")) {
            const to = column + (key === "ArrowRight" ? 1 : -1);
            this.cursor = { row, column: Math.min(Math.max(to, 0), this.#columns.length) };
            return true;
        }
        if (row < 0 && (key === "Enter" || key === " ")) return this.#sortBy(column);
        if (key === "ArrowRight") return this.#unfold(row);
        if (key === "ArrowLeft") return this.#fold(row);
        if (key === "*") return this.#unfoldAll(row);
        if (key === "Enter" || key === " ") return this.#choose(row);
        const next = rowAfter(row, key, this.tree?.allRows ?? 0, Math.floor(this.#sizes.room / this.#sizes.rowHeight) - 1);
        return next !== null && this.#go(next);
    }

    /** @param {number} row */
    #go(row) {
        this.cursor = { ...this.cursor, row };
        this.#follows = true;
        return true;
    }

    /** Unfolds a row; of one that is unfolded, goes to the first row below it. @param {number} at */
    #unfold(at) {
        const placed = this.#placed(at);
        if (!placed) return true;
        if (placed.row.rest !== undefined) return this.#more(placed);
        if (!placed.row.canOpen) return true;
        if (placed.row.isOpen) return this.#go(at + 1);
        this.#open.open(placed.path);
        // At once, before other rows come: the next key is about the row as it will be.
        placed.row.isOpen = true;
        return this.#again();
    }

    /** Folds a row; of one that is folded, goes to the row that it is below. @param {number} at */
    #fold(at) {
        const placed = this.#placed(at);
        if (!placed) return true;
        if (placed.row.isOpen) {
            this.#open.fold(placed.path);
            placed.row.isOpen = false;
            return this.#again();
        }
        for (let above = at - 1; above >= this.#rows.from; above--) {
            if ((this.#placed(above)?.row.depth ?? 0) < placed.row.depth) return this.#go(above);
        }
        // The page does not have that row: choosing it brings it into view.
        if (placed.row.depth > 0) this.#give(placed.path.slice(0, -1), true);
        return true;
    }

    /** Unfolds all rows directly below the one that a row is below. @param {number} at */
    #unfoldAll(at) {
        const placed = this.#placed(at);
        if (!placed) return true;
        this.#open.openAll(placed.path.slice(0, -1));
        placed.row.isOpen = placed.row.canOpen;
        return this.#again();
    }

    /** @param {Placed} placed the row at the end of a list, which shows more of it */
    #more({ path }) {
        this.#open.more(path.slice(0, -1));
        return this.#again();
    }

    #again() {
        this.#outdated = true;
        this.requestUpdate();
        return true;
    }

    /** @param {number} at */
    #choose(at) {
        const placed = this.#placed(at);
        if (!placed) return true;
        if (placed.row.rest !== undefined) return this.#more(placed);
        this.#give(placed.path, false);
        if (this.tree) this.acts?.say(spokenCall(placed.row, this.tree, this.#columns));
        return true;
    }

    /**
     * @param {CallPath} path
     * @param {boolean} reveals whether it has to come into view
     */
    #give(path, reveals) {
        this.#given = path;
        this.#reveals = reveals;
        this.chose(path);
    }

    /** @param {MouseEvent} event */
    #click({ target }) {
        if (!(target instanceof Element) || target.closest("a, button")) return;
        const at = Number(target.closest("tr")?.getAttribute("data-at"));
        this.cursor = { ...this.cursor, row: at };
        const placed = this.#placed(at);
        if (target.closest(".fold") && placed?.row.canOpen) {
            if (placed.row.isOpen) this.#fold(at);
            else this.#unfold(at);
        } else this.#choose(at);
    }

    /**
     * First with the largest numbers, or the first names, on top; then the other way.
     * @param {number} at of a column
     */
    #sortBy(at) {
        const { sort, isNumber } = [NAMES, ...this.#columns][at];
        this.down = this.sort === sort ? !this.down : isNumber;
        this.sort = sort;
        return true;
    }

    /** The chosen row in words, and what to ask for its callers with; null if none is chosen, or it is out of view. */
    get selected() {
        const placed = this.path && this.tree?.chosen !== undefined ? this.#placed(this.tree.chosen) : undefined;
        if (!placed || !this.tree) return null;
        const { name, module, source, frame } = placed.row;
        return { text: spokenCall(placed.row, this.tree, this.#columns), name, module, source, frame: frame === NO_FRAME ? -1 : frame };
    }
}

customElements.define("log-call-tree", LogCallTree);
