// Moments in the search field: "14:03:12" alone can be gone to, and in from:14:03:12 and to:14:03:12 it is a time of day, which only the page
// knows: the reader's time zone decides it.

import { momentIn, momentMeant } from "../moment.js";
import { extentOnPage, inLog, timesAsWritten } from "../page-time.js";
import { shownOf } from "../state.js";

/** @typedef {import("../state.js").State} State */

/** A bound of time that is written with colons. Only hours and minutes need a look at the clock: the rest is read with the query. */
const BOUND = /^(-?(?:from|to):)"?(\d[\d-]*(?:[T ]\d+)?:\d[\d:.]*)"?$/i;

/**
 * The moment of the log on the screen that a text is, on the page's axis; null if it is none, or not in the log.
 * @param {State} state
 * @param {string} text
 */
export function momentOf(state, text) {
    const log = shownOf(state);
    const extent = extentOnPage(log);
    // A number alone is a word to look for.
    if (!extent || !/^\d.*[:a-zµμ]/i.test(text.trim())) return null;
    return momentIn(text.trim(), extent, timesAsWritten(state, log)).at;
}

/**
 * A query whose times of day are the log's own times, as the worker understands them.
 * @param {State} state
 * @param {string} query
 */
export function inLogTimes(state, query) {
    const log = shownOf(state);
    const extent = extentOnPage(log);
    if (!extent) return query;
    const clock = timesAsWritten(state, log);
    return words(query)
        .map((word) => {
            const [, key, written] = BOUND.exec(word) ?? [];
            const moment = written === undefined ? null : momentMeant(written.replace("T", " "), extent, clock);
            return moment === null ? word : `${key}@${Math.max(Math.round(inLog(log, moment)), 0)}`;
        })
        .join("");
}

/**
 * A query's words, and what is between them. What is in quotes is not taken apart.
 * @param {string} query
 */
function words(query) {
    return query.match(/\s+|[^\s"]*"(?:\\.|[^"\\])*"?\S*|\S+/g) ?? [];
}
