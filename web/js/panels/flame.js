// The flame graph of a profile: the choice of its view, its search, and the callers and callees of one frame.

import { html, nothing } from "lit";
import "./flame-graph.js";
import { Filter } from "./filter.js";
import { Part } from "./part.js";
import { bytes, count, percent, visible } from "../format.js";
import { counted } from "../words.js";
import { REST } from "../paint/named.js";

/** @typedef {import("./flame-graph.js").LogFlameGraph} LogFlameGraph */
/** @typedef {import("../protocol.js").FlameView} FlameView */

/**
 * What a flame graph can do to the rest of the viewer.
 * @typedef {object} FlameActs
 * @property {(wish: import("../protocol.js").FlameWish) => Promise<import("../protocol.js").Flame | null>} flame
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
        told: { attribute: false },
        section: { attribute: false },
        unit: { attribute: false },
        range: { attribute: false },
        table: { attribute: false },
        view: { state: true },
        search: { state: true },
        sandwich: { state: true },
    };

    #filter = new Filter(
        (text) => (this.search = text),
        () => this.#focus(),
        "Find in the flame graph",
    );

    constructor() {
        super();
        /** @type {FlameActs | null} */
        this.acts = null;
        /** @type {import("../theme.js").Theme | null} */
        this.theme = null;
        /** @type {unknown} */
        this.told = null;
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
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.#filter.rest();
    }

    /** @returns {LogFlameGraph[]} */
    get #graphs() {
        return [.../** @type {NodeListOf<LogFlameGraph>} */ (this.querySelectorAll("log-flame-graph"))];
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
            html`<button aria-pressed=${this.view === view} title=${title} @click=${() => (this.view = view)}>${name}</button>`;
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
        const { acts, theme, told, section, unit, range, search } = this;
        return html`<log-flame-graph
            class=${view}
            .label=${label}
            .acts=${acts}
            .theme=${theme}
            .told=${told}
            .section=${section.key}
            .unit=${unit}
            .range=${range}
            .view=${view}
            .of=${frame}
            .search=${search}
            .roleOf=${this.#roleOf}
            .changed=${this.#changed}
        ></log-flame-graph>`;
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
        const selected = graphs.map((graph) => graph.selected).findLast((selected) => selected !== null);
        if (!selected)
            return html`<p class="muted flame-said">Click a frame to zoom to it, or go there with the arrow keys and press Enter; Escape goes back.</p>`;
        const { text, name, frame } = selected;
        const isShown = this.sandwich?.frame === frame;
        return html`<p class="muted flame-said">
            ${text}
            ${frame < 0 || isShown ? nothing : html`<button class="copy" @click=${() => this.#enter({ name, frame })}>show callers and callees</button>`}
        </p>`;
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
