// A long text in a box that may be too narrow for it: its middle is left out, so that texts that begin alike differ at the end. It is in two
// parts, of which only the first shrinks (style/ends.css).

import { html } from "lit";
import { element } from "./describe.js";
import { tailFrom } from "./qualified.js";

/**
 * A text of at most `most` letters: a longer one loses its middle. For texts of a log whose whole the page shows elsewhere or not at all:
 * browsers take half a minute to lay out 60 000 letters of several scripts.
 * @param {string} text
 * @param {number} most
 */
export function shortened(text, most) {
    if (text.length <= most) return text;
    const tail = Math.floor((most - 1) / 3);
    // Half a letter would be shown as a question mark.
    const head = text.slice(0, most - 1 - tail).replace(/[\ud800-\udbff]$/, "");
    return `${head}…${text.slice(text.length - tail).replace(/^[\udc00-\udfff]/, "")}`;
}

/** @param {string} text */
export function ends(text) {
    const from = tailFrom(text);
    return from === null ? text : html`<span class="ends"><span>${text.slice(0, from)}</span><span>${text.slice(from)}</span></span>`;
}

/**
 * The same as elements.
 * @param {string} text
 * @returns {Node | string}
 */
export function endsElement(text) {
    const from = tailFrom(text);
    return from === null
        ? text
        : element("span", { class: "ends" }, element("span", {}, text.slice(0, from)), element("span", {}, text.slice(from)));
}
