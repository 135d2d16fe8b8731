// A profile as a flame graph and as a call tree: the choice of their view, their search, and the callers and callees of one frame. What is
// chosen in one is chosen in the other.

import { html, nothing } from "lit";
import "./call-tree.js";
import "./flame-graph.js";
import { Filter } from "./filter.js";
import { Part } from "./part.js";
import { bytes, count, percent, visible } from "../format.js";
import { NO_LINKS, addressOf } from "../sources/link.js";
import { linkOffer, placePart } from "../sources/part.js";
import { counted } from "../words.js";
import { markedText } from "../navigation/call-samples.js";
import { REST } from "../paint/named.js";

/** @typedef {import("./flame-graph.js").LogFlameGraph} LogFlameGraph */
/** @typedef {import("./call-tree.js").LogCallTree} LogCallTree */
/** @typedef {import("./open-calls.js").CallPath} CallPath */
/** @typedef {import("../wishes.js").FlameView} FlameView */

/**
 * What a flame graph can do to the rest of the viewer.
 * @typedef {object} FlameActs
 * @property {(wish: import("../wishes.js").FlameWish) => Promise<import("../protocol.js").Flame | null>} flame
 * @property {(wish: import("../wishes.js").CallsWish) => Promise<import("../protocol.js").CallTree | null>} calls
 * @property {(way: import("../wishes.js").CallWay, name: string) => void} markCalls marks the samples that go a way on the timeline
 * @property {(by: 1 | -1) => void} stepCalls goes along them
 * @property {() => void} setSources lets the user set where places in the source lead
 * @property {() => void} leaveCalls removes the marks
 * @property {(parts: Node[] | null, point: { x: number, y: number }) => void} describe shows a tooltip at a point of the window
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {(module: string) => string} roleOf the role in the palette of a module's colour
 */

/** @type {[FlameView, string, string][]} */
const VIEWS = [
    ["heavy", "Left heavy", "Equal stacks are merged; the widest come first"],
    ["time", "Time order", "In order of time, one capability after the other"],
    ["inverted", "Callers", "Inverted: innermost frames first, with their callers below"],
];

export class LogFlame extends Part {
    static properties = {
        acts: { attribute: false },
        theme: { attribute: false },
        facts: { attribute: false },
        section: { attribute: false },
        unit: { attribute: false },
        range: { attribute: false },
        table: { attribute: false },
        marked: { attribute: false },
        sources: { attribute: false },
        view: { state: true },
        search: { state: true },
        sandwich: { state: true },
        chosen: { state: true },
    };

