// Texts with parts that are code.

import { html } from "lit";
import { partsOf } from "./findings.js";

/**
 * A text whose parts may be code.
 * @param {string} text
 */
export function inline(text) {
    return partsOf(text).map(({ text, isCode }) => (isCode ? html`<code>${text}</code>` : text));
}
