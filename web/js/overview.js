// The overview strip above the timeline: the whole log, and a frame around the part in view. Its scale is that of a timeline that shows
// everything.

import { paintHatch } from "./paint/hatch.js";
import { paintLevel } from "./paint/level.js";
import { paintVeil } from "./paint/veil.js";
import { ticks } from "./paint/axis.js";
import { whole } from "./viewport.js";
import { chosenOf } from "./navigation/evidence.js";
import { placesOf } from "./search/places.js";
import { requestFrame } from "./frame.js";
import { shownOf } from "./state.js";
import { extentOnPage, onPage, timesOnPage, viewOnPage } from "./page-time.js";

/** @typedef {import("./viewport.js").View} View */

/** Space above the level, and below it for the times, in CSS pixels. */
const ABOVE = 4;
const BELOW = 15;

const FONT = "11px system-ui, sans-serif";

/** A handle can be grasped from at most this distance, in CSS pixels. */
const GRASP = 6;

/** A frame narrower than this can only be moved. */
const NARROW = 20;

/** A press that moves less than this is a click. */
const STEADY = 4;

/** The size of a handle. */
const HANDLE = { width: 5, height: 16 };

/** The height of a tick for evidence, and its least width. */
const TICK = { height: 4, width: 3 };

/**
 * What the user can do on the strip.
 * @typedef {object} OverviewActs
 * @property {(time: number) => void} centre shows a time and its surroundings, at the same zoom
 * @property {(view: View) => void} show
 */

/** @typedef {{ kind: "move" | "left" | "right" | "new", x: number, view: View, moved: boolean }} Drag `view` when it began */

export class OverviewStrip {
    #canvas;
    #store;
    #acts;
    /** @type {import("./protocol.js").Strips | null} */
    #strips = null;
    /** @type {Drag | null} */
    #drag = null;

