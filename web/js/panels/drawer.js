// The drawer below the timeline: tabs, and the panel of the one that is chosen.

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { Part } from "./part.js";
import { Contents } from "./contents.js";
import { copyText } from "./copying.js";
import { FIRST, STEP, bounded, LEAST, MOST, remember, remembered } from "./layout.js";
import { sectionsPanel, summaryPanel } from "./section.js";
import { TABS, emptyText, isMissing, sectionsOf, tabAfter } from "./tabs.js";
import { count, duration, interval } from "../format.js";
import { follow } from "../store.js";
import { REST as NAMELESS } from "../paint/named.js";
import { requestTurn } from "../frame.js";

/** @typedef {import("./tabs.js").Tab} Tab */
/** @typedef {import("./histogram.js").LogHistogram} LogHistogram */
/** @typedef {import("./table.js").LogTable} LogTable */
/** @typedef {import("./part.js").State} State */

/**
 * What can be done in the drawer.
 * @typedef {object} DrawerActs
 * @property {() => void} zoom to the selected range
 * @property {() => void} clear the selected range
 * @property {(time: number, track?: number) => void} goTo shows a time, and selects what a track shows there
 * @property {(text: string) => void} say tells those who listen
 * @property {import("./table.js").TableActs["pick"]} pick tells more of a table's row
 * @property {(group: string) => void} rows has it chosen which rows a group of tracks has
 * @property {import("./contents.js").AskTable} table
 * @property {import("./flame.js").FlameActs["flame"]} flame gives a flame graph
 * @property {import("./flame.js").FlameActs["describe"]} describe
 * @property {import("./flame.js").FlameActs["roleOf"]} roleOf
 * @property {(range: boolean) => Promise<string | null>} markdown gives all that is said, of the whole log or of the range that is
 *     summed up
 * @property {(() => void) | null} save saves the log with the viewer; null where that cannot be
 * @property {import("./exports.js").ExportAs | null} exportAs saves a profile as another tool reads it; likewise
 */

/** Between the presses of a double click, in ms. */
const DOUBLE = 500;

/** How long the first picture of a log's tracks is waited for, in ms: nothing depends on there being one. */
const PICTURE = 1000;

/** How long nothing new has been told when what paper would need is asked for, in ms. */
const REST = 500;

/**
 * It never takes from a frame what the timeline needs: the facts of a log are rendered in a task of their own, after the tracks,
 * and only those of the tab that is seen. Until then `aria-busy` says so. What the user does to the drawer is seen at once.
 */
export class LogDrawer extends Part {
    static properties = {
        share: { state: true },
        folded: { state: true },
        tab: { state: true },
        behind: { state: true },
        printing: { state: true },
    };

    /** Whether it was folded when a double click began: its first click may have chosen a tab, which unfolds. */
    #wasFolded = false;
    /** When that was. */
    #pressed = -Infinity;
    /** @type {DrawerActs | null} */
    #acts = null;
    #remembers = false;
    #contents = new Contents(async () => null);
    #turn = requestTurn(() => this.#takeTurn());
    /** A log's first picture is on the screen when the frame after it begins. */
    #firstTurn = requestTurn(this.#turn);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #waiting;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #resting;
    /** What is told of the row that was picked last. */
    #revealed = "";
    /** How far the panel was scrolled when it was folded. */
    #scrolled = 0;

    constructor() {
        super();
        this.share = FIRST.share;
        this.folded = FIRST.folded;
        this.tab = FIRST.tab;
        /** Whether there is more to show than is shown. */
        this.behind = false;
        this.printing = false;
    }

    /**
     * @param {import("../store.js").Store<State>} store
     * @param {DrawerActs} acts
     * @param {boolean} remembers how it stands
     */
    start(store, acts, remembers) {
        this.#acts = acts;
        this.#remembers = remembers;
        this.#contents = new Contents(acts.table);
        if (remembers) Object.assign(this, remembered());
        this.watch(store, ({ range, theme }) => [range, theme]);
        follow(
            store,
            ({ opening, log, totals, pictured }) => [opening, log, totals, pictured],
            (state) => this.#follow(state),
        );
    }

