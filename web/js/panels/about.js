// The name of a figure, which opens what it means: how it is counted, what is usual, and the way to the documents.

import { html, nothing, render } from "lit";
import { aboutFigure, usualOf } from "../explained.js";
import { anchorOf } from "../anchor.js";
import { DOCUMENTS } from "../parts.js";

/** @typedef {import("../protocol.js").Section} Section */
/** @typedef {import("../protocol.js").Figure} Figure */

/**
 * The sentences about a figure: what it is, and what is usual; empty if it is explained nowhere.
 * @param {string} section the key of its section
 * @param {string} key its own
 */
export function aboutText(section, key) {
    return [aboutFigure(section, key), usualOf(section, key)].filter(Boolean).join(" ");
}

/**
 * A figure's name. It is a button where there is something to say: `.explanation`, beside it in the list, has that while it is open, so that
 * hundreds of sentences do not wait in every panel, nor are found by searching the page.
 * @param {Pick<Section, "key" | "name">} section
 * @param {Figure} figure
 */
export function figureName(section, figure) {
    const about = aboutText(section.key, figure.key);
    if (!about) return figure.name;
    const open = (/** @type {Event} */ { currentTarget }) => {
        const details = /** @type {HTMLDetailsElement} */ (currentTarget);
        const box = /** @type {HTMLElement | null | undefined} */ (details.closest("div")?.querySelector(".explanation"));
        if (box) render(details.open ? html`${about} ${moreLink(section)}` : nothing, box);
    };
    return html`<details class="explained" @toggle=${open}><summary>${figure.name}</summary></details>`;
}

/** @param {Pick<Section, "name">} section */
function moreLink({ name }) {
    if (!DOCUMENTS) return nothing;
    return html`<a href=${`${DOCUMENTS}reading.html#${anchorOf(name)}`} target="_blank" rel="noopener">More</a>`;
}
