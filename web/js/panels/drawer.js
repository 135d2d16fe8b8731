// The drawer below the timeline: tabs, and the panel of the one that is chosen.

import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import { EXPORTS } from "../exports/index.js";
import { PANELS } from "./tabs/index.js";
import { Part } from "./part.js";
import { Contents } from "./contents.js";
import { actsOf } from "./acts.js";
import { STEP, bounded, firstLayout, LEAST, MOST, rememberLayout, rememberedLayout } from "./layout.js";
import { askRows } from "./event-acts.js";
import { countedBy, sectionsOf, tabAfter, tabHint, wantedBy } from "./panel.js";
import { isMissing } from "../facts.js";
import { firstEvent } from "./range-or-whole.js";
import { sectionsPanel } from "./section.js";
import { showRange } from "../navigation/ranges.js";
import { startExporting } from "../saving/exporting.js";
import { count, duration, interval } from "../format.js";
import { follow } from "../store.js";
import { shownOf } from "../state.js";
import { requestTurn } from "../frame.js";
import { originOnPage } from "../page-time.js";
import { timesOf, timesOnPage } from "../page-time.js";
import { asLines } from "../why-none.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {import("./section.js").Shown} Shown */
/** @typedef {import("./histogram.js").LogHistogram} LogHistogram */
/** @typedef {import("./table.js").LogTable} LogTable */
/** @typedef {import("./part.js").State} State */

const KEYS = PANELS.map(({ key }) => key);

/** Longest time between the presses of a double click, in ms. */
const DOUBLE = 500;

/** How long to wait for the first picture of a log's tracks, in ms: there may be none. */
const PICTURE = 1000;

/** A tab of which this much can be seen is in view. */
const MOST_OF_TAB = 0.9;

/** After this many ms without new facts, ask for what a print would need. */
const REST = 500;

