// The timeline as a grid, for screen readers and for those who read with keys: a row for each row in view, and a cell for each part of the
// time in view. The cells lie over the canvas, invisible but for the ring around the one that has the focus. They exist only while the focus
// is in the grid, so they cost nothing otherwise.

import { html, nothing, render } from "lit";
import { AXIS, HEADING } from "../rows.js";
import { GRID } from "../protocol.js";
import { bandsOf } from "../bands.js";
import { drawnText, foundText } from "./sentences.js";
import { timesOnPage, viewInLog } from "../page-time.js";
import { part } from "../stage.js";
import { requestFrame } from "../frame.js";
import { rowText } from "../headers.js";
import { shownOf } from "../state.js";
import { stepOf } from "../format.js";

/** @typedef {import("../headers.js").Shown} Row */
/** @typedef {import("../protocol.js").Strips} Strips */
/** @typedef {{ row: Row, column: number }} Place column 0 is the row's header */

/** Most cells in a row: a tenth of the view is easy to calculate with. */
const MOST_CELLS = 10;

/** A cell is at least this wide, in CSS pixels. */
const LEAST_WIDTH = 44;

/** How long a view must rest, in ms, before its cells are asked for. */
const REST = 120;

/** Where a key of the grid leads from a cell: by how many rows and columns. @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity] };

/** @param {import("../context.js").Context} context */
export function followGrid(context) {
    const { stage, store } = context;
    const grid = new Grid(context, part(stage, "grid"));
    store.follow((state) => grid.look(shownOf(state).log !== null && state.view !== null));
}

/** What makes a row the same row in another view. @param {Row} row */
const keyOf = ({ kind, groups, at }) => `${kind} ${groups[0].key} ${at}`;

class Grid {
    #context;
    #element;
    /** Whether the focus is in it. */
    #entered = false;
    /** The cell with the focus. @type {{ key: string, y: number, column: number }} */
    #here = { key: "", y: 0, column: 1 };
    /** The cells' picture, and what it is of. @type {{ key: string, strips: Strips | null }} */
    #pictured = { key: "", strips: null };
    /** What only the cell with the focus says, about the span there, and which cell that is. */
    #detail = { cell: "", text: "" };
    /** Whether its elements are being changed: the one with the focus may be removed, which is no reason to leave. */
    #renders = false;
    /** Counts the changes: an answer that comes after the next change is ignored. */
    #changes = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #resting;
    #moved = requestFrame(() => this.#refresh());

