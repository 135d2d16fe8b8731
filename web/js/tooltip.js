// The tooltip with what is under the pointer. Only the newest question counts: when an answer comes, the pointer may be elsewhere already.

import { describeFound } from "./describe.js";

/** @typedef {import("./state.js").OfLog<import("./wishes.js").Pixel> & { x: number, y: number }} Spot a pixel of a track, and where it is in the window */

const BESIDE = 14;

export class Tooltip {
    #element;
    #ask;
    /** @type {Spot | null} */
    #spot = null;

    /**
     * @param {HTMLElement} element
     * @param {(spot: Spot) => Promise<import("./protocol.js").Found | null>} ask
     */
    constructor(element, ask) {
        this.#element = element;
        this.#ask = ask;
    }

    /**
     * @param {Spot | null} spot
     * @param {import("./times.js").Times} times how moments are written
     */
    async show(spot, times) {
        // Hide the old text, unless the new spot is near the old one in the same view: there it may be the same thing.
        if (!spot || !beside(spot, this.#spot)) this.#vanish();
        this.#spot = spot;
        const found = spot && (await this.#ask(spot));
        if (!found || this.#spot !== spot) return;
        this.#element.hidden = false;
        this.#element.replaceChildren(...describeFound(found, times));
        this.#move(spot);
    }

    /**
     * Shows a text that is known already.
     * @param {Node[]} parts
     * @param {{ x: number, y: number }} point of the window
     */
    tell(parts, point) {
        this.#spot = null;
        this.#element.hidden = false;
        this.#element.replaceChildren(...parts);
        this.#move(point);
    }

    /** Hides it: what it described has moved. */
    hide() {
        this.#spot = null;
        this.#vanish();
    }

    /** Hides it only if it is visible: otherwise the browser would compute its style again in each frame while the view moves. */
    #vanish() {
        if (!this.#element.hidden) this.#element.hidden = true;
    }

    /** @param {{ x: number, y: number }} point of the window */
    #move({ x, y }) {
        const { style } = this.#element;
        style.left = style.top = "0";
        // If the viewer has layout containment, as containers do in Chromium before 2024, points are relative to its corner.
        const { left, top, width, height } = this.#element.getBoundingClientRect();
        const toX = x + BESIDE + width > innerWidth ? x - BESIDE - width : x + BESIDE;
        const toY = y + BESIDE + height > innerHeight ? y - BESIDE - height : y + BESIDE;
        style.left = `${Math.max(0, toX) - left}px`;
        style.top = `${Math.max(0, toY) - top}px`;
    }
}

/**
 * Whether two spots are on the same track in the same view, so that their distance in time is that on the screen.
 * @param {Spot} spot
 * @param {Spot | null} other
 */
function beside(spot, other) {
    if (!other || other.log !== spot.log || other.track !== spot.track) return false;
    const pixel = spot.to - spot.from;
    return Math.abs(spot.from - other.from - (Math.floor(spot.x) - Math.floor(other.x)) * pixel) < pixel / 2;
}
