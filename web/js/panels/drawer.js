// The drawer below the timeline: tabs, and the panel of the one that is chosen.

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { Part } from "./part.js";
import { STEP, bounded, LEAST, MOST, remember, remembered } from "./layout.js";
import { TABS, emptyText, tabAfter } from "./tabs.js";
import { duration, interval } from "../format.js";
import { element, summaryTables } from "../describe.js";

/** @typedef {import("./tabs.js").Tab} Tab */

/**
 * What can be done with the selected range.
 * @typedef {{ zoom: () => void, clear: () => void }} RangeActs
 */

/** Between the presses of a double click, in ms. */
const DOUBLE = 500;

export class LogDrawer extends Part {
    static properties = { share: { state: true }, folded: { state: true }, tab: { state: true } };

    /** Whether it was folded when a double click began: its first click may have chosen a tab, which unfolds. */
    #wasFolded = false;
    /** When that was. */
    #pressed = -Infinity;
    /** @type {RangeActs | null} */
    #acts = null;

    constructor() {
        super();
        const { share, folded, tab } = remembered();
        this.share = share;
        this.folded = folded;
        this.tab = tab;
    }

    /**
     * @param {import("../store.js").Store<import("./part.js").State>} store
     * @param {RangeActs} acts
     */
    start(store, acts) {
        this.#acts = acts;
        this.watch(store, ({ log, finished, totals, range }) => [log, finished, totals, range]);
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
                ${chosen.what === undefined ? nothing : emptyText(chosen).map((line) => html`<p>${line}</p>`)}
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
        const { key, name, what } = tab;
        const chosen = key === this.tab;
        // It can be chosen none the less: it says what is missing, also to those who cannot hover over it.
        return html`<button
            id="tab-${key}"
            role="tab"
            data-name=${name}
            aria-controls="panel"
            aria-selected=${chosen}
            aria-disabled=${what === undefined ? nothing : "true"}
            tabindex=${chosen ? 0 : -1}
            title=${what === undefined ? nothing : emptyText(tab).join(" ")}
            @click=${() => this.#choose(key)}
        >
            ${name}
        </button>`;
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
        const { log, finished, totals } = this.store?.value ?? {};
        // Its tables are large, and the drawer is rendered in each frame in which a range is dragged.
        return guard([log, finished, totals], () => {
            if (!log || !finished) return nothing;
            const what = totals ? `Summary of ${duration(totals.to - totals.from)} selected` : "Summary";
            // Tab and chip say it to those who see them.
            return [element("h2", { class: "visually-hidden" }, what), ...summaryTables(log, totals ?? null)];
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
        remember({ share: this.share, folded: this.folded, tab: this.tab });
    }
}

customElements.define("log-drawer", LogDrawer);