    /** @param {State} state */
    #follow({ opening, log, pictured }) {
        const contents = this.#contents;
        if (opening !== contents.opening) {
            contents.begin(opening);
            this.#waitNoMore();
            this.requestUpdate();
        }
        // Totals come by themselves: nothing else is to be drawn for them.
        if (log === contents.log) return this.#take();
        this.behind = true;
        if (contents.log || !log?.status.extent) return this.#turn();
        if (pictured) this.#firstTurn();
        this.#waiting ??= setTimeout(this.#turn, PICTURE);
    }

    #waitNoMore() {
        clearTimeout(this.#waiting);
        this.#waiting = undefined;
    }

    /**
     * Renders, and then has it laid out: else the next frame would do that, beside what is new in the timeline. A task for each,
     * since both together would be a long one.
     */
    #takeTurn() {
        this.#take();
        this.performUpdate();
        setTimeout(() => void this.clientHeight);
    }

    /** Shows what is told now. */
    #take() {
        this.#waitNoMore();
        this.behind = false;
        const { store } = this;
        if (!store || !this.#contents.take(store.value)) return;
        this.requestUpdate();
        clearTimeout(this.#resting);
        if (store.value.finished) this.#resting = setTimeout(() => this.#contents.prepareForPaper(), REST);
    }

    /**
     * Renders what paper shows, whichever tab is chosen, or what the screen does again.
     * @param {boolean} begins the browser takes its picture at once
     */
    print(begins) {
        this.#take();
        this.printing = begins;
        this.performUpdate();
        this.#showTables();
    }

    /** What sections are shown with. */
    get #shown() {
        const nowhere = {
            goTo: () => {},
            say: () => {},
            pick: () => {},
            rows: () => {},
            flame: async () => null,
            describe: () => {},
            roleOf: () => NAMELESS,
        };
        const { log, told } = this.#contents;
        return {
            origin: log?.status.extent?.[0] ?? 0,
            acts: this.#acts ?? nowhere,
            rowsOf: (/** @type {import("../protocol.js").TableInfo} */ table) => this.#contents.rowsOf(table),
            told,
            exportAs: (this.store?.value.finished && this.#acts?.exportAs) || null,
            theme: this.store?.value.theme ?? null,
            printed: this.printing,
        };
    }

    /** What a panel is rendered again for. The drawer itself is rendered in each frame in which a range is dragged. */
    get #about() {
        const { opening, log, totals } = this.#contents;
        return [opening, log, totals, this.store?.value.theme];
    }

    render() {
        const chosen = TABS.find(({ key }) => key === this.tab) ?? TABS[0];
        const isSummary = chosen.what === undefined;
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
            <section id="panel" class="panel" role="tabpanel" tabindex="0" aria-labelledby="tab-${chosen.key}" aria-busy=${this.behind ? "true" : nothing}>
                <section id="summary" class="summary" aria-label="Summary" ?hidden=${!isSummary}>${(isSummary && !this.folded) || this.printing ? this.#summary() : nothing}</section>
                ${isSummary || this.folded ? nothing : this.#content(chosen)}
            </section>
        `;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        // How far one tab was scrolled says nothing of another.
        if (changed.has("tab")) this.#scrolled = 0;
        if (changed.has("folded") && this.folded) this.#scrolled = this.querySelector("#panel")?.scrollTop ?? 0;
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        if (changed.has("tab")) this.#reveal();
        if (changed.has("folded")) this.#foldPanel();
        if (changed.has("share")) this.style.setProperty("--share", String(this.share));
        if (!changed.has("tab")) this.#revealPicked();
    }

    /** What is told of a row that was picked may be out of sight: it is shown, once. */
    #revealPicked() {
        const told = [...this.querySelectorAll("log-histogram")].find((part) => /** @type {LogHistogram} */ (part).isOfPicked);
        const histogram = /** @type {LogHistogram | undefined} */ (told);
        if (!histogram) return;
        const name = histogram.info?.name ?? "";
        if (name !== this.#revealed) void histogram.updateComplete.then(() => histogram.scrollIntoView({ block: "nearest" }));
        this.#revealed = name;
    }

    #foldPanel() {
        this.classList.toggle("folded", this.folded);
        const panel = this.querySelector("#panel");
        if (this.folded || !panel || this.#scrolled === 0) return;
        this.#showTables();
        panel.scrollTop = this.#scrolled;
    }

    /** Renders the tables of the panel without waiting for their turn. */
    #showTables() {
        for (const table of /** @type {NodeListOf<LogTable>} */ (this.querySelectorAll("#panel log-table"))) table.showNow();
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
        const things = sectionsOf(tab, this.#contents.told.sections).find((section) => section.count !== undefined)?.count;
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
            @click=${() => this.choose(key)}
        >
            <span>${name}${number ? html` <span class="count">${number}</span>` : nothing}</span>
        </button>`;
    }

    /**
     * Why a tab has nothing to show; null if it has.
     * @param {Tab} tab
     */
    #emptyText(tab) {
        const sections = sectionsOf(tab, this.#contents.told.sections);
        return sections.length === 0 || sections.some((section) => !isMissing(section)) ? null : emptyText(tab, sections);
    }

    /** @param {Tab} tab */
    #content(tab) {
        return guard([...this.#about, tab.key], () => {
            const empty = this.#emptyText(tab);
            if (empty) return empty.map((line) => html`<p>${line}</p>`);
            return html`<div class="tab-panel">${sectionsPanel(sectionsOf(tab, this.#contents.told.sections), this.#shown)}</div>`;
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
        return guard([...this.#about, this.printing], () => {
            const { log, totals } = this.#contents;
            if (!log) return nothing;
            const what = totals ? `Summary of ${duration(totals.to - totals.from)} selected` : "Summary";
            // Tab and chip say it to those who see them.
            return html`<h2 class="visually-hidden">${what}</h2>
                <div class="summary-tools">
                    ${this.#saveButton()}
                    <button
                        class="copy summary-copy"
                        title="Copy all panels' figures and tables, for an issue or a pull request"
                        @click=${() => this.#copySummary()}
                    >copy summary as Markdown</button>
                </div>
                ${summaryPanel(this.#shown)}`;
        });
    }

    #saveButton() {
        const save = this.#acts?.save;
        if (!save || !this.store?.value.finished) return nothing;
        return html`<button id="save-page" class="copy" title="Save the viewer with this log in it as one file" @click=${save}>save as one HTML file…</button>`;
    }

    async #copySummary() {
        const acts = this.#acts;
        if (acts) acts.say(await copyText(acts.markdown(this.#contents.totals !== null), "Summary"));
    }

    /** @param {string} key */
    choose(key) {
        this.tab = key;
        this.folded = false;
        this.#keep();
    }

    /** @param {KeyboardEvent} event */
    #go(event) {
        const at = tabAfter(
            TABS.findIndex(({ key }) => key === this.tab),
            event.key,
        );
        if (at === null || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        this.choose(TABS[at].key);
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
