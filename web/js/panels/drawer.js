// The drawer below the timeline: tabs, and the panel of the one that is chosen.

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { Part } from "./part.js";
import { FIRST, STEP, bounded, LEAST, MOST, remember, remembered } from "./layout.js";
import { PagedRows } from "./paged.js";
import { sectionsPanel, summaryPanel } from "./section.js";
import { TABS, emptyText, isMissing, sectionsOf, tabAfter } from "./tabs.js";
import { told } from "./told.js";
import { count, duration, interval } from "../format.js";

/** @typedef {import("./tabs.js").Tab} Tab */
/** @typedef {import("../protocol.js").TableInfo} TableInfo */

/**
 * What can be done in the drawer.
 * @typedef {object} DrawerActs
 * @property {() => void} zoom to the selected range
 * @property {() => void} clear the selected range
 * @property {(time: number, track?: number) => void} goTo shows a time, and selects what a track shows there
 * @property {(text: string) => void} say tells those who listen
 * @property {(question: import("./paged.js").Question & { table: string, range: boolean }) => Promise<import("../protocol.js").TablePage | null>} table
 *     gives some rows of a table: of the whole log, or of the range that is summed up
 */

/** Between the presses of a double click, in ms. */
const DOUBLE = 500;

export class LogDrawer extends Part {
    static properties = { share: { state: true }, folded: { state: true }, tab: { state: true } };

    /** Whether it was folded when a double click began: its first click may have chosen a tab, which unfolds. */
    #wasFolded = false;
    /** When that was. */
    #pressed = -Infinity;
    /** @type {DrawerActs | null} */
    #acts = null;
    #remembers = false;
    /** The rows of the tables of the log that is shown, by the tables' keys. @type {Map<string, PagedRows>} */
    #rows = new Map();
    /** What those rows are about. @type {unknown[]} */
    #about = [];
    /** What is said of that. @type {import("./told.js").Told} */
    #told = told([], null);

    constructor() {
        super();
        this.share = FIRST.share;
        this.folded = FIRST.folded;
        this.tab = FIRST.tab;
    }

    /**
     * @param {import("../store.js").Store<import("./part.js").State>} store
     * @param {DrawerActs} acts
     * @param {boolean} remembers how it stands
     */
    start(store, acts, remembers) {
        this.#acts = acts;
        this.#remembers = remembers;
        if (remembers) Object.assign(this, remembered());
        this.watch(store, ({ log, opening, totals, range }) => [log, opening, totals, range]);
    }

