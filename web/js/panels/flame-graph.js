// One flame graph: a canvas as wide as its box, scrolled if it is deep, with keys that move from frame to frame.

import { html } from "lit";
import { Frames } from "./frames.js";
import { Part } from "./part.js";
import { element, fieldList, swatch } from "../describe.js";
import { bytes, count, duration, percent, visible } from "../format.js";
import { requestFrame } from "../frame.js";
import { paintFlame } from "../paint/flame.js";
import { FONT } from "../timeline/canvas.js";
import { counted } from "../words.js";

/** @typedef {import("../wishes.js").FlameView} FlameView */
/** @typedef {import("./frames.js").Move} Move */
/** @typedef {import("./frames.js").Extent} Extent */
/** @typedef {import("./open-calls.js").CallPath} CallPath */

/** Height of a row, in CSS pixels: fingers need more. */
const ROW = matchMedia("(pointer: coarse)").matches ? 32 : 20;

/** @type {Record<string, Move>} */
const MOVES = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "out", ArrowDown: "in" };

export class LogFlameGraph extends Part {
    static properties = {
        label: { attribute: false },
        acts: { attribute: false },
        theme: { attribute: false },
        facts: { attribute: false },
        section: { attribute: false },
        unit: { attribute: false },
        range: { attribute: false },
        view: { attribute: false },
        of: { attribute: false },
        search: { attribute: false },
        path: { attribute: false },
        zoom: { state: true },
        chosen: { state: true },
        frames: { state: true },
    };

    #asking = false;
    #outdated = false;
    #paint = requestFrame(() => this.#draw());
    #sizes = new ResizeObserver(() => this.#resized());
    /** The path that this graph has given last. @type {CallPath | null} */
    #given = null;
    /** The width that was asked for last, in device pixels. */
    #width = 0;

    constructor() {
        super();
        this.label = "";
        /** @type {import("./flame.js").FlameActs | null} */
        this.acts = null;
        /** @type {import("../theme.js").Theme | null} */
        this.theme = null;
        /** The facts about the log by now: when they change, the graph is loaded again. @type {unknown} */
        this.facts = null;
        /** The key of its section. */
        this.section = "";
        /** The unit of its frames' widths. @type {import("../protocol.js").Unit} */
        this.unit = "count";
        this.range = false;
        /** @type {FlameView} */
        this.view = "heavy";
        /** The frame whose callers or callees are shown. */
        this.of = 0;
        this.search = "";
        /** The path of the chosen frame, which may be too narrow to be drawn; null if none is chosen. @type {CallPath | null} */
        this.path = null;
        /** @type {Extent | null} */
        this.zoom = null;
        /** The frame chosen by keys. */
        this.chosen = -1;
        /** @type {Frames | null} */
        this.frames = null;
        /** @type {(module: string, frame: number) => string} */
        this.roleOf = () => "band-rest";
        /** Called when a frame is chosen. @type {(path: CallPath) => void} */
        this.chose = () => {};
        /** Called when something changes. */
        this.changed = () => {};
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.#sizes.disconnect();
        // Frees its pixels: megabytes that the browser would keep until it collects the element. Later, since the element may only be being
        // moved.
        queueMicrotask(() => {
            if (this.hasUpdated && !this.isConnected) this.#canvas.width = 0;
        });
        this.acts?.describe(null, { x: 0, y: 0 });
    }

    connectedCallback() {
        super.connectedCallback();
        if (this.hasUpdated) this.#follow();
    }

    firstUpdated() {
        this.#follow();
    }