/**
 * It never delays a frame of the timeline: the facts are rendered in a task of their own, after the tracks, and only those of the chosen
 * tab. Until then, `aria-busy` is set. What the user does to the drawer has its effect at once.
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
    /** When that double click began. */
    #pressed = -Infinity;
    /** @type {Context | null} */
    #context = null;
    /** What its panels can do, set once at the start. @type {Pick<Shown, "acts" | "exportAs" | "namesFrom"> | null} */
    #doing = null;
    /** What can be done with the whole contents. @type {(Shown["exports"][0] & { needsAll?: boolean })[]} */
    #exports = [];
    #contents = new Contents(async () => null);
    #turn = requestTurn(() => this.#takeTurn());
    /** The drawer's first turn comes when a log's first picture is on the screen: when the frame after it begins. */
    #firstTurn = requestTurn(this.#turn);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #waiting;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #resting;
    /** Called when newer facts come: a print waits for them. @type {(() => void)[]} */
    #gathering = [];
    /** The key of the details of the row that was picked last. */
    #revealed = "";
    /** How far the panel was scrolled when the drawer was folded. */
    #scrolled = 0;
    /** How far the row of tabs was scrolled to have the chosen one in view. */
    #revealedAt = 0;
    /** The number of the log that the tab was chosen for. */
    #chosenFor = 0;

    constructor() {
        super();
        const { share, folded, tab } = firstLayout(KEYS);
        this.share = share;
        this.folded = folded;
        this.tab = tab;
        /** Whether newer facts than the shown ones have come. */
        this.behind = false;
        this.printing = false;
    }

    /** @param {Context} context */
    start(context) {
        const { stage, store, log } = context;
        this.#context = context;
        this.#doing = { acts: actsOf(context), exportAs: startExporting(context), namesFrom: (file) => log.ask("namesFrom", { file }) };
        this.#exports = EXPORTS.flatMap(({ start, ...way }) => {
            const run = start(context);
            return run ? [{ ...way, run }] : [];
        });
        this.#contents = new Contents((question) => askRows(log, question));
        if (stage.own) Object.assign(this, rememberedLayout(KEYS));
        this.watch(store, (state) => [
            state.range,
            state.theme,
            state.clock,
            state.sources,
            state.finding,
            shownOf(state).dismissed,
            shownOf(state).eachOf,
            shownOf(state).search,
            shownOf(state).calls,
            shownOf(state).notes,
        ]);
        follow(
            store,
            (state) => [state.shown, shownOf(state).log, shownOf(state).totals, state.pictured],
            (state) => this.#follow(state),
        );
    }

    /** @param {State} state */
    #follow({ pictured, ...state }) {
        const { number, log } = shownOf(state);
        const contents = this.#contents;
        if (number !== contents.opening) {
            contents.begin(number);
            this.#tellWanted();
            this.#waitNoMore();
            this.#scrolled = 0;
            this.querySelector("#panel")?.scrollTo(0, 0);
            this.requestUpdate();
        }
        // A report that was on its way when all facts were asked for does not have them yet.
        if (log !== contents.log && (log?.areFactsNew ?? true)) for (const come of this.#gathering.splice(0)) come();
        // Only the range's totals have changed: no picture of the timeline depends on those.
        if (log === contents.log) return this.#take();
        this.behind = true;
        if (contents.log || !log?.status.extent) return this.#turn();
        if (pictured) this.#firstTurn();
        this.#waiting ??= setTimeout(this.#turn, PICTURE);
    }

    /** Tells the worker which facts the open tab shows. */
    #tellWanted() {
        this.#context?.log.send("show", this.#wanted);
    }

    /** The keys of the sections that it shows; null for all. */
    get #wanted() {
        return this.folded ? [] : wantedBy(this.#chosen);
    }

    #waitNoMore() {
        clearTimeout(this.#waiting);
        this.#waiting = undefined;
    }

    /**
     * Renders, and then makes the browser lay it out: otherwise the next frame would do that together with the timeline's changes. Two
     * tasks, since one for both would be long.
     */
    #takeTurn() {
        this.#take();
        this.performUpdate();
        setTimeout(() => void this.clientHeight);
    }

    /** Shows the newest facts. */
    #take() {
        this.#waitNoMore();
        this.behind = false;
        if (!this.#contents.take(this.shown)) return;
        this.#fitTab();
        this.requestUpdate();
        this.#prepareSoon();
    }

    #prepareSoon() {
        clearTimeout(this.#resting);
        if (this.shown.finished) this.#resting = setTimeout(() => this.#prepareForPaper(), REST);
    }

    /** The tab of the log before stays, if it has something to show of this one; else the first one that has. It is still remembered. */
    #fitTab() {
        if (!this.shown.finished || this.#chosenFor === this.#contents.opening) return;
        this.#chosenFor = this.#contents.opening;
        const isFilled = (/** @type {Panel} */ panel) => this.#emptyText(panel) === null;
        const chosen = PANELS.find(({ key }) => key === this.tab);
        if (chosen && isFilled(chosen)) return;
        this.tab = PANELS.find(isFilled)?.key ?? this.tab;
    }

    #prepareForPaper() {
        const { facts } = this.#contents;
        const chosen = PANELS.find(({ key }) => key === this.tab);
        const tables = chosen && !chosen.onPaper ? sectionsOf(chosen, facts.sections).flatMap(({ tables }) => tables) : [];
        this.#contents.prepareForPaper([...PANELS.flatMap(({ onPaper }) => onPaper?.(facts) ?? []), ...tables]);
    }

    /** Whether the page may have old facts of the tabs that are not open: more comes to be known about the log. */
    get hasOldFacts() {
        const { log, finished } = this.shown;
        const isGrowing = !finished || (log?.following !== undefined && !log.following.stopped);
        return log !== null && isGrowing && this.#wanted !== null;
    }

    /** Waits for the facts that are printed, if the page has old ones. The worker sends them all until printing is over. */
    async gather() {
        if (!this.hasOldFacts) return;
        const come = new Promise((resolve) => this.#gathering.push(() => resolve(null)));
        this.#context?.log.send("show", null);
        await come;
    }

    /**
     * Renders what is printed, whichever tab is chosen, or what the screen shows again.
     * @param {boolean} begins whether printing begins: the browser takes its picture at once
     */
    print(begins) {
        this.#take();
        this.printing = begins;
        this.performUpdate();
        this.#showTables();
        if (!begins) this.#tellWanted();
    }

    /**
     * What panels are rendered with; null while there is nothing to show.
     * @returns {Shown | null}
     */
    get #shown() {
        const [state, doing] = [this.store?.value, this.#doing];
        const { finished } = this.shown;
        const { log, totals, facts } = this.#contents;
        if (!state || !doing || !log) return null;
        return {
            times: timesOf(state, this.shown),
            acts: doing.acts,
            rowsOf: (table) => this.#contents.rowsOf(table),
            facts,
            totals,
            opening: this.#contents.opening,
            exportAs: finished ? doing.exportAs : null,
            namesFrom: finished ? doing.namesFrom : null,
            exports: this.#exports.filter(({ needsAll }) => finished || !needsAll),
            log,
            findings: { chosen: state.finding, dismissed: this.shown.dismissed },
            search: this.shown.search,
            calls: this.shown.calls,
            sources: state.sources,
            notes: this.shown.notes,
            theme: state.theme,
            eachOf: this.shown.eachOf,
            printed: this.printing,
        };
    }

    /** Tabs and panels are rendered again when one of these changes. The drawer itself is rendered in each frame while a range is dragged. */
    get #about() {
        const { opening, log, totals } = this.#contents;
        const { theme, clock, finding, sources } = this.store?.value ?? {};
        // Only some panels show what the user has done.
        const { render } = this.#chosen;
        const { dismissed, eachOf, search, calls, notes } = this.shown;
        return [opening, log, totals, theme, clock, sources, search, calls, notes, ...(render ? [finding, dismissed, eachOf] : [])];
    }

    get #chosen() {
        return PANELS.find(({ key }) => key === this.tab) ?? PANELS[0];
    }

    render() {
        const chosen = this.#chosen;
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
                ${this.#moreTabs("before", "‹", -1)}
                <div class="tabs" role="tablist" aria-label="Panels" @keydown=${this.#go}>${guard([...this.#about, this.tab], () => PANELS.map((panel) => this.#tabButton(panel)))}</div>
                ${this.#moreTabs("after", "›", 1)}
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
                ${PANELS.filter(({ onPaper }) => onPaper).map((panel) => this.#printed(panel, panel === chosen))}
                ${chosen.onPaper || this.folded ? nothing : html`<h2 class="visually-hidden">${chosen.name}</h2>${this.#filled(chosen)}`}
            </section>
        `;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        // Another tab begins unscrolled.
        if (changed.has("tab")) this.#scrolled = 0;
        if (changed.has("folded") && this.folded) this.#scrolled = this.querySelector("#panel")?.scrollTop ?? 0;
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        if (changed.has("tab")) {
            this.querySelector("#panel")?.scrollTo(0, 0);
            this.#reveal();
            this.#prepareSoon();
        }
        if (changed.has("folded")) this.#foldPanel();
        if (changed.has("tab") || changed.has("folded")) this.#tellWanted();
        if (changed.has("share")) this.style.setProperty("--share", String(this.share));
        if (!changed.has("tab")) this.#revealPicked();
    }

    /** The details of a picked row may be out of view: scrolls to them, once. */
    #revealPicked() {
        const picked = [...this.querySelectorAll("log-histogram")].find((part) => /** @type {LogHistogram} */ (part).isOfPicked);
        const histogram = /** @type {LogHistogram | undefined} */ (picked);
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

    /** Renders the panel's tables now, not when their turn comes. */
    #showTables() {
        for (const table of /** @type {NodeListOf<LogTable>} */ (this.querySelectorAll("#panel log-table"))) table.showNow();
    }

    /** Scrolls the tabs if they do not all have room; but nothing else of the page. */
    #reveal() {
        const [row, tab] = [".tabs", `#tab-${this.tab}`].map((selector) => this.querySelector(selector));
        if (!row || !tab) return;
        const [frame, box] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
        row.scrollLeft += Math.min(box.left - frame.left, 0) + Math.max(box.right - frame.right, 0);
        this.#revealedAt = row.scrollLeft;
    }

    /**
     * A button that scrolls to more tabs, shown where there are any: not all may have room. Keys go from tab to tab.
     * @param {"before" | "after"} side
     * @param {string} sign
     * @param {1 | -1} way
     */
    #moreTabs(side, sign, way) {
        const scroll = () => {
            const row = this.querySelector(".tabs");
            row?.scrollBy({ left: way * row.clientWidth * 0.8 });
        };
        return html`<button class="more-tabs ${side}" tabindex="-1" aria-hidden="true" title="More tabs" hidden @click=${scroll}>${sign}</button>`;
    }

    /** Shows which side has more tabs. The browser tells after it has laid them out: asking it would delay the timeline. */
    firstUpdated() {
        const [first, last] = [0, -1].map((at) => [...this.querySelectorAll(".tabs button")].at(at));
        if (!first || !last) return;
        const row = this.querySelector(".tabs");
        const seen = new IntersectionObserver(
            (changes) => {
                for (const { target, intersectionRatio } of changes) {
                    const side = target === first ? "before" : "after";
                    this.querySelector(`.more-tabs.${side}`)?.toggleAttribute("hidden", intersectionRatio > MOST_OF_TAB);
                }
            },
            { root: row, threshold: [0, MOST_OF_TAB, 1] },
        );
        for (const tab of [first, last]) seen.observe(tab);
        // Details beside the tabs take room from them, and their numbers come late: the chosen one stays in view, unless the user has
        // scrolled since it was chosen. A row that becomes wider is scrolled back by the browser, as far as it must be.
        const sizes = new ResizeObserver(() => {
            if (!row) return;
            const left = Math.min(this.#revealedAt, row.scrollWidth - row.clientWidth);
            if (Math.abs(row.scrollLeft - left) < 1) this.#reveal();
        });
        for (const part of row ? [row, ...row.children] : []) sizes.observe(part);
    }

    /** Moves the focus to the open tab. */
    focusTab() {
        /** @type {HTMLElement | null} */ (this.querySelector(`#tab-${this.tab}`))?.focus();
    }

    /** @param {Panel} panel */
    #tabButton(panel) {
        const { key, name } = panel;
        const chosen = key === this.tab;
        const empty = this.#emptyText(panel);
        const { log, facts } = this.#contents;
        const own = panel.counted?.(this.#contents, this.shown);
        const counted = empty ? undefined : (own ?? countedBy(panel, facts));
        const marks = (empty ? undefined : own?.marks) ?? "";
        const number = marks || (counted?.count === undefined ? "" : count(counted.count));
        // The tab is wide enough for the whole log's number: a range that is selected moves no tab.
        const most = own?.count ?? countOf(panel, log?.facts.sections ?? []);
        const widest = marks || (most === undefined ? number : count(most));
        const inWords = marks ? html`<span class="visually-hidden">${own?.things}</span>` : nothing;
        // An empty tab can be chosen: it says what is missing, also to users who cannot hover.
        return html`<button
            id="tab-${key}"
            role="tab"
            data-name=${`${name} ${widest}`.trim()}
            aria-controls="panel"
            aria-selected=${chosen}
            aria-disabled=${empty ? "true" : nothing}
            tabindex=${chosen ? 0 : -1}
            title=${empty ? empty.join(" ") : tabHint(panel, counted, facts.isOfRange && !own) || nothing}
            @click=${() => this.choose(key)}
        >
            <span>${name}${number ? html` <span class="count" aria-hidden=${marks ? "true" : nothing}>${number}</span>` : nothing} ${inWords}</span>
        </button>`;
    }

    /**
     * Why a panel has nothing to show; null if it has something.
     * @param {Panel} panel
     */
    #emptyText(panel) {
        const sections = sectionsOf(panel, this.#contents.facts.sections);
        return sections.length === 0 || sections.some((section) => !isMissing(section)) ? null : asLines(panel, sections);
    }

    /**
     * A panel that is printed: its element always exists.
     * @param {Panel} panel
     * @param {boolean} isChosen
     */
    #printed(panel, isChosen) {
        const { key, name } = panel;
        const content = (isChosen && !this.folded) || this.printing ? this.#filled(panel) : nothing;
        return html`<section id=${key} class=${key} aria-label=${name} ?hidden=${!isChosen}>${content}</section>`;
    }

    /** @param {Panel} panel */
    #filled(panel) {
        return guard([...this.#about, panel.key, this.printing], () => {
            const shown = this.#shown;
            if (!shown) return nothing;
            const empty = this.#emptyText(panel);
            if (empty) return empty.map((line) => html`<p>${line}</p>`);
            if (panel.render) return panel.render(shown);
            return html`<div class="tab-panel">${sectionsPanel(sectionsOf(panel, shown.facts.sections), shown)}</div>`;
        });
    }

    #chip() {
        const context = this.#context;
        const { range } = this.store?.value ?? {};
        if (!context || !range || !this.shown.log) return nothing;
        const times = timesOnPage(context.store.value, this.shown);
        const text = `${times.interval(range.from, range.to)} · ${duration(range.to - range.from)}`;
        const origin = originOnPage(this.shown);
        const first = firstEvent(this.#contents.facts);
        const clock =
            first === null
                ? ""
                : ` On the runtime's clock, which show prints: ${interval(range.from - origin + first, range.to - origin + first)}.`;
        return html`<div class="chip" role="group" aria-label="Selected range">
            <button class="range" title=${`Zoom to the range (Enter).${clock}`} @click=${() => showRange(context)}>${text}</button>
            <button aria-label="Clear the range" title="Clear the range (Esc)" @click=${this.#clearRange}>×</button>
        </div>`;
    }

    #clearRange() {
        this.store?.set({ range: null });
        // The button is gone, and it had the focus.
        this.#context?.timeline.focus();
    }

    /** @param {string} key a panel's; any other does nothing */
    choose(key) {
        if (!KEYS.includes(key)) return;
        this.tab = key;
        this.#chosenFor = this.#contents.opening;
        this.folded = false;
        this.#keep();
    }

    /** What can be done with the whole log now. */
    get exports() {
        return this.shown.log ? (this.#shown?.exports ?? []) : [];
    }

    /** @param {KeyboardEvent} event */
    #go(event) {
        const at = tabAfter(KEYS.indexOf(this.tab), event.key, KEYS.length);
        if (at === null || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        this.choose(KEYS[at]);
        this.focusTab();
    }

    #fold() {
        this.folded = !this.folded;
        this.#keep();
    }

    /** @param {PointerEvent} event */
    #noteFold({ timeStamp }) {
        // Two presses within `DOUBLE` are a double click.
        if (timeStamp - this.#pressed > DOUBLE) this.#wasFolded = this.folded;
        this.#pressed = timeStamp;
    }

    /** @param {MouseEvent} event */
    #foldFromRow({ target }) {
        if (target instanceof Element && target.closest(".chip, .fold, .more-tabs")) return;
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
        if (this.#context?.stage.own) rememberLayout({ share: this.share, folded: this.folded, tab: this.tab });
    }
}

/**
 * The number of things that a panel is about.
 * @param {Panel} panel
 * @param {import("../protocol.js").Section[]} sections
 */
function countOf(panel, sections) {
    return sectionsOf(panel, sections).find((section) => section.count !== undefined)?.count;
}

customElements.define("log-drawer", LogDrawer);
