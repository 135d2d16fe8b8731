// A long text in a box that may be too narrow for it: its middle is left out, so that texts that begin alike differ at the end. It is in two
// parts, of which only the first shrinks (style/ends.css).

import { html } from "lit";
import { element } from "./describe.js";
import { tailFrom } from "./qualified.js";

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
