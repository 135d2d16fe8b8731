// The strip above the timeline: the whole log, and which part of it is in view.

import { paintHatch } from "./paint/hatch.js";
import { paintLevel } from "./paint/level.js";
import { paintVeil } from "./paint/veil.js";
import { extentOf } from "./viewport.js";
import { requestFrame } from "./frame.js";

/** @typedef {import("./viewport.js").View} View */

const INSET = 5;

export class OverviewStrip {
    #canvas;
    #store;
    /** @type {import("./protocol.js").Strips | null} */
    #strips = null;

    /**
     * @param {HTMLCanvasElement} canvas
     * @param {import("./store.js").Store<import("./state.js").State>} store
     * @param {(time: number) => void} goTo shows the surroundings of a time
     */
    constructor(canvas, store, goTo) {
        this.#canvas = canvas;
        this.#store = store;
        this.repaint = requestFrame(() => this.#paint());
        new ResizeObserver(this.repaint).observe(canvas);
        /** @type {unknown[]} */
        let last = [];
        store.follow(({ view, theme, log }) => {
            // The pointer's moves are none of this strip's business.
            if ([view, theme, log].every((value, at) => value === last[at])) return;
            last = [view, theme, log];
            this.repaint();
        });
        /** @param {PointerEvent} event */
        const go = (event) => {
            const { left, width } = canvas.getBoundingClientRect();
            const whole = this.#whole();
            if (whole) goTo(whole.from + ((event.clientX - left) / width) * (whole.to - whole.from));
        };
        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            go(event);
        });
        canvas.addEventListener("pointermove", (event) => {
            if (canvas.hasPointerCapture(event.pointerId)) go(event);
        });
    }

    /** Width in device pixels: what the whole is asked for with. */
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
        const { log } = this.#store.value;
        const extent = log ? extentOf(log.status) : undefined;
        return extent ? { from: extent[0], to: Math.max(extent[1], extent[0] + 1) } : null;
    }

    #paint() {
        const canvas = this.#canvas;
        const { view, theme, log, finished } = this.#store.value;
        const whole = this.#whole();
        const context = canvas.getContext("2d");
        const [width, height] = [canvas.clientWidth, canvas.clientHeight];
        if (!context || width === 0) return;
        canvas.width = this.pixels;
        canvas.height = Math.round(height * devicePixelRatio);
        if (!whole || !view) return;
        context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
        const scale = width / (whole.to - whole.from);
        const level = log?.tracks.find(({ shape }) => shape === "level");
        const strip = level && this.#strips?.tracks.get(level.id);
        if (strip && level && this.#strips) {
            const [from, to] = [this.#strips.from, this.#strips.to];
            const box = { x: (from - whole.from) * scale, y: INSET, width: (to - from) * scale, height: height - INSET };
            if (finished) paintHatch(context, theme.css("hatch"), box);
            paintLevel(context, strip, box, theme.css(level.states[0].role), theme.css("background"));
        }
        const { extent, ahead } = log?.status ?? {};
        if (extent && ahead !== undefined) {
            paintVeil(context, theme.rgb("background"), { from: (extent[1] - whole.from) * scale, to: width, y: 0, height });
        }
        this.#paintView((view.from - whole.from) * scale, (view.to - whole.from) * scale, width, height);
    }

    /**
     * What is out of view is dimmed, what is in view framed; never so thin that it cannot be seen.
     * @param {number} from
     * @param {number} to
     * @param {number} width
     * @param {number} height
     */
    #paintView(from, to, width, height) {
        const context = this.#canvas.getContext("2d");
        if (!context) return;
        const { theme } = this.#store.value;
        const middle = (from + to) / 2;
        const left = Math.max(0, Math.min(from, middle - 2));
        const right = Math.min(width, Math.max(to, middle + 2));
        const [r, g, b] = theme.rgb("background");
        context.fillStyle = `rgb(${r} ${g} ${b} / 0.6)`;
        context.fillRect(0, 0, left, height);
        context.fillRect(right, 0, width - right, height);
        context.strokeStyle = theme.css("accent");
        context.lineWidth = 1;
        context.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 1), height - 1);
    }
}
