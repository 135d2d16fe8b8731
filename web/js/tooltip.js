// What is under the pointer. One question at a time: when its answer comes, the pointer may be elsewhere already.

import { describeSpan } from "./describe.js";

/** @typedef {{ track: number, time: number, x: number, y: number }} Place */

const BESIDE = 14;

export class Tooltip {
    #element;
    #ask;
    /** @type {Place | null} */
    #place = null;
    #asking = false;

    /**
     * @param {HTMLElement} element
     * @param {(place: Place) => Promise<import("./protocol.js").Span | null>} ask
     */
    constructor(element, ask) {
        this.#element = element;
        this.#ask = ask;
    }

    /**
     * @param {Place | null} place
     * @param {number} origin
     */
    async show(place, origin) {
        this.#place = place;
        if (!place) this.#element.hidden = true;
        if (!place || this.#asking) return;
        this.#asking = true;
        const span = await this.#ask(place);
        this.#asking = false;
        if (this.#place !== place) return void this.show(this.#place, origin);
        this.#element.hidden = span === null;
        if (span === null) return;
        this.#element.replaceChildren(...describeSpan(span, origin, "strong"));
        this.#move(place);
    }

    /** @param {Place} place */
    #move({ x, y }) {
        const { offsetWidth, offsetHeight, style } = this.#element;
        const left = x + BESIDE + offsetWidth > innerWidth ? x - BESIDE - offsetWidth : x + BESIDE;
        const top = y + BESIDE + offsetHeight > innerHeight ? y - BESIDE - offsetHeight : y + BESIDE;
        style.left = `${Math.max(0, left)}px`;
        style.top = `${Math.max(0, top)}px`;
    }
}