    /**
     * @param {HTMLCanvasElement} canvas
     * @param {import("./store.js").Store<import("./state.js").State>} store
     * @param {OverviewActs} acts
     */
    constructor(canvas, store, acts) {
        this.#canvas = canvas;
        this.#store = store;
        this.#acts = acts;
        this.repaint = requestFrame(() => this.paint());
        new ResizeObserver(this.repaint).observe(canvas);
        /** @type {unknown[]} */
        let last = [];
        store.follow(({ view, theme, clock, finding, ...state }) => {
            const { log, search } = shownOf(state);
            // The pointer's moves do not change the strip.
            const now = [view, theme, clock, finding, log, search];
            if (now.every((value, at) => value === last[at])) return;
            last = now;
            this.repaint();
        });
        canvas.addEventListener("pointerdown", (event) => this.#begin(event));
        canvas.addEventListener("pointermove", (event) => this.#move(event));
        canvas.addEventListener("pointerup", (event) => this.#end(event));
        canvas.addEventListener("pointercancel", () => (this.#drag = null));
    }

    /** Width in device pixels, for asking for the picture of the whole log. */
    get pixels() {
        return Math.max(1, Math.round(this.#canvas.clientWidth * devicePixelRatio));
    }

    /** @param {import("./protocol.js").Strips | null} strips */
    take(strips) {
        this.#strips = strips;
        this.repaint();
    }

    /** @returns {View | null} */
    #whole() {
        const extent = extentOnPage(shownOf(this.#store.value));
        return extent ? whole(extent) : null;
    }

    /**
     * The time at a place in the window.
     * @param {number} clientX
     */
    #timeAt(clientX) {
        const all = this.#whole();
        const { left, width } = this.#canvas.getBoundingClientRect();
        return all ? all.from + ((clientX - left) / width) * (all.to - all.from) : NaN;
    }

    /**
     * The frame's edges, in CSS pixels of the canvas; far enough apart that the frame is visible.
     * @param {View} view
     * @param {View} all
     */
    #frame(view, all) {
        const width = this.#canvas.clientWidth;
        const [from, to] = [view.from, view.to].map((at) => ((at - all.from) / (all.to - all.from)) * width);
        const middle = (from + to) / 2;
        return { left: Math.max(0, Math.min(from, middle - 2)), right: Math.min(width, Math.max(to, middle + 2)) };
    }

    /**
     * What a drag that begins at a place does.
     * @param {number} clientX
     * @returns {Drag["kind"] | null}
     */
    #kindAt(clientX) {
        const { view } = this.#store.value;
        const all = this.#whole();
        if (!view || !all) return null;
        const x = clientX - this.#canvas.getBoundingClientRect().left;
        const { left, right } = this.#frame(view, all);
        const inside = x >= left && x <= right;
        if (!inside || right - left >= NARROW) {
            if (Math.abs(x - left) <= GRASP) return "left";
            if (Math.abs(x - right) <= GRASP) return "right";
        }
        return inside ? "move" : "new";
    }

    /** @param {PointerEvent} event */
    #begin({ pointerId, clientX: x }) {
        const kind = this.#kindAt(x);
        const { view } = this.#store.value;
        if (!kind || !view) return;
        this.#canvas.setPointerCapture(pointerId);
        this.#drag = { kind, x, view, moved: false };
    }

    /** @param {PointerEvent} event */
    #move({ clientX }) {
        const drag = this.#drag;
        if (!drag) {
            const cursors = { left: "ew-resize", right: "ew-resize", move: "grab", new: "crosshair" };
            const kind = this.#kindAt(clientX);
            this.#canvas.style.cursor = kind ? cursors[kind] : "";
            return;
        }
        drag.moved ||= Math.abs(clientX - drag.x) >= STEADY;
        if (!drag.moved) return;
        const { from, to } = drag.view;
        const [began, now] = [this.#timeAt(drag.x), this.#timeAt(clientX)];
        if (drag.kind === "move") this.#acts.show({ from: from + now - began, to: to + now - began });
        // An edge that is dragged beyond the other one becomes the other one.
        const fixed = { left: to, right: from, new: began, move: NaN }[drag.kind];
        const edge = { left: from + now - began, right: to + now - began, new: now, move: NaN }[drag.kind];
        if (drag.kind !== "move") this.#acts.show({ from: Math.min(fixed, edge), to: Math.max(fixed, edge) });
    }

    /** @param {PointerEvent} event */
    #end({ clientX }) {
        const drag = this.#drag;
        this.#drag = null;
        if (drag && !drag.moved && (drag.kind === "new" || drag.kind === "move")) this.#acts.centre(this.#timeAt(clientX));
    }

    paint() {
        const canvas = this.#canvas;
        const { view, theme } = this.#store.value;
        const shown = shownOf(this.#store.value);
        const { log, finished } = shown;
        const all = this.#whole();
        const context = canvas.getContext("2d");
        const [width, height] = [canvas.clientWidth, canvas.clientHeight];
        if (!context || width === 0) return;
        canvas.width = this.pixels;
        canvas.height = Math.round(height * devicePixelRatio);
        if (!all || !view) return;
        context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
        const scale = width / (all.to - all.from);
        const level = log?.whole?.shape === "level" ? log.whole : undefined;
        const strip = level && this.#strips?.tracks.get(level.id);
        if (strip && level && this.#strips) {
            const { from, to } = viewOnPage(shown, this.#strips);
            const box = { x: (from - all.from) * scale, y: ABOVE, width: (to - from) * scale, height: height - ABOVE - BELOW };
            if (finished) paintHatch(context, theme.css("hatch"), box);
            paintLevel(context, strip, box, theme.css(level.states[0].role), theme.css("panel"));
        }
        const { extent, ahead } = log?.status ?? {};
        if (extent && ahead !== undefined) {
            const from = (onPage(shown, extent[1]) - all.from) * scale;
            paintVeil(context, theme.rgb("background"), { from, to: width, y: 0, height: height - BELOW });
        }
        this.#paintTimes(context, all, timesOnPage(this.#store.value, shown));
        this.#paintView(context, this.#frame(view, all));
        this.#paintHits(context, all);
        this.#paintEvidence(context, all);
    }

    /**
     * Where the hits of the search are.
     * @param {CanvasRenderingContext2D} context
     * @param {View} all
     */
    #paintHits(context, all) {
        const { clientWidth: width } = this.#canvas;
        const shown = shownOf(this.#store.value);
        const places = placesOf(shown, (time) => ((onPage(shown, time) - all.from) / (all.to - all.from)) * width);
        context.fillStyle = this.#store.value.theme.css("accent");
        for (const x of places) context.fillRect(x - 1, 0, 2, TICK.height);
    }

    /**
     * Where the evidence of the chosen finding is, also out of view.
     * @param {CanvasRenderingContext2D} context
     * @param {View} all
     */
    #paintEvidence(context, all) {
        const state = this.#store.value;
        const shown = shownOf(state);
        const { clientWidth: width, clientHeight: height } = this.#canvas;
        const x = (/** @type {number} */ time) => ((onPage(shown, time) - all.from) / (all.to - all.from)) * width;
        context.fillStyle = state.theme.css("evidence");
        for (const { from, to } of chosenOf(state)?.finding.evidence ?? []) {
            const [left, right] = [x(from), x(to)];
            const wide = Math.max(right - left, TICK.width);
            context.fillRect((left + right - wide) / 2, height - BELOW - TICK.height, wide, TICK.height);
        }
    }

    /**
     * @param {CanvasRenderingContext2D} context
     * @param {View} all
     * @param {import("./times.js").Times} written
     */
    #paintTimes(context, all, written) {
        const { theme } = this.#store.value;
        const { clientWidth: width, clientHeight: height } = this.#canvas;
        const { size, times } = ticks(all, written.zero, width);
        context.font = FONT;
        context.textBaseline = "middle";
        for (const at of times) {
            const x = Math.round(((at - all.from) / (all.to - all.from)) * width);
            context.fillStyle = theme.css("line");
            context.fillRect(x, height - BELOW, 1, BELOW);
            context.fillStyle = theme.css("muted");
            const text = written.text(at, size);
            if (x + 4 + context.measureText(text).width <= width) context.fillText(text, x + 4, height - BELOW / 2 + 0.5);
        }
    }

    /**
     * Makes the parts out of view paler, and draws a frame with handles around the part in view.
     * @param {CanvasRenderingContext2D} context
     * @param {{ left: number, right: number }} frame
     */
    #paintView(context, { left, right }) {
        const { theme } = this.#store.value;
        const { clientWidth: width, clientHeight: height } = this.#canvas;
        paintVeil(context, theme.rgb("background"), { from: 0, to: left, y: 0, height: height - BELOW });
        paintVeil(context, theme.rgb("background"), { from: right, to: width, y: 0, height: height - BELOW });
        context.strokeStyle = theme.css("accent");
        context.lineWidth = 1;
        context.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 1), height - 1);
        if (right - left < NARROW) return;
        context.fillStyle = theme.css("accent");
        const y = (height - HANDLE.height) / 2;
        for (const x of [left, right - HANDLE.width]) {
            context.beginPath();
            context.roundRect(x, y, HANDLE.width, HANDLE.height, 2);
            context.fill();
        }
    }
}