    /**
     * @param {import("../context.js").Context} context
     * @param {HTMLElement} element
     */
    constructor(context, element) {
        this.#context = context;
        this.#element = element;
        const { timeline, signal } = { timeline: part(context.stage, "timeline"), signal: context.stage.signal };
        element.addEventListener("focusin", (event) => this.#enter(event), { signal });
        element.addEventListener("focusout", (event) => this.#leave(event), { signal });
        element.addEventListener("keydown", (event) => this.#pressed(event), { signal });
        timeline.addEventListener("scroll", this.#moved, { passive: true, signal });
    }

    /** @param {boolean} isThere whether there is anything to read */
    look(isThere) {
        if (this.#element.hidden === isThere) this.#element.hidden = !isThere;
        if (this.#entered) this.#moved();
    }

    /** The rows in view, from top to bottom. */
    get #rows() {
        const { timeline } = this.#context;
        const { top } = timeline.scrolled;
        // A heading that stays in view covers what is below it.
        const covered = top + timeline.layout.head + (top > 0 ? HEADING : 0);
        return timeline.inView.filter(({ kind, pinned, y, height }) => pinned || kind === "heading" || y + height > covered);
    }

    /**
     * The height of a row among all rows: a pinned one moves with the view.
     * @param {Row} row
     */
    #heightOf({ pinned, y }) {
        return pinned ? y - this.#context.timeline.scrolled.top : y;
    }

    /** The number of cells in a row. */
    get #cells() {
        return Math.min(Math.max(Math.floor(this.#context.timeline.width / LEAST_WIDTH), 1), MOST_CELLS);
    }

    /** @param {FocusEvent} event */
    #enter({ target }) {
        if (this.#entered) return;
        this.#entered = true;
        // The way out by Shift+Tab must not lead to the grid itself, which would give the focus to the cell again.
        this.#element.tabIndex = -1;
        const rows = this.#rows;
        if (target !== this.#element || rows.length === 0) return;
        const row = rows.find((row) => keyOf(row) === this.#here.key) ?? rows.find(({ kind }) => kind === "tracks") ?? rows[0];
        void this.#show({ row, column: Math.min(this.#here.column, this.#cells) });
    }

    /** @param {FocusEvent} event */
    #leave({ relatedTarget }) {
        if (this.#renders || (relatedTarget instanceof Node && this.#element.contains(relatedTarget))) return;
        this.#entered = false;
        this.#element.tabIndex = 0;
        this.#changes += 1;
        render(nothing, this.#element);
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
        if (altKey || ctrlKey || metaKey || shiftKey) return;
        const step = STEPS[key];
        if (step) this.#go(...step);
        else if (key === "Enter" || key === " ") this.#act();
        else if (key === "Escape") this.#context.timeline.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** The row with the focus, as it is now. */
    get #row() {
        const rows = this.#rows;
        return rows.find((row) => keyOf(row) === this.#here.key) ?? rows.find(({ y }) => y >= this.#here.y) ?? rows.at(-1);
    }

    /**
     * Goes to another cell. Beyond the first and the last one, the view moves; so does it above the first row in view and below the last.
     * @param {number} down
     * @param {number} right
     */
    #go(down, right) {
        const { timeline, moving } = this.#context;
        const from = this.#row;
        if (!from) return;
        const column = this.#here.column + right;
        const last = this.#cells;
        if (Math.abs(right) === 1 && column > last) moving.panBy(1 / last);
        // The row's header is before the first cell, so the way to earlier times leads over it.
        if (Math.abs(right) === 1 && column < 0) moving.panBy(-1 / last);
        const y = this.#heightOf(from);
        const edge = down > 0 ? y + from.height : y - 1;
        const row = (down !== 0 && edge >= AXIS && timeline.rowAt(edge)) || from;
        void this.#show({ row, column: Math.min(Math.max(column, 0), last) });
    }

    /** Folds or unfolds the group of a heading; selects what is drawn in a cell. */
    #act() {
        const { timeline, selecting } = this.#context;
        const row = this.#row;
        if (!row) return;
        if (row.kind === "heading") {
            timeline.fold(row.groups[0].key, !row.folded);
            this.#moved();
        } else if (row.track && this.#here.column > 0)
            selecting.click({ log: row.log, track: row.track.id, ...this.#timeOf(this.#here.column) });
    }

    /**
     * The time of a cell, in the log's own time.
     * @param {number} column
     */
    #timeOf(column) {
        const state = this.#context.store.value;
        const { from, to } = viewInLog(shownOf(state), state.view ?? { from: 0, to: 1 });
        const length = (to - from) / this.#cells;
        return { from: from + (column - 1) * length, to: from + column * length };
    }

    /** The view has moved, or other rows have come into view. */
    #refresh() {
        if (!this.#entered) return;
        clearTimeout(this.#resting);
        this.#resting = setTimeout(() => {
            const row = this.#entered && this.#row;
            if (row) void this.#show({ row, column: Math.min(this.#here.column, this.#cells) });
        }, REST);
    }

    /**
     * Brings a cell into view, and gives it the focus once its sentence is there: screen readers read it only then.
     * @param {Place} place
     */
    async #show({ row, column }) {
        const { timeline, client } = this.#context;
        this.#here = { key: keyOf(row), y: row.y, column };
        const mine = ++this.#changes;
        const { top } = timeline.scrolled;
        const [above, below] = [row.y - timeline.layout.head - HEADING, row.y + row.height - timeline.height];
        if (!row.pinned && (top > above || top < below)) timeline.scrollBy((top > above ? Math.max(above, 0) : below) - top);
        if (row.kind === "tracks" && !row.track) await timeline.find({ group: row.groups[0].key, at: row.at });
        const strips = await this.#picture();
        const track = this.#row?.track;
        const { log: number } = row;
        const cell = track ? `${number} ${track.id} ${JSON.stringify(this.#timeOf(column))}` : "";
        if (track && column > 0 && cell !== this.#detail.cell) {
            const found = await client.of(number).ask("lookUp", { asker: GRID, track: track.id, ...this.#timeOf(column) });
            if (mine === this.#changes) this.#detail = { cell, text: foundText(track, found) };
        } else if (cell !== this.#detail.cell) this.#detail = { cell: "", text: "" };
        if (mine !== this.#changes || !this.#entered) return;
        this.#render(strips);
        const own = this.#element.querySelector('[tabindex="0"]');
        if (own instanceof HTMLElement && !own.matches(":focus")) own.focus({ preventScroll: true });
    }

    /** A picture of the rows in view, with a pixel for each cell; the last one, if nothing has changed. */
    async #picture() {
        const { store, log } = this.#context;
        const state = store.value;
        const shown = shownOf(state);
        const { order, count } = shown.bands;
        const ids = [...new Set(this.#rows.flatMap(({ track }) => (track ? [track.id] : [])))];
        if (!state.view || ids.length === 0) return null;
        const { from, to } = viewInLog(shown, state.view);
        const wish = { from, to, width: this.#cells, tracks: [{ ids, colours: [], height: 1 }], bands: { order, count } };
        const key = JSON.stringify([wish, shown.log?.status.offset]);
        if (key === this.#pictured.key) return this.#pictured.strips;
        const strips = await log.ask("cells", wish);
        if (strips) this.#pictured = { key, strips };
        return strips;
    }

    /** @param {Strips | null} strips */
    #render(strips) {
        const { timeline } = this.#context;
        const { layout } = timeline;
        const { top, left } = timeline.scrolled;
        // Places of rows before their run, so that each row has its number among all.
        let before = 0;
        const numbers = layout.runs.map(({ count }) => (before += count) - count);
        const numberOf = (/** @type {Row} */ row) => {
            const y = this.#heightOf(row);
            const run = layout.runs.findLastIndex((run) => run.y <= y);
            return run < 0 ? 1 : numbers[run] + Math.round((y - layout.runs[run].y) / layout.runs[run].height) + 1;
        };
        this.#element.ariaRowCount = String(before);
        this.#element.ariaColCount = String(this.#cells + 1);
        const width = timeline.width / this.#cells;
        const here = this.#row && keyOf(this.#row);
        const rows = this.#rows.map((row) => {
            // A row without a track has no cells: the focus is then at its header.
            const column = keyOf(row) !== here ? -1 : row.track ? this.#here.column : 0;
            const place = `top: ${row.y - top}px; height: ${row.height}px`;
            const header = html`<span role="rowheader" aria-colindex="1" tabindex=${column === 0 ? 0 : -1} .style=${`left: 0; width: ${left}px`}
                ><span class="visually-hidden">${rowText(row)}</span></span>`;
            const cells = Array.from({ length: row.track ? this.#cells : 0 }, (_, at) => {
                const isHere = column === at + 1;
                return html`<span
                    role="gridcell"
                    aria-colindex=${at + 2}
                    tabindex=${isHere ? 0 : -1}
                    .style=${`left: ${left + at * width}px; width: ${width}px`}
                    ><span class="visually-hidden">${this.#sentence(row, at + 1, strips, isHere)}</span></span
                >`;
            });
            return html`<div role="row" aria-rowindex=${numberOf(row)} .style=${place}>${header}${cells}</div>`;
        });
        this.#renders = true;
        render(rows, this.#element);
        this.#renders = false;
    }

    /**
     * @param {Row} row
     * @param {number} column
     * @param {Strips | null} strips
     * @param {boolean} isHere
     */
    #sentence(row, column, strips, isHere) {
        const state = this.#context.store.value;
        const shown = shownOf(state);
        const { track } = row;
        const { from, to } = this.#timeOf(column);
        const times = timesOnPage(state, shown);
        const [first, last] = [from, to].map((time) => times.text(time + shown.offset, stepOf(from, to)));
        const strip = track && strips?.tracks.get(track.id);
        const drawn = track && strip ? drawnText(track, strip, column - 1, (strip) => bandsOf(strip, shown.bands.named)) : "";
        const detail = isHere && this.#detail.cell ? this.#detail.text : "";
        const name = track?.name ?? row.groups[0].name;
        return `${name}, ${first} to ${last}: ${[drawn, detail].filter(Boolean).join("; ") || "…"}`;
    }
}
