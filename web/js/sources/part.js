// A place in the source as the page shows it: a link if the user has set one, and plain text otherwise. The text is the log's.

import { html, nothing } from "lit";
import { visible } from "../format.js";
import { addressOf } from "./link.js";

/** @typedef {import("./link.js").SourceLinks} SourceLinks */

/**
 * @param {string} text the place, as the log has it
 * @param {SourceLinks} links
 * @param {string} [module]
 * @param {{ inRow?: boolean }} [where] `inRow`: in a row that keys go to as a whole, so that Tab need not stop at each of its links
 */
export function placePart(text, links, module = "", { inRow = false } = {}) {
    const address = addressOf(links, text, module);
    if (address === null) return visible(text);
    // What the rows around it do on a click is not meant.
    return html`<a class="source" href=${address} target="_blank" rel="noopener noreferrer" title=${inRow ? `${TITLE} (Ctrl+Enter)` : TITLE} tabindex=${inRow ? -1 : nothing} @click=${stay} @keydown=${stayEnter}
        >${visible(text)}</a
    >`;
}

const TITLE = "Show it in the sources, in a new tab";

/** @param {Event} event */
function stay(event) {
    event.stopPropagation();
}

/** @param {KeyboardEvent} event all other keys are the viewer's */
function stayEnter(event) {
    if (event.key === "Enter") event.stopPropagation();
}

/**
 * Follows the link in the row where the keys are.
 * @param {ParentNode} grid
 * @returns {boolean} whether it has one
 */
export function followSource(grid) {
    const link = /** @type {HTMLElement | null} */ (grid.querySelector("tr.cursor a.source"));
    link?.click();
    return link !== null;
}

/**
 * The offer to set a link, beside places.
 * @param {SourceLinks} links
 * @param {() => void} set opens the dialog
 */
export function linkOffer({ template }, set) {
    return html`<button class="copy" title="Where places in the source lead" @click=${set}>${template ? "Link to your sources…" : "Set a link to your sources…"}</button>`;
}