    #follow() {
        this.#sizes.observe(this.#box);
    }

    get #box() {
        return /** @type {HTMLElement} */ (this.querySelector(".flame-box"));
    }

    get #canvas() {
        return /** @type {HTMLCanvasElement} */ (this.querySelector("canvas"));
    }

    /** Whether callers are above what they call. */
    get #isTurned() {
        return this.view === "callers";
    }

    get #shown() {
        return this.zoom ?? { from: 0, to: this.frames?.all.width ?? 0 };
    }

    render() {
        const depth = this.frames?.rows.length ?? 0;
        const said = this.chosen < 0 ? "" : this.#sentence(this.chosen);
        return html`<div
            class="flame-box"
            tabindex="0"
            role="application"
            aria-roledescription="flame graph"
            aria-label=${this.label}
            aria-description="Arrow keys go from frame to frame, Enter zooms to one, Escape goes back"
            @scroll=${this.#paint}
            @keydown=${this.#press}
            @click=${this.#click}
            @pointermove=${this.#hover}
            @pointerleave=${this.#leave}
        ><div class="flame-sizer" .style=${`height: ${Math.max(depth, 1) * ROW}px`}><canvas role="img" aria-label=${said || this.label}></canvas></div></div>`;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        const others = ["facts", "section", "range", "view", "of"].some((name) => changed.has(name));
        if (others) [this.zoom, this.chosen] = [null, -1];
        if (others || ["search", "zoom"].some((name) => changed.has(name))) this.#outdated = true;
        if (changed.has("path") && this.path !== this.#given && this.frames && !others) this.#showPath(this.frames);
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        if (this.#outdated) void this.#load();
        if (changed.has("frames") && this.#isTurned) this.#box.scrollTop = this.#box.scrollHeight;
        this.#paint();
    }

    #resized() {
        if (Math.round(this.#box.clientWidth * devicePixelRatio) !== this.#width) {
            this.#outdated = true;
            void this.#load();
        }
        this.#paint();
    }

    /** Asks for the graph to show; until the answer comes, only the newest question is kept. */
    async #load() {
        if (this.#asking || !this.acts || !this.isConnected) return;
        this.#asking = true;
        while (this.#outdated && this.isConnected) {
            this.#outdated = false;
            const { section, range, view, of: frame, search, zoom } = this;
            this.#width = Math.round(this.#box.clientWidth * devicePixelRatio);
            const { from, to } = zoom ?? { from: 0, to: 0 };
            const flame = await this.acts.flame({ section, range, view, frame, from, to, search, width: Math.max(this.#width, 1) });
            if (!flame || this.#outdated) continue;
            const frames = new Frames(flame);
            const same = frames.same(this.frames, this.chosen);
            this.chosen = same >= 0 ? same : frames.find(this.path, this.#hasCaps);
            this.frames = frames;
            this.changed();
        }
        this.#asking = false;
    }

    /**
     * Shows the frame that was chosen elsewhere: with all frames, if it is not among those that are zoomed to.
     * @param {Frames} frames
     */
    #showPath(frames) {
        this.chosen = frames.find(this.path, this.#hasCaps);
        if (this.chosen >= 0) this.#reveal(this.chosen);
        else if (this.path && this.zoom) [this.zoom, this.#outdated] = [null, true];
    }

    /** Whether the outermost frames may be capabilities. */
    get #hasCaps() {
        return this.view === "time" && this.unit !== "bytes";
    }

    /** @param {number} depth */
    #top(depth) {
        const rows = this.frames?.rows.length ?? 0;
        return (this.#isTurned ? rows - 1 - depth : depth) * ROW - this.#box.scrollTop;
    }

    #draw() {
        const { frames, theme } = this;
        if (!this.isConnected || !frames || !theme) return;
        const [box, canvas] = [this.#box, this.#canvas];
        const [width, height] = [box.clientWidth, box.clientHeight];
        const ratio = devicePixelRatio;
        [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
        [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
        const context = canvas.getContext("2d");
        if (!context || width === 0) return;
        context.scale(ratio, ratio);
        context.font = FONT;
        const top = (/** @type {number} */ depth) => this.#top(depth);
        const sheet = { width, height, rowHeight: ROW, top, shown: this.#shown, searched: this.search !== "", chosen: this.chosen };
        paintFlame(context, frames, sheet, theme, this.roleOf);
    }

    /**
     * The frame under the pointer; -1 if there is none.
     * @param {MouseEvent} event
     */
    #at({ clientX, clientY }) {
        const { left, top, width } = this.#canvas.getBoundingClientRect();
        const rows = this.frames?.rows.length ?? 0;
        const row = Math.floor((clientY - top + this.#box.scrollTop) / ROW);
        const { from, to } = this.#shown;
        const depth = this.#isTurned ? rows - 1 - row : row;
        return this.frames?.at(depth, from + ((clientX - left) / width) * (to - from)) ?? -1;
    }

    /** @param {MouseEvent} event */
    #hover = (event) => {
        const at = this.#at(event);
        this.acts?.describe(at < 0 ? null : this.#described(at), { x: event.clientX, y: event.clientY });
    };

    #leave = () => this.acts?.describe(null, { x: 0, y: 0 });

    /** @param {MouseEvent} event */
    #click = (event) => {
        const at = this.#at(event);
        if (at < 0) return;
        this.choose(at);
        this.#zoomTo(at);
    };

    /** @param {KeyboardEvent} event */
    #press = (event) => {
        const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
        if (altKey || ctrlKey || metaKey || shiftKey || !this.#walk(key)) return;
        event.preventDefault();
        event.stopPropagation();
    };

    /**
     * @param {string} key
     * @returns {boolean} whether the key does anything
     */
    #walk(key) {
        const { frames, chosen } = this;
        if (!frames || frames.rows.length === 0) return false;
        if (key === "Enter") return this.#zoomTo(chosen);
        if (key === "Escape") return this.#back();
        const move = MOVES[this.#isTurned && key === "ArrowUp" ? "ArrowDown" : this.#isTurned && key === "ArrowDown" ? "ArrowUp" : key];
        if (!move) return false;
        const next = frames.next(chosen, move);
        if (next !== chosen) this.choose(next);
        return true;
    }

    /** @param {number} at */
    #zoomTo(at) {
        if (at < 0 || !this.frames) return false;
        this.zoom = this.frames.extentOf(at);
        return true;
    }

    /** Shows the frame around the one that is shown; does nothing if all is shown. */
    #back() {
        if (!this.zoom || !this.frames) return false;
        this.zoom = this.frames.around(this.zoom);
        return true;
    }

    /** Shows all frames. */
    reset() {
        this.zoom = null;
        this.#box.focus();
    }

    /** @param {number} at */
    choose(at) {
        this.chosen = at;
        this.#reveal(at);
        this.acts?.say(this.#sentence(at));
        this.#given = this.frames?.pathOf(at, this.#hasCaps) ?? null;
        if (this.#given?.length) this.chose(this.#given);
        this.changed();
    }

    /** @param {number} at */
    #reveal(at) {
        const depth = this.frames?.depths[at] ?? 0;
        const box = this.#box;
        const top = this.#top(depth);
        box.scrollTop += Math.min(top, 0) + Math.max(top + ROW - box.clientHeight, 0);
    }

    /**
     * The details of a frame.
     * @param {number} at
     * @returns {{ title: string, module: string, fields: [string, string][] }}
     */
    #known(at) {
        const frames = /** @type {Frames} */ (this.frames);
        const { widths, own } = frames;
        const { name, module, source } = frames.nameOf(at);
        const isOfBytes = this.unit === "bytes";
        const isDown = this.view !== "inverted" && this.view !== "callers";
        /** @type {[string, string][]} */
        const fields = [
            ["Module", visible(module)],
            ["Source", visible(source)],
            [isOfBytes ? "Bytes" : "Samples", this.#amount(widths[at])],
            [isOfBytes ? "Own bytes" : "Own", isDown ? this.#amount(own[at]) : ""],
        ];
        return { title: visible(name), module, fields: fields.filter(([, text]) => text) };
    }

    /**
     * A number of bytes, or of samples and the time that they cover, with its share of all.
     * @param {number} number
     */
    #amount(number) {
        const { tick, oneOf, of } = /** @type {Frames} */ (this.frames).all;
        const time = tick === 0 ? "" : ` · ${duration(number * tick * oneOf)}`;
        const amount = this.unit === "bytes" ? bytes(number) : `${count(number)}${time}`;
        return `${amount} · ${percent(of === 0 ? 0 : number / of)}`;
    }

    /** @param {number} at */
    #described(at) {
        const { title, module, fields } = this.#known(at);
        const frame = this.frames?.nameOf(at).frame ?? -1;
        return [element("strong", {}, swatch(this.roleOf(module, frame)), title), fieldList(fields)];
    }

    /** @param {number} at */
    #sentence(at) {
        const { title, fields } = this.#known(at);
        return [title, ...fields.map(([name, text]) => `${name}: ${text}`)].join(", ");
    }

    /** The chosen frame in words, and its number for asking for its callers; null if none is chosen. */
    get selected() {
        if (this.chosen < 0 || !this.frames) return null;
        return { text: this.#sentence(this.chosen), ...this.frames.nameOf(this.chosen) };
    }

    /** The line that sums the graph up. */
    get note() {
        if (!this.frames) return "";
        const { width, oneOf, leftOut, tick } = this.frames.all;
        const samples = `${counted(width, "sample")}${tick === 0 ? "" : ` of ${duration(tick * oneOf)} each`}`;
        const all = this.unit === "bytes" ? `${bytes(width)} on average` : samples;
        const thinned = oneOf > 1 ? `only one out of ${count(oneOf)} is shown` : "";
        const narrow = leftOut > 0 ? `${counted(leftOut, "frame")} too narrow to show` : "";
        return [all, thinned, narrow].filter(Boolean).join(" · ");
    }
}

customElements.define("log-flame-graph", LogFlameGraph);
