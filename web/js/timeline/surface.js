// Where on the screen the timeline is, and where on it which time is shown. All lengths are CSS pixels.

import { viewInLog } from "../page-time.js";

/** @typedef {import("../viewport.js").View} View */

/** Where on the canvas which time is, and back. */
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

    /** The same in a log's own time. @param {Pick<import("../state.js").LogState, "offset">} log */
    of(log) {
        return new Scale(viewInLog(log, this.view), this.left, this.width);
    }

    /** Where the canvas ends. */
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

    /** Height of the rows' part that can be seen. */
    get height() {
        return this.#box.clientHeight;
    }

    /** @param {View} view */
    scale(view) {
        return new Scale(view, this.left, this.width);
    }

    /**
     * A point of the window, from the timeline's corner.
     * @param {number} clientX
     * @param {number} clientY
     */
    point(clientX, clientY) {
        const { left, top } = this.#box.getBoundingClientRect();
        return { x: clientX - left, y: clientY - top };
    }

    /**
     * Whether a point of the window is where time is shown.
     * @param {number} clientX
     * @param {number} clientY
     */
    holds(clientX, clientY) {
        const { x, y } = this.point(clientX, clientY);
        return x >= this.left && x < this.left + this.width && y >= 0 && y < this.height;
    }
}
