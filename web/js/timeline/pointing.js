// What is where on the timeline: for the pointer, whose points are those of the window.

/** @typedef {import("../headers.js").Shown} Row */

export class Pointing {
    #store;
    #surface;
    #rows;
    #scroll;

    /**
     * @param {import("../store.js").Store<import("../state.js").State>} store
     * @param {import("./surface.js").Surface} surface
     * @param {import("./track-rows.js").TrackRows} rows
     * @param {import("./scroll-box.js").ScrollBox} scroll
     */
    constructor(store, surface, rows, scroll) {
        this.#store = store;
        this.#surface = surface;
        this.#rows = rows;
        this.#scroll = scroll;
    }

    /** Where which time is now; null if none is shown. */
    get scale() {
        const { view } = this.#store.value;
        return view ? this.#surface.scale(view) : null;
    }

    /**
     * The track at a point, and the time of the pixel there.
     * @param {number} clientX
     * @param {number} clientY
     * @returns {import("../client.js").Pixel | null}
     */
    pixelAt(clientX, clientY) {
        const { x, y } = this.#surface.point(clientX, clientY);
        const row = this.#rows.at(y, this.#scroll.top);
        const { scale } = this;
        if (!row?.track || !scale || x < scale.left) return null;
        return { track: row.track.id, from: scale.time(Math.floor(x)), to: scale.time(Math.floor(x) + 1) };
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

    /** @param {number} clientX */
    timeAt(clientX) {
        return this.scale?.time(this.#surface.point(clientX, 0).x);
    }

    /**
     * Whether time is shown at a point.
     * @param {number} clientX
     * @param {number} clientY
     */
    holds(clientX, clientY) {
        return this.#surface.holds(clientX, clientY);
    }
}
