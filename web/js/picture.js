// What has been seen of the tracks so far: a coarse picture of the whole log, and a finer one of a window around the view.
// Whatever the view is, something can be drawn at once.

import { SHAPES } from "./shapes/index.js";

/** @typedef {import("./protocol.js").Strips} Strips */
/** @typedef {import("./protocol.js").Track} Track */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("./theme.js").Theme} Theme */
/** @typedef {{ left: number, width: number, y: number, height: number }} Box */

/** Strips, with their image. */
class Layer {
    #closed = false;

    /** @param {Strips} strips */
    constructor(strips) {
        this.strips = strips;
        /** The image's bands by track. */
        this.rows = new Map(strips.rows.map((id, row) => [id, row]));
    }

    /** Gives the image's memory back: it may be megabytes, and the collector does not know. */
    close() {
        this.#closed = true;
        this.strips.image?.close();
    }

    /**
     * Draws another image instead.
     * @param {(image: ImageBitmap) => ImageBitmap} make
     * @returns {() => void} draws this one again
     */
    exchange(make) {
        const { image } = this.strips;
        if (!image) return () => {};
        const other = make(image);
        this.strips.image = other;
        return () => {
            other.close();
            this.strips.image = image;
            // There may be another picture by now, and nobody else closes this one.
            if (this.#closed) image.close();
        };
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
        const row = this.rows.get(track.id);
        if (row !== undefined && strips.image) {
            const pixels = strips.width / (strips.to - strips.from);
            const [left, width] = [(from - strips.from) * pixels, (to - from) * pixels];
            context.imageSmoothingEnabled = false;
            const { levels } = strips;
            context.drawImage(strips.image, left, row * levels, width, levels, x(from), box.y, x(to) - x(from), box.height);
            return;
        }
        context.save();
        context.beginPath();
        context.rect(x(from), box.y, x(to) - x(from), box.height);
        context.clip();
        const area = { x: x(strips.from), y: box.y, width: x(strips.to) - x(strips.from), height: box.height };
        SHAPES[track.shape].paint?.(context, strip, area, track, theme);
        context.restore();
    }

    /**
     * The largest value that a line has between two times; 0 if it has none.
     * @param {number} track
     * @param {View} part
     */
    most(track, part) {
        const { strips } = this;
        const { values } = strips.tracks.get(track) ?? {};
        if (!values) return 0;
        const pixels = values.length / 4;
        const place = (/** @type {number} */ time) => ((time - strips.from) / (strips.to - strips.from)) * pixels;
        const [first, end] = [Math.max(Math.floor(place(part.from)), 0), Math.min(Math.ceil(place(part.to)), pixels)];
        let most = 0;
        // What is not known is no number, and not larger.
        for (let pixel = first; pixel < end; pixel++) if (values[pixel * 4 + 2] > most) most = values[pixel * 4 + 2];
        return most;
    }
}

export class Picture {
    /** @type {Layer | null} */
    #whole = null;
    /** @type {Layer | null} */
    #window = null;

    clear() {
        this.#whole?.close();
        this.#window?.close();
        this.#whole = null;
        this.#window = null;
    }

    /**
     * Whether there is anything to be drawn of a track.
     * @param {number} track
     */
    has(track) {
        return [this.#whole, this.#window].some((layer) => layer?.strips.tracks.has(track));
    }

    /**
     * Draws other images instead of those that there are.
     * @param {(image: ImageBitmap) => ImageBitmap} make
     * @returns {() => void} draws those again
     */
    exchange(make) {
        const undo = [this.#whole, this.#window].map((layer) => layer?.exchange(make));
        return () => undo.forEach((undo) => undo?.());
    }

    /** The finer picture's strips. */
    get window() {
        return this.#window?.strips ?? null;
    }

    /**
     * @param {"whole" | "window"} which
     * @param {Strips} strips
     */
    take(which, strips) {
        const layer = new Layer(strips);
        if (which === "whole") {
            this.#whole?.close();
            this.#whole = layer;
        } else {
            this.#window?.close();
            this.#window = layer;
        }
    }

    /**
     * @param {CanvasRenderingContext2D} context
     * @param {Track} track
     * @param {View} view
     * @param {Box} box
     * @param {Theme} theme
     */
    paint(context, track, view, box, theme) {
        for (const { layer, part } of this.#layers(track.id, view)) layer.paint(context, track, part, view, box, theme);
    }

    /**
     * The largest value of a line in view; 0 if none is.
     * @param {number} track
     * @param {View} view
     */
    most(track, view) {
        return Math.max(0, ...this.#layers(track, view).map(({ layer, part }) => layer.most(track, part)));
    }

    /**
     * Which picture shows which part of a view: the finer one all that it has, the coarse one what is left.
     * @param {number} track
     * @param {View} view
     */
    #layers(track, view) {
        const fine = this.#window?.strips.tracks.has(track) ? this.#window : null;
        const middle = fine ? { from: fine.strips.from, to: fine.strips.to } : { from: view.to, to: view.to };
        const left = { from: view.from, to: Math.min(view.to, middle.from) };
        const right = { from: Math.max(view.from, middle.to), to: view.to };
        const coarse = this.#whole;
        const beside = coarse ? [left, right].filter(({ from, to }) => from < to).map((part) => ({ layer: coarse, part })) : [];
        return fine ? [...beside, { layer: fine, part: view }] : beside;
    }
}
