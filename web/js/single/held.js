// The logs of a report's page: each is the text of an element that browsers do not run, or only the name of a file beside the page.

import { bytesOf } from "./base64.js";

/**
 * @typedef {object} Held
 * @property {string} name
 * @property {boolean} isWithin whether the log itself is in the page
 * @property {boolean} isMissing whether it is neither in the page nor, as far as known, beside it
 * @property {string | null} words that begin and end its spans, as in "BEGIN,END"; null if none were given
 * @property {string | null} sources the template of links to its sources; null for the user's own
 * @property {string | null} commit that its program was built from
 * @property {string | null} notes that were written about it
 * @property {string | null} rows how its rows were arranged
 * @property {Element} element whose text is the log's file, compressed, as base64
 * @property {File} [file] its file, once that has been unpacked
 */

/**
 * The logs of a page, in its order.
 * @param {ParentNode} page
 * @returns {Held[]}
 */
export function held(page) {
    const elements = /** @type {HTMLElement[]} */ ([...page.querySelectorAll("script[data-log], script[data-beside]")]);
    return elements.map((element) => {
        const { log, beside, spanWords = null, sourceUrl = null, commit = null, notes = null, rows = null } = element.dataset;
        const isWithin = log !== undefined;
        return {
            name: log ?? beside ?? "",
            isWithin,
            isMissing: false,
            words: spanWords,
            sources: sourceUrl,
            commit,
            notes,
            rows,
            element,
        };
    });
}

/**
 * The file of a log; null if it is not in the page. This empties the element: its text may be many megabytes.
 * @param {Held} log
 */
export function fileOf(log) {
    if (!log.isWithin) return null;
    log.file ??= new File(bytesOf(log.element.textContent ?? ""), log.name);
    log.element.textContent = "";
    return log.file;
}
