// The header of a track of bands: their names, and the choice of how to draw them.

import { html, nothing, render } from "lit";
import { COUNTS, DRAWN, ORDERS } from "../bands.js";
import { element } from "../describe.js";
import { visible } from "../format.js";
import { partsOf, tailFrom } from "../qualified.js";

/** @typedef {import("../bands.js").Band} Band */
/** @typedef {import("../bands.js").BandsChoice} BandsChoice */
/** @typedef {(chosen: Partial<BandsChoice>) => void} Choose */

/**
 * Fills a header with the names of the bands, those first that come first in their order, and the choice of how to draw them. A band's button draws it
 * alone.
 * @param {HTMLElement} row
 * @param {Band[] | null} list null for a track of another shape
 * @param {BandsChoice} choice
 * @param {Choose} choose
 */
export function fillBands(row, list, choice, choose) {
    let part = /** @type {HTMLElement | null} */ (row.querySelector(":scope > .bands"));
    if (!list) return part?.remove();
    if (!part) row.append((part = element("div", { class: "bands" })));
    const only = (/** @type {number} */ id) => choose({ only: choice.only === id ? null : id });
    const names = list.map(
        ({ id, name, role }) => html`<li>
            <button aria-pressed=${choice.only === id} aria-label=${visible(name)} title=${visible(name)} @click=${() => only(id)}>
                <span class="swatch" .style=${`background: var(--${role})`}></span><span class="text">${parts(visible(name))}</span>
            </button>
        </li>`,
    );
    render(html`<div class="choices">${choices(choice, choose)}</div><ul aria-label="Bands">${names}</ul>`, part);
}

/**
 * The parts of a name, so that the package is the first that is cut when there is no room, then the module, and the end of the name never.
 * @param {string} name
 */
function parts(name) {
    const [inPackage, inModule, last] = partsOf(name);
    const span = (/** @type {string} */ part, /** @type {string} */ kind) => (part ? html`<span class=${kind}>${part}</span>` : nothing);
    const tail = tailFrom(last) ?? last.length;
    return [span(inPackage, "package"), span(inModule, "module"), span(last.slice(0, tail), "last"), span(last.slice(tail), "tail")];
}

/**
 * @param {BandsChoice} choice
 * @param {Choose} choose
 */
function choices({ count: chosen, order, drawn }, choose) {
    const valueIn = (/** @type {Event} */ { target }) => /** @type {HTMLSelectElement} */ (target).value;
    const option = (/** @type {string | number} */ value, /** @type {string} */ text, /** @type {boolean} */ selected) =>
        html`<option value=${value} ?selected=${selected}>${text}</option>`;
    return html`
        <select aria-label="How many bands" title="How many bands" @change=${(/** @type {Event} */ event) => choose({ count: Number(valueIn(event)), only: null })}>
            ${COUNTS.map((count) => option(count, String(count), count === chosen))}
        </select>
        <select aria-label="Which bands come first" title="Which bands come first" @change=${(/** @type {Event} */ event) => choose({ order: valueIn(event), only: null })}>
            ${ORDERS.map(({ key, name }) => option(key, name, key === order))}
        </select>
        <select aria-label="How bands are drawn" title="How bands are drawn" @change=${(/** @type {Event} */ event) => choose({ drawn: DRAWN.find(({ key }) => key === valueIn(event))?.key })}>
            ${DRAWN.map(({ key, name }) => option(key, name, key === drawn))}
        </select>
    `;
}
