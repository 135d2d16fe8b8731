// Above the viewer, in a page with a report: which of its logs is shown, and whether the viewer or the report is.

import { html, nothing, render } from "lit";
import { visible } from "../format.js";

/** @typedef {import("./held.js").Held} Held */

/**
 * @typedef {object} Acts
 * @property {(log: Held) => void} open
 * @property {(what: "viewer" | "report") => void} show
 * @property {boolean} served whether logs beside the page can be asked for
 */

/**
 * @param {Held[]} logs
 * @param {Acts} acts
 */
export function bar(logs, { open, show, served }) {
    const element = document.createElement("nav");
    element.className = "logs";
    element.ariaLabel = "Logs of this report";
    const chosen = (/** @type {Event} */ { target }) => {
        const log = logs[/** @type {HTMLSelectElement} */ (target).selectedIndex];
        open(log);
        tell(log);
    };
    const options = logs.map(({ name }) => html`<option>${visible(name)}</option>`);
    /** @param {Held} log */
    const tell = ({ name, isWithin }) =>
        render(
            html`
                ${logs.length > 1 ? html`<label>Log <select @change=${chosen}>${options}</select></label>` : nothing}
                <span><button @click=${() => show("viewer")}>Viewer</button> <button @click=${() => show("report")}>Report</button></span>
                ${isWithin || served ? nothing : html`<span>${visible(name)} is too long to be in this page: choose “Viewer”, and drop the file there.</span>`}
            `,
            element,
        );
    tell(logs[0]);
    return element;
}
