// The logs of a report's page: each the text of an element that browsers do not run, or only the name of a file beside the page.

import { bytesOf } from "./packed.js";

/**
 * @typedef {object} Held
 * @property {string} name
 * @property {boolean} isWithin whether the log itself is in the page
 * @property {boolean} isMissing whether it is neither there nor, as far as is known, beside the page
 * @property {string | null} words those that begin and end its spans, as in "BEGIN,END"; null if nobody said which
 * @property {Element} element its text is the log's file, packed, as base64
 * @property {File} [file] once it has been read
 */

/**
 * Those of a page, in its order.
 * @param {ParentNode} page
 * @returns {Held[]}
 */
export function held(page) {
    const elements = /** @type {HTMLElement[]} */ ([...page.querySelectorAll("script[data-log], script[data-beside]")]);
    return elements.map((element) => {
        const { log, beside, spanWords = null } = element.dataset;
        return { name: log ?? beside ?? "", isWithin: log !== undefined, isMissing: false, words: spanWords, element };
    });
}

/**
 * The file of one; null if it is not in the page. Its text is given up for that: it may be many megabytes.
 * @param {Held} log
 */
export function fileOf(log) {
    if (!log.isWithin) return null;
    log.file ??= new File(bytesOf(log.element.textContent ?? ""), log.name);
    log.element.textContent = "";
    return log.file;
}
