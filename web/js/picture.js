// What has been seen of the tracks so far: a coarse picture of the whole log, and a finer one of a window around the view.
// Whatever the view is, something can be drawn at once.

import { paintLevel } from "./paint/level.js";
import { stripPixels } from "./paint/strip.js";

/** @typedef {import("./protocol.js").Strips} Strips */
/** @typedef {import("./protocol.js").Track} Track */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("./theme.js").Theme} Theme */
/** @typedef {{ left: number, width: number, y: number, height: number }} Box */

/** Strips, and their pixels: one row of the canvas for each track of states. */
class Layer {
    /** @type {Map<number, number>} */
    #rows = new Map();
    #canvas = new OffscreenCanvas(1, 1);

    /**
     * @param {Strips} strips
     * @param {Track[]} tracks
     * @param {Theme} theme
     */
    constructor(strips, tracks, theme) {
        this.strips = strips;
        this.render(tracks, theme);
    }

    /**
     * @param {Track[]} tracks
     * @param {Theme} theme
     */
    render(tracks, theme) {
        const { width } = this.strips;
        const drawn = tracks.filter(({ id, shape }) => shape === "states" && this.strips.tracks.has(id));
        this.#rows = new Map(drawn.map(({ id }, row) => [id, row]));
        if (drawn.length === 0) return;
        this.#canvas = new OffscreenCanvas(width, drawn.length);
        const context = this.#canvas.getContext("2d");
        const image = new ImageData(width, drawn.length);
        drawn.forEach(({ id, states }, row) => {
            const strip = this.strips.tracks.get(id);
            const colours = states.map(({ role }) => theme.rgb(role));
            if (strip) stripPixels(strip, colours, image.data.subarray(row * width * 4, (row + 1) * width * 4));
        });
        context?.putImageData(image, 0, 0);
    }

    /**
     * Paints the part of a track between two times.
     * @param {CanvasRenderingContext2D} context
     * @param {Track} track
     * @param {View} part
     * @param {View} view
     * @param {Box} box the view's
     * @param {Theme} theme
     */
    paint(context, track, part, view, box, theme) {
        const { strips } = this;
        const strip = strips.tracks.get(track.id);
        const from = Math.max(part.from, strips.from);
        const to = Math.min(part.to, strips.to);
        if (!strip || to <= from) return;
        const scale = box.width / (view.to - view.from);
        /** @param {number} time */
        const x = (time) => box.left + (time - view.from) * scale;
        const row = this.#rows.get(track.id);
        if (row !== undefined) {
            const pixels = strips.width / (strips.to - strips.from);
            const [left, width] = [(from - strips.from) * pixels, (to - from) * pixels];
            context.imageSmoothingEnabled = false;
            context.drawImage(this.#canvas, left, row, width, 1, x(from), box.y, x(to) - x(from), box.height);
            return;
        }
        context.save();
        context.beginPath();
        context.rect(x(from), box.y, x(to) - x(from), box.height);
        context.clip();
        const area = { x: x(strips.from), y: box.y, width: x(strips.to) - x(strips.from), height: box.height };
        paintLevel(context, strip.shares, area, theme.css(track.states[0].role));
        context.restore();
    }
}

export class Picture {
    /** @type {Layer | null} */
    #whole = null;
    /** @type {Layer | null} */
    #window = null;

    clear() {
        this.#whole = null;
        this.#window = null;
    }

    /** The finer picture's strips. */
    get window() {
        return this.#window?.strips ?? null;
    }

    /**
     * @param {"whole" | "window"} which
     * @param {Strips} strips
     * @param {Track[]} tracks
     * @param {Theme} theme
     */
    take(which, strips, tracks, theme) {
        const layer = new Layer(strips, tracks, theme);
        if (which === "whole") this.#whole = layer;
        else this.#window = layer;
    }

    /**
     * After the colours have changed.
     * @param {Track[]} tracks
     * @param {Theme} theme
     */
    recolour(tracks, theme) {
        this.#whole?.render(tracks, theme);
        this.#window?.render(tracks, theme);
    }

    /**
     * @param {CanvasRenderingContext2D} context
     * @param {Track} track
     * @param {View} view
     * @param {Box} box
     * @param {Theme} theme
     */
    paint(context, track, view, box, theme) {
        const fine = this.#window?.strips.tracks.has(track.id) ? this.#window : null;
        const middle = fine ? { from: fine.strips.from, to: fine.strips.to } : { from: view.to, to: view.to };
        const left = { from: view.from, to: Math.min(view.to, middle.from) };
        const right = { from: Math.max(view.from, middle.to), to: view.to };
        for (const part of [left, right]) {
            if (part.from < part.to) this.#whole?.paint(context, track, part, view, box, theme);
        }
        fine?.paint(context, track, view, view, box, theme);
    }
}
