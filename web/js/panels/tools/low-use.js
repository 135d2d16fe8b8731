// When the use of the capabilities is low: the share of them that must run.

import { html } from "lit";
import { addTools } from "./tools.js";

/** The thresholds of the model, in percent. */
const PERCENTS = Array.from({ length: 10 }, (_, at) => 10 * (at + 1));

addTools("low_use", ({ acts }) => {
    const choose = (/** @type {Event} */ { target }) => acts.setLowUse(Number(/** @type {HTMLSelectElement} */ (target).value));
    const chosen = acts.lowUse();
    const options = PERCENTS.map((percent) => html`<option value=${percent} ?selected=${percent === chosen}>${percent} %</option>`);
    return html`<label class="table-tool">Use is low when fewer than <select class="low-use" @change=${choose}>${options}</select> of the capabilities run</label>`;
});
