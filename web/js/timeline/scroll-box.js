// The box that the timeline scrolls in, as high as browsers let it be, and which part of all rows is in view.

import { Scrolled } from "../scrolled.js";

export class ScrollBox {
    #box;
    #sizer;
    #moved;
    #scrolled = new Scrolled();

    /**
     * @param {HTMLElement} box
     * @param {HTMLElement} sizer as high as all that can be scrolled to
     * @param {() => void} moved is called when other rows are in view
     */
    constructor(box, sizer, moved) {
        this.#box = box;
        this.#sizer = sizer;
        this.#moved = moved;
        box.addEventListener("scroll", moved);
    }

    /** What is above the view, of all rows. */
    get top() {
        return this.#scrolled.top;
    }

    /** How high the element is that scrolls. */
    get high() {
        return this.#scrolled.high;
    }

    /** What is to be added to a height in that element to get one among the rows. */
    get offset() {
        return this.#scrolled.offset;
    }

    /**
     * @param {number} height of all rows
     * @param {number} room for those in view
     */
    resize(height, room) {
        this.#scrolled.resize(height, room);
        this.#sizer.style.height = `${this.#scrolled.high}px`;
    }

    /** There is nothing to be scrolled. */
    clear() {
        this.#sizer.style.height = "";
    }

    /** Follows what the browser has scrolled. */
    follow() {
        const { scrollTop } = this.#box;
        if (this.#scrolled.to(scrollTop) !== scrollTop) this.to(this.#scrolled.top);
    }

    /** @param {number} top what is above the view then */
    to(top) {
        this.#box.scrollTop = this.#scrolled.scrollTopOf(top);
        this.#scrolled.set(this.#box.scrollTop, top);
        this.#moved();
    }

    /** @param {number} pixels */
    by(pixels) {
        this.#box.scrollBy({ top: pixels });
    }
}
