// A place in the source as the page shows it: a link if the user has set one, and plain text otherwise. The text is the log's.

import { html } from "lit";
import { visible } from "../format.js";
import { addressOf } from "./link.js";

/** @typedef {import("./link.js").SourceLinks} SourceLinks */

/**
 * @param {string} text the place, as the log has it
 * @param {SourceLinks} links
 * @param {string} [module]
 */
export function placePart(text, links, module = "") {
    const address = addressOf(links, text, module);
    if (address === null) return visible(text);
    // What the rows around it do on a click is not meant.
    return html`<a class="source" href=${address} target="_blank" rel="noopener noreferrer" title="Show it in the sources, in a new tab" @click=${stay} @keydown=${stay}
        >${visible(text)}</a
    >`;
}

/** @param {Event} event */
function stay(event) {
    event.stopPropagation();
}

/**
 * The offer to set a link, beside places.
 * @param {SourceLinks} links
 * @param {() => void} set opens the dialog
 */
export function linkOffer({ template }, set) {
    return html`<button class="copy" title="Where places in the source lead" @click=${set}>${template ? "link to your sources…" : "Set a link to your sources…"}</button>`;
}