    willUpdate() {
        const { opening, log, totals } = this.store?.value ?? {};
        const about = [opening, log, totals];
        if (about.every((part, at) => part === this.#about[at])) return;
        if (opening !== this.#about[0]) this.#rows.clear();
        this.#about = about;
        this.#told = told(log?.facts.sections ?? [], totals?.facts.sections ?? null);
        // The log has been read further, or another range is summed up.
        for (const rows of this.#rows.values()) rows.outdate();
    }

    /** @param {TableInfo} table */
    #rowsOf({ key, rows }) {
        const acts = this.#acts;
        const known = this.#rows.get(key);
        if (known || !acts) return known ?? new PagedRows(rows, async () => null);
        const ask = (/** @type {import("./paged.js").Question} */ question) =>
            acts.table({ table: key, range: this.store?.value.totals != null && !this.#told.wholeTables.has(key), ...question });
        const made = new PagedRows(rows, ask);
        this.#rows.set(key, made);
        return made;
    }

    /** What sections are shown with. */
    get #shown() {
        const { log } = this.store?.value ?? {};
        const nowhere = { goTo: () => {}, say: () => {} };
        return {
            origin: log?.status.extent?.[0] ?? 0,
            acts: this.#acts ?? nowhere,
            rowsOf: (/** @type {TableInfo} */ table) => this.#rowsOf(table),
            told: this.#told,
        };
    }

    render() {
        const chosen = TABS.find(({ key }) => key === this.tab) ?? TABS[0];
        const percent = this.folded ? 0 : Math.round(this.share * 100);
        return html`
            <div
                class="handle"
                role="separator"
                tabindex="0"
                aria-orientation="horizontal"
                aria-label="Height of the panels"
                aria-controls="panel"
                aria-valuemin="0"
                aria-valuemax=${MOST * 100}
                aria-valuenow=${percent}
                aria-valuetext=${this.folded ? "folded" : `${percent} % of the window`}
                title="Drag to resize, double-click to fold"
                @pointerdown=${this.#grasp}
                @pointermove=${this.#drag}
                @pointerup=${this.#keep}
                @keydown=${this.#resize}
                @dblclick=${this.#fold}
            ></div>
            <div class="tab-row" @pointerdown=${this.#noteFold} @dblclick=${this.#foldFromRow}>
                <div class="tabs" role="tablist" aria-label="Panels" @keydown=${this.#go}>${TABS.map((tab) => this.#tabButton(tab))}</div>
                ${this.#chip()}
                <button
                    class="fold"
                    aria-expanded=${!this.folded}
                    aria-controls="panel"
                    aria-label=${this.folded ? "Unfold the panels" : "Fold the panels"}
                    title=${this.folded ? "Unfold" : "Fold"}
                    @click=${this.#fold}
                >
                    ${this.folded ? "▴" : "▾"}
                </button>
            </div>
            <section id="panel" class="panel" role="tabpanel" tabindex="0" aria-labelledby="tab-${chosen.key}">
                <section id="summary" class="summary" aria-label="Summary" ?hidden=${chosen.what !== undefined}>${this.#summary()}</section>
                ${chosen.what === undefined ? nothing : this.#content(chosen)}
            </section>
        `;
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        if (changed.has("tab")) this.#reveal();
        this.classList.toggle("folded", this.folded);
        this.style.setProperty("--share", String(this.share));
    }

    /** Where there is no room for all tabs they scroll; nothing else of the page shall. */
    #reveal() {
        const [row, tab] = [".tabs", `#tab-${this.tab}`].map((selector) => this.querySelector(selector));
        if (!row || !tab) return;
        const [frame, box] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
        row.scrollLeft += Math.min(box.left - frame.left, 0) + Math.max(box.right - frame.right, 0);
    }

    /** @param {Tab} tab */
    #tabButton(tab) {
        const { key, name } = tab;
        const chosen = key === this.tab;
        const empty = this.#emptyText(tab);
        const things = sectionsOf(tab, this.#told.sections).find((section) => section.count !== undefined)?.count;
        const number = empty || things === undefined ? "" : count(things);
        // It can be chosen none the less: it says what is missing, also to those who cannot hover over it.
        return html`<button
            id="tab-${key}"
            role="tab"
            data-name=${`${name} ${number}`.trim()}
            aria-controls="panel"
            aria-selected=${chosen}
            aria-disabled=${empty ? "true" : nothing}
            tabindex=${chosen ? 0 : -1}
            title=${empty ? empty.join(" ") : nothing}
            @click=${() => this.#choose(key)}
        >
            <span>${name}${number ? html` <span class="count">${number}</span>` : nothing}</span>
        </button>`;
    }

    /**
     * Why a tab has nothing to show; null if it has.
     * @param {Tab} tab
     */
    #emptyText(tab) {
        const sections = sectionsOf(tab, this.#told.sections);
        return sections.length === 0 || sections.some((section) => !isMissing(section)) ? null : emptyText(tab, sections);
    }

    /** @param {Tab} tab */
    #content(tab) {
        return guard([...this.#about, tab.key], () => {
            const empty = this.#emptyText(tab);
            if (empty) return empty.map((line) => html`<p>${line}</p>`);
            return html`<div class="tab-panel">${sectionsPanel(sectionsOf(tab, this.#told.sections), this.#shown)}</div>`;
        });
    }

    #chip() {
        const { range, log } = this.store?.value ?? {};
        if (!range || !log) return nothing;
        const origin = log.status.extent?.[0] ?? 0;
        const text = `${interval(range.from - origin, range.to - origin)} · ${duration(range.to - range.from)}`;
        return html`<div class="chip" role="group" aria-label="Selected range">
            <button class="range" title="Zoom to the range (Enter)" @click=${() => this.#acts?.zoom()}>${text}</button>
            <button aria-label="Clear the range" title="Clear the range (Esc)" @click=${() => this.#acts?.clear()}>×</button>
        </div>`;
    }

    #summary() {
        const { log, totals } = this.store?.value ?? {};
        // It is large, and the drawer is rendered in each frame in which a range is dragged.
        return guard(this.#about, () => {
            if (!log) return nothing;
            const what = totals ? `Summary of ${duration(totals.to - totals.from)} selected` : "Summary";
            // Tab and chip say it to those who see them.
            return html`<h2 class="visually-hidden">${what}</h2>${summaryPanel(this.#told.sections, this.#shown)}`;
        });
    }

    /** @param {string} key */
    #choose(key) {
        this.tab = key;
        this.folded = false;
        this.#keep();
    }

    /** @param {KeyboardEvent} event */
    #go(event) {
        const at = tabAfter(TABS.findIndex(({ key }) => key === this.tab), event.key);
        if (at === null || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        this.#choose(TABS[at].key);
        /** @type {HTMLElement | null} */ (this.querySelector(`#tab-${this.tab}`))?.focus();
    }

    #fold() {
        this.folded = !this.folded;
        this.#keep();
    }

    /** @param {PointerEvent} event */
    #noteFold({ timeStamp }) {
        // Two presses within a moment are one double click.
        if (timeStamp - this.#pressed > DOUBLE) this.#wasFolded = this.folded;
        this.#pressed = timeStamp;
    }

    /** @param {MouseEvent} event */
    #foldFromRow({ target }) {
        if (target instanceof Element && target.closest(".chip, .fold")) return;
        this.folded = !this.#wasFolded;
        this.#keep();
    }

    /** @param {PointerEvent} event */
    #grasp({ currentTarget, pointerId }) {
        /** @type {HTMLElement} */ (currentTarget).setPointerCapture(pointerId);
    }

    /** @param {PointerEvent} event */
    #drag({ currentTarget, pointerId, clientY, movementY }) {
        if (!(/** @type {HTMLElement} */ (currentTarget).hasPointerCapture(pointerId)) || movementY === 0) return;
        const share = (this.getBoundingClientRect().bottom - clientY) / this.room;
        this.folded = share < LEAST / 2;
        this.share = bounded(share);
    }

    /** @param {KeyboardEvent} event */
    #resize(event) {
        const { key } = event;
        if (key === "Enter") this.#fold();
        else if (key === "ArrowUp") this.#setShare(this.folded ? this.share : this.share + STEP);
        else if (key === "ArrowDown") this.#setShare(this.share - STEP);
        else if (key === "Home") this.#setShare(LEAST);
        else if (key === "End") this.#setShare(MOST);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** @param {number} share */
    #setShare(share) {
        this.share = bounded(share);
        this.folded = false;
        this.#keep();
    }

    #keep() {
        if (this.#remembers) remember({ share: this.share, folded: this.folded, tab: this.tab });
    }
}

customElements.define("log-drawer", LogDrawer);
