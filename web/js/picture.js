// The pictures of the tracks so far: a coarse one of the whole log, and a finer one of a window around the view. So something can be drawn
// at once, whatever the view.

import { SHAPES } from "./shapes/index.js";
import { larger } from "./shapes/known.js";

/** @typedef {import("./protocol.js").Strips} Strips */
/** @typedef {import("./protocol.js").Track} Track */
/** @typedef {import("./shapes/index.js").Drawn} Drawn */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("./theme.js").Theme} Theme */
/** @typedef {{ left: number, width: number, y: number, height: number }} Box */

/** A part of a layer to paint. @typedef {{ layer: Layer, part: View }} Part */

/** Strips, with their image. */
class Layer {
    #closed = false;

    /** @param {Strips} strips */
    constructor(strips) {
        this.strips = strips;
        /** The image's bands by track. */
        this.rows = new Map(strips.rows.map((id, row) => [id, row]));
    }

    /** Frees the image's memory: it may be megabytes, which the garbage collector does not see. */
    close() {
        this.#closed = true;
        this.strips.image?.close();
    }

    /**
     * Draws another image instead.
     * @param {(image: ImageBitmap) => ImageBitmap} make
     * @returns {() => void} restores this one
     */
    exchange(make) {
        const { image } = this.strips;
        if (!image) return () => {};
        const other = make(image);
        this.strips.image = other;
        return () => {
            other.close();
            this.strips.image = image;
            // Another picture may have replaced this one by now, and nothing else closes it.
            if (this.#closed) image.close();
        };
    }

    /**
     * Paints the part of a track between two times.
     * @param {CanvasRenderingContext2D} context
     * @param {Drawn} track
     * @param {View} part
     * @param {View} view
     * @param {Box} box of the view
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
        const whole = { x: x(strips.from), width: x(strips.to) - x(strips.from) };
        const area = { ...whole, y: box.y, height: box.height, left: x(from), right: x(to) };
        SHAPES[track.shape].paint?.(context, strip, area, track, theme);
        context.restore();
    }

    /**
     * The largest value drawn of a track between two times; NaN if none is known.
     * @param {Drawn} track
     * @param {View} part
     */
    most(track, part) {
        const strip = this.strips.tracks.get(track.id);
        const { pixels, most } = SHAPES[track.shape];
        if (!strip || !pixels || !most) return NaN;
        const all = pixels(strip);
        const [first, end] = [Math.floor(this.#place(part.from, all)), Math.ceil(this.#place(part.to, all))];
        return most(strip, Math.max(first, 0), Math.min(end, all), track);
    }

    /**
     * The values of a track's bands at a time; null if there are none.
     * @param {Track} track
     * @param {number} time
     */
    bandsAt(track, time) {
        const strip = this.strips.tracks.get(track.id);
        const all = strip && SHAPES[track.shape].pixels?.(strip);
        if (!strip || !all) return null;
        const bands = strip.counts.length;
        const pixel = Math.floor(this.#place(time, all));
        return pixel < 0 || pixel >= all ? null : { strip, values: strip.values.subarray(pixel * bands, (pixel + 1) * bands) };
    }

    /**
     * The place of a time among `width` pixels.
     * @param {number} time
     * @param {number} pixels
     */
    #place(time, pixels) {
        const { from, to } = this.strips;
        return ((time - from) / (to - from)) * pixels;
    }
}

export class Picture {
    /** @type {Layer | null} */
    #whole = null;
    /** @type {Layer | null} */
    #window = null;
    /**
     * The parts of the last view that each picture shows: for tracks that the finer one lacks, and for those that it contains.
     * @type {{ view: View, coarse: Layer | null, fine: Layer | null, without: Part[], all: Part[] } | null}
     */
    #parts = null;

    clear() {
        this.#whole?.close();
        this.#window?.close();
        this.#whole = null;
        this.#window = null;
        this.#parts = null;
    }

    /**
     * Whether there is anything to draw of a track.
     * @param {number} track
     */
    has(track) {
        return [this.#whole, this.#window].some((layer) => layer?.strips.tracks.has(track));
    }

    /**
     * Replaces the images by others.
     * @param {(image: ImageBitmap) => ImageBitmap} make
     * @returns {() => void} restores them
     */
    exchange(make) {
        const undo = [this.#whole, this.#window].map((layer) => layer?.exchange(make));
        return () => undo.forEach((undo) => undo?.());
    }

    /** The strips of the finer picture. */
    get window() {
        return this.#window?.strips ?? null;
    }

    /**
     * @param {"whole" | "window"} which
     * @param {Strips} strips
     */
    take(which, strips) {
        this.#parts = null;
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
     * @param {Drawn} track
     * @param {View} view
     * @param {Box} box
     * @param {Theme} theme
     */
    paint(context, track, view, box, theme) {
        for (const { layer, part } of this.#layers(track.id, view)) layer.paint(context, track, part, view, box, theme);
    }

    /**
     * The largest value drawn of a track in view; NaN if none is known.
     * @param {Drawn} track
     * @param {View} view
     */
    most(track, view) {
        return this.#layers(track.id, view).reduce((most, { layer, part }) => larger(most, layer.most(track, part)), NaN);
    }

    /**
     * The bands of a track that are drawn at a time: their values, and the strip that they are from; null if there are none.
     * @param {Track} track
     * @param {number} time
     */
    bandsAt(track, time) {
        return this.#window?.bandsAt(track, time) ?? this.#whole?.bandsAt(track, time) ?? null;
    }

    /**
     * The newest strip of a track; null if there is none.
     * @param {number} track
     */
    strip(track) {
        return this.#window?.strips.tracks.get(track) ?? this.#whole?.strips.tracks.get(track) ?? null;
    }

    /**
     * The part of a view that each picture shows: the finer one all that it contains, the coarse one the rest.
     * @param {number} track
     * @param {View} view
     */
    #layers(track, view) {
        const [coarse, fine] = [this.#whole, this.#window];
        // All rows of a frame have the same parts, so they are kept.
        if (this.#parts?.view !== view || this.#parts.coarse !== coarse || this.#parts.fine !== fine) {
            this.#parts = { view, coarse, fine, without: partsOf(coarse, null, view), all: partsOf(coarse, fine, view) };
        }
        return fine?.strips.tracks.has(track) ? this.#parts.all : this.#parts.without;
    }
}

/**
 * @param {Layer | null} coarse
 * @param {Layer | null} fine
 * @param {View} view
 * @returns {Part[]}
 */
function partsOf(coarse, fine, view) {
    const middle = fine ? { from: fine.strips.from, to: fine.strips.to } : { from: view.to, to: view.to };
    const left = { from: view.from, to: Math.min(view.to, middle.from) };
    const right = { from: Math.max(view.from, middle.to), to: view.to };
    const beside = coarse ? [left, right].filter(({ from, to }) => from < to).map((part) => ({ layer: coarse, part })) : [];
    return fine ? [...beside, { layer: fine, part: view }] : beside;
}
