// Finds what is at a point of the timeline. Points are relative to the window, as the pointer's are.

import { bandAt, bandsOf } from "../bands.js";
import { drawnIn } from "../rows.js";
import { logOf } from "../state.js";
import { drawnAs } from "./drawing.js";

/** @typedef {import("../headers.js").Shown} Row */

export class Pointing {
    #store;
    #surface;
    #rows;
    #scroll;
    #picture;

    /**
     * @param {import("../store.js").Store<import("../state.js").State>} store
     * @param {import("./surface.js").Surface} surface
     * @param {import("./track-rows.js").TrackRows} rows
     * @param {import("./scroll-box.js").ScrollBox} scroll
     * @param {import("../picture.js").Picture} picture
     */
    constructor(store, surface, rows, scroll, picture) {
        this.#store = store;
        this.#surface = surface;
        this.#rows = rows;
        this.#scroll = scroll;
        this.#picture = picture;
    }

    /** The scale of the page's time now; null if no time is shown. */
    get scale() {
        const { view } = this.#store.value;
        return view ? this.#surface.scale(view) : null;
    }

    /**
     * The track at a point, and the time of the pixel there, in the log's own time.
     * @param {number} clientX
     * @param {number} clientY
     * @returns {import("../state.js").OfLog<import("../wishes.js").Pixel> | null}
     */
    pixelAt(clientX, clientY) {
        const { x, y } = this.#surface.point(clientX, clientY);
        const row = this.#rows.at(y, this.#scroll.top);
        const scale = row && this.scale?.of(logOf(this.#store.value, row.log));
        if (!row?.track || !scale || x < scale.left) return null;
        const pixel = { log: row.log, track: row.track.id, from: scale.time(Math.floor(x)), to: scale.time(Math.floor(x) + 1) };
        return row.track.shape === "bands" ? { ...pixel, ...this.#bandAt(row, pixel, y, scale) } : pixel;
    }

    /**
     * The number and role of the band at a point, if there is one.
     * @param {Row} row
     * @param {{ from: number, to: number }} pixel
     * @param {number} y
     * @param {import("./surface.js").Scale} scale of the track's log
     */
    #bandAt(row, { from, to }, y, { view }) {
        const { scaling } = this.#store.value;
        const log = logOf(this.#store.value, row.log);
        const { track } = row;
        const found = track && this.#picture.bandsAt(track, (from + to) / 2);
        if (!found) return {};
        const { scale } = drawnAs(track, scaling, log, { picture: this.#picture, view, lifted: null, rows: [row] });
        const drawn = drawnIn(row);
        const height = 1 - (y + this.#scroll.top - drawn.y) / drawn.height;
        const part = bandAt(found.values, found.strip.counts, log.bands, scale?.most || 0, height);
        const band = bandsOf(found.strip, log.bands.named).find(({ id }) => id === part);
        return band ? { part: band.id, role: band.role } : {};
    }

    /**
     * The row whose header is at a point.
     * @param {number} clientX
     * @param {number} clientY
     * @returns {Row | null}
     */
    headerAt(clientX, clientY) {
        const { x, y } = this.#surface.point(clientX, clientY);
        const inside = x >= 0 && x < this.#surface.left && y < this.#surface.height;
        return inside ? this.#rows.at(y, this.#scroll.top) : null;
    }

    /**
     * A point relative to the timeline's corner.
     * @param {number} clientX
     * @param {number} clientY
     */
    placeOf(clientX, clientY) {
        return this.#surface.point(clientX, clientY);
    }

    /** @param {number} clientX */
    timeAt(clientX) {
        return this.scale?.time(this.#surface.point(clientX, 0).x);
    }

    /**
     * Whether a point is in the part that shows time.
     * @param {number} clientX
     * @param {number} clientY
     */
    holds(clientX, clientY) {
        return this.#surface.holds(clientX, clientY);
    }
}