    #filter = new Filter(
        (text) => (this.search = text),
        () => this.#focus(),
        "Find in the profile",
    );

    constructor() {
        super();
        /** @type {FlameActs | null} */
        this.acts = null;
        /** @type {import("../theme.js").Theme | null} */
        this.theme = null;
        /** The facts about the log by now: when they change, the parts load anew. @type {unknown} */
        this.facts = null;
        /** Its section. @type {Pick<import("../protocol.js").Section, "key" | "name">} */
        this.section = { key: "", name: "" };
        /** The unit of its frames' widths. @type {import("../protocol.js").Unit} */
        this.unit = "count";
        this.range = false;
        /** The name of the table with the same numbers. */
        this.table = "";
        /** @type {FlameView} */
        this.view = "heavy";
        this.search = "";
        /** The frame whose callers and callees are shown. @type {{ name: string, frame: number } | null} */
        this.sandwich = null;
        /** What is chosen, in which view, and of which frame that is. @type {{ path: CallPath, view: FlameView, frame: number } | null} */
        this.chosen = null;
        /** Where places in the source lead. */
        this.sources = NO_LINKS;
        /** The way whose samples are marked on the timeline. @type {import("../navigation/call-samples.js").MarkedCalls | null} */
        this.marked = null;
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.#filter.rest();
    }

    /** @returns {LogFlameGraph[]} */
    get #graphs() {
        return [.../** @type {NodeListOf<LogFlameGraph>} */ (this.querySelectorAll("log-flame-graph"))];
    }

    /** @returns {LogCallTree[]} */
    get #trees() {
        return [.../** @type {NodeListOf<LogCallTree>} */ (this.querySelectorAll("log-call-tree"))];
    }

    #focus() {
        /** @type {HTMLElement | null} */ (this.querySelector(".flame-box"))?.focus();
    }

    render() {
        const { sandwich } = this;
        const title = sandwich ? `Callers and callees of ${visible(sandwich.name)}` : `${this.section.name} as a flame graph`;
        // The graphs rendered by now; when they change, this is rendered again.
        const graphs = this.#graphs;
        return html`
            <div class="table-bar">
                <h3>${title}</h3>
                <p class="muted">${graphs.at(-1)?.note ?? ""} · the table “${this.table}” has the same numbers</p>
            </div>
            <div class="table-bar flame-tools">
                ${sandwich ? html`<button @click=${this.#leave}>Back to all frames</button>` : this.#choices()}
                ${this.#filter.render()} ${this.#found(graphs)}
                ${this.acts ? linkOffer(this.sources, this.acts.setSources) : nothing}
                ${graphs.some(({ zoom }) => zoom) ? html`<button @click=${this.#reset}>Reset zoom</button>` : nothing}
            </div>
            ${
                sandwich
                    ? html`<p class="muted">Callers</p>${this.#graph("callers", sandwich.frame, "Callers")}
                      <p class="muted">Callees</p>${this.#graph("callees", sandwich.frame, "Callees")}`
                    : this.#graph(this.view, 0, title)
            }
            ${this.#selected(graphs)}
        `;
    }

    #choices() {
        const button = (/** @type {[FlameView, string, string]} */ [view, name, title]) =>
            html`<button aria-pressed=${this.view === view} title=${title} @click=${() => this.#show(view)}>${name}</button>`;
        // Bytes are those of all moments together, so they have no order in time.
        const views = VIEWS.filter(([view]) => view !== "time" || this.unit !== "bytes");
        return html`<div class="flame-views" role="group" aria-label="Order of the frames">${views.map(button)}</div>`;
    }

    /**
     * @param {FlameView} view
     * @param {number} frame
     * @param {string} label
     */
    #graph(view, frame, label) {
        const { acts, theme, facts, section, unit, range, search, chosen } = this;
        const path = chosen?.view === view && chosen.frame === frame ? chosen.path : null;
        const chose = (/** @type {CallPath} */ path) => (this.chosen = { path, view, frame });
        const tree = html`<log-call-tree
            .label=${`${label}, as a call tree`}
            .acts=${acts}
            .facts=${facts}
            .section=${section.key}
            .unit=${unit}
            .range=${range}
            .view=${view}
            .of=${frame}
            .search=${search}
            .path=${path}
            .sources=${this.sources}
            .roleOf=${this.#roleOf}
            .chose=${chose}
            .changed=${this.#changed}
        ></log-call-tree>`;
        return html`<div class="flame-and-calls"><log-flame-graph
            class=${view}
            .label=${label}
            .acts=${acts}
            .theme=${theme}
            .facts=${facts}
            .section=${section.key}
            .unit=${unit}
            .range=${range}
            .view=${view}
            .of=${frame}
            .search=${search}
            .path=${path}
            .roleOf=${this.#roleOf}
            .chose=${chose}
            .changed=${this.#changed}
        ></log-flame-graph>${tree}</div>`;
    }

    /** Names without a module, such as capabilities, have no colour of their own. @param {string} module */
    #roleOf = (module) => (module && this.acts ? this.acts.roleOf(module) : REST);

    #changed = () => this.requestUpdate();

    /** @param {LogFlameGraph[]} graphs */
    #found(graphs) {
        const all = graphs.at(-1)?.frames?.all;
        if (!this.search || !all) return nothing;
        const share = all.width === 0 ? 0 : all.matched / all.width;
        const amounts = this.unit === "bytes" ? [bytes(all.matched), bytes(all.width)] : [count(all.matched), counted(all.width, "sample")];
        return html`<p class="muted" role="status">${amounts.join(" of ")} match (${percent(share)})</p>`;
    }

    /** @param {LogFlameGraph[]} graphs */
    #selected(graphs) {
        // What is too narrow to be drawn is in the tree.
        const selected = [...this.#trees, ...graphs].map((part) => part.selected).findLast((selected) => selected !== null);
        if (!selected)
            return html`<p class="muted flame-said">Click a frame to zoom to it, or go there with the arrow keys and press Enter; Escape goes back.</p>${this.#marks()}`;
        const { text, name, module, source, frame } = selected;
        const isShown = this.sandwich?.frame === frame;
        return html`<p class="muted flame-said">
            ${text} ${this.#sourceOf(source, module)}
            ${frame < 0 || isShown ? nothing : html`<button class="copy" @click=${() => this.#enter({ name, frame })}>show callers and callees</button>`}
            ${this.#marker(name)}
        </p>
        ${this.#marks()}`;
    }

    /**
     * The button that marks the samples of what is chosen.
     * @param {string} name
     */
    #marker(name) {
        const { chosen, section, range, search, acts } = this;
        if (!chosen || !acts) return nothing;
        const way = { section: section.key, range, view: chosen.view, frame: chosen.frame, search, path: Uint32Array.from(chosen.path) };
        const title = `Mark the ${this.unit === "bytes" ? "censuses" : "samples"} of this stack on the timeline`;
        return html`<button class="copy" title=${title} @click=${() => acts.markCalls(way, name)}>mark on the timeline</button>`;
    }

    /**
     * The link to the source of what is chosen, if there is one.
     * @param {string} source
     * @param {string} module
     */
    #sourceOf(source, module) {
        const { sources } = this;
        return addressOf(sources, source, module) === null ? nothing : html` · ${placePart(source, sources, module)}`;
    }

    /** The samples that are marked, and the way along them. */
    #marks() {
        const { marked, acts } = this;
        if (!marked || marked.way.section !== this.section.key) return nothing;
        return html`<p class="flame-marked" role="status">
            <span class="mark" aria-hidden="true"></span>
            <span>${visible(marked.name)}: ${markedText(marked)} on the timeline</span>
            <button class="copy" title="The one before (Shift+K)" @click=${() => acts?.stepCalls(-1)}>previous</button>
            <button class="copy" title="The next one (K)" @click=${() => acts?.stepCalls(1)}>next</button>
            <button class="copy" title="Remove the marks (Esc)" @click=${() => acts?.leaveCalls()}>remove</button>
        </p>`;
    }

    /**
     * What is chosen stays if callees are below it in both views.
     * @param {FlameView} view
     */
    #show(view) {
        const isUp = [view, this.view].includes("inverted");
        this.chosen = this.chosen && !isUp ? { ...this.chosen, view } : null;
        this.view = view;
    }

    /** @param {{ name: string, frame: number }} frame */
    #enter(frame) {
        this.sandwich = frame;
        void this.updateComplete.then(() => this.#focus());
    }

    #leave() {
        this.sandwich = null;
        void this.updateComplete.then(() => this.#focus());
    }

    #reset() {
        for (const graph of this.#graphs) graph.reset();
    }
}

customElements.define("log-flame", LogFlame);
