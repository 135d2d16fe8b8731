// The box in which the timeline scrolls, and which part of all rows is in view. Browsers limit its height, so rows may scroll faster than
// the box.

import { Scrolled } from "../scrolled.js";

export class ScrollBox {
    #box;
    #sizer;
    #moved;
    #scrolled = new Scrolled();

    /**
     * @param {HTMLElement} box
     * @param {HTMLElement} sizer the element whose height makes the box scroll
     * @param {() => void} moved called when other rows come into view
     */
    constructor(box, sizer, moved) {
        this.#box = box;
        this.#sizer = sizer;
        this.#moved = moved;
        box.addEventListener("scroll", moved);
    }

    /** The height of the rows above the view. */
    get top() {
        return this.#scrolled.top;
    }

    /** The height of the element that scrolls. */
    get high() {
        return this.#scrolled.high;
    }

    /** Added to a height in that element, gives the height among the rows. */
    get offset() {
        return this.#scrolled.offset;
    }

    /**
     * @param {number} height of all rows
     * @param {number} room the height for rows in view
     */
    resize(height, room) {
        this.#scrolled.resize(height, room);
        this.#sizer.style.height = `${this.#scrolled.high}px`;
    }

    /** There is nothing to scroll. */
    clear() {
        this.#sizer.style.height = "";
    }

    /** Notes how far the browser has scrolled. */
    follow() {
        const { scrollTop } = this.#box;
        if (this.#scrolled.to(scrollTop) !== scrollTop) this.to(this.#scrolled.top);
    }

    /** @param {number} top the height of the rows above the view then */
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
