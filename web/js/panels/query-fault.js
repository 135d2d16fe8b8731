// Why a query cannot be read: the query with a mark from the wrong place on, and a sentence.

import { html, nothing } from "lit";
import { sentence, visible } from "../format.js";

/**
 * @param {string} query
 * @param {import("../protocol.js").QueryFault} fault
 * @param {{ alerts?: boolean }} [how] `alerts`: whether screen readers say it at once
 */
export function faultPart(query, { at, reason }, { alerts = false } = {}) {
    const [before, wrong] = [query.slice(0, at), query.slice(at) || " "];
    return html`<p class="wrong-query" role=${alerts ? "alert" : nothing}><code>${visible(before)}<mark>${visible(wrong)}</mark></code> ${sentence(reason)}</p>`;
}
