// The summary: the figures of all sections, and the tables that have no panel of their own. It is what is printed.

import { html } from "lit";
import { addPanel, tableSections } from "../panel.js";
import { summaryPanel } from "../section.js";
import { duration } from "../../format.js";

/** @typedef {import("../section.js").Shown} Shown */

addPanel({
    key: "summary",
    name: "Summary",
    what: "the main figures of everything, and what can be saved or copied",
    onPaper: (facts) => tableSections(facts).flatMap(({ tables }) => tables),
    render: (shown) => {
        const { totals, exports } = shown;
        const what = totals ? `Summary of ${duration(totals.to - totals.from)} selected` : "Summary";
        // Hidden: the tab and the chip already show it.
        return html`<h2 class="visually-hidden">${what}</h2>
            <div class="summary-tools">${exports.map(exportButton)}</div>
            ${summaryPanel(shown)}`;
    },
});

/**
 * With a space before it, to separate it from another one.
 * @param {Shown["exports"][0]} way
 */
function exportButton({ id, name, title, run }) {
    return html` <button id=${id} class="copy" title=${title} @click=${run}>${name}</button>`;
}
