// The place of the timeline on the screen, and the places of times on it. All lengths are CSS pixels.

import { viewInLog } from "../page-time.js";

/** @typedef {import("../viewport.js").View} View */

/** Converts between times and places on the canvas. */
export class Scale {
    /**
     * @param {View} view
     * @param {number} left
     * @param {number} width
     */
    constructor(view, left, width) {
        this.view = view;
        this.left = left;
        this.width = width;
    }

    /** The same scale in a log's own time. @param {Pick<import("../state.js").LogState, "offset">} log */
    of(log) {
        return new Scale(viewInLog(log, this.view), this.left, this.width);
    }

    /** The right edge of the canvas. */
    get right() {
        return this.left + this.width;
    }

    /** @param {number} time */
    x = (time) => this.left + ((time - this.view.from) / (this.view.to - this.view.from)) * this.width;

    /** @param {number} x */
    time = (x) => this.view.from + ((x - this.left) / this.width) * (this.view.to - this.view.from);
}

export class Surface {
    #box;
    #headers;

    /**
     * @param {HTMLElement} box
     * @param {HTMLElement} headers
     */
    constructor(box, headers) {
        this.#box = box;
        this.#headers = headers;
    }

    /** Width of the headers. */
    get left() {
        return this.#headers.offsetWidth;
    }

    /** Width of the part that shows time. */
    get width() {
        return Math.max(1, this.#box.clientWidth - this.left);
    }

    /** Height of the visible part of the rows. */
    get height() {
        return this.#box.clientHeight;
    }

    /** @param {View} view */
    scale(view) {
        return new Scale(view, this.left, this.width);
    }

    /**
     * A point of the window, relative to the timeline's corner.
     * @param {number} clientX
     * @param {number} clientY
     */
    point(clientX, clientY) {
        const { left, top } = this.#box.getBoundingClientRect();
        return { x: clientX - left, y: clientY - top };
    }

    /**
     * Whether a point of the window is in the part that shows time.
     * @param {number} clientX
     * @param {number} clientY
     */
    holds(clientX, clientY) {
        const { x, y } = this.point(clientX, clientY);
        return x >= this.left && x < this.left + this.width && y >= 0 && y < this.height;
    }
}
