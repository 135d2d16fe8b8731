// The bar above the viewer in a page with a report: chooses one of its logs, and the viewer or the report.

import { html, nothing, render } from "lit";
import { visible } from "../format.js";

/** @typedef {import("./held.js").Held} Held */
/** @typedef {"viewer" | "report"} What */

/**
 * @typedef {object} Shown
 * @property {(what: What, log: Held) => void} show
 * @property {What} what to show at first
 * @property {() => boolean} isEmpty whether no log is open
 */

/**
 * @param {Held[]} logs
 * @param {Shown} shown
 * @returns {{ element: HTMLElement, turn: (change: { what?: What, log?: Held }) => void, draw: () => void }} `turn` shows something else;
 *     `draw`: call it when the viewer has another log, or none
 */
export function bar(logs, { show, what, isEmpty }) {
    const element = document.createElement("nav");
    element.className = "logs";
    element.ariaLabel = "Logs of this report";
    let [log] = logs;
    /** @param {Partial<{ what: What, log: Held }>} change */
    const turn = (change) => {
        // biome-ignore lint/correctness/noSelfAssign: changes come last, the rest stays.
        ({ what, log } = { what, log, ...change });
        show(what, log);
        draw();
    };
    const chosen = (/** @type {Event} */ { target }) => turn({ log: logs[/** @type {HTMLSelectElement} */ (target).selectedIndex] });
    const options = logs.map(({ name }) => html`<option>${visible(name)}</option>`);
    /** @param {What} which @param {string} text */
    const choice = (which, text) =>
        html`<button aria-pressed=${String(what === which)} @click=${() => turn({ what: which })}>${text}</button>`;
    const isWanted = () => log.isMissing && what === "viewer" && isEmpty();
    const draw = () =>
        render(
            html`
                ${logs.length > 1 ? html`<label>Log <select @change=${chosen}>${options}</select></label>` : nothing}
                <span>${choice("viewer", "Viewer")} ${choice("report", "Report")}</span>
                ${isWanted() ? html`<span>${visible(log.name)} is not in this page: drop the file below.</span>` : nothing}
            `,
            element,
        );
    return { element, turn, draw };
}
