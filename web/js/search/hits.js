// What a search has found, as the page shows it.

import { count } from "../format.js";
import { counted } from "../words.js";

/** @typedef {import("../protocol.js").Hit} Hit */
/** @typedef {import("../protocol.js").SearchReport} SearchReport */

/**
 * A search of a log.
 * @typedef {object} Search
 * @property {string} text the query
 * @property {SearchReport | null} report what has been found so far; null at first
 * @property {Record<string, Hit[]>} hits those that the page has, by kind, in order of time
 * @property {Hit[]} inOrder the same, of all kinds
 * @property {boolean} runs whether more may be found
 * @property {Hit | null} chosen the hit that the timeline went to last
 */

/**
 * What a search has found, in a number: its hits; if it has none, the findings, threads and other things with such a name.
 * @param {SearchReport | null | undefined} report
 * @returns {{ count: number, thing: "hit" | "name" } | undefined} none before the log can be searched
 */
export function numberFound(report) {
    const { found, names = [] } = report ?? {};
    if (!found) return undefined;
    const named = found.total > 0 ? 0 : names.reduce((sum, { count }) => sum + count, 0);
    return named > 0 ? { count: named, thing: "name" } : { count: found.total, thing: "hit" };
}

/**
 * How many hits there are, as far as known.
 * @param {Search} search
 */
export function countText({ report, runs, inOrder, chosen }) {
    if (!report) return "…";
    if (report.fault) return "not a query";
    const number = numberFound(report);
    if (!report.found || !number) return "";
    const { total, remarks } = report.found;
    if (runs) return total ? `at least ${count(total)}…` : "…";
    // Which of them is chosen is known if the page has all.
    const which = chosen && inOrder.length === total ? `${count(indexBeside(inOrder, chosen, 0, 1))} of ` : "";
    // Something cannot be found: the remarks say what.
    const least = remarks.length > 0 && total > 0 ? "at least " : "";
    return which + least + counted(number.count, number.thing);
}

/**
 * Hits of all kinds, in order of time. There may be thousands, and they are drawn in each frame: so they are sorted once for each answer.
 * @param {Record<string, Hit[]>} hits by kind
 * @returns {Hit[]}
 */
export function inOrderOf(hits) {
    return Object.values(hits)
        .flat()
        .sort((one, other) => one.time - other.time);
}

/**
 * The index of the hit that a step leads to.
 * @param {Hit[]} hits in order of time
 * @param {Hit | null} from the chosen one
 * @param {number} time where to begin without one
 * @param {1 | -1} by
 * @returns {number} -1 or the number of hits if it leads beyond them
 */
export function indexBeside(hits, from, time, by) {
    if (from) {
        // Hits may be equal. After another answer, the same hit is another object.
        const at = hits.indexOf(from);
        const equal = at < 0 ? hits.findIndex((hit) => isSame(hit, from)) : at;
        if (equal >= 0) return equal + by;
    }
    const after = hits.findIndex((hit) => hit.time >= (from?.time ?? time));
    const next = after < 0 ? hits.length : after;
    return by > 0 ? next : next - 1;
}

/**
 * @param {Hit} one
 * @param {Hit} other
 */
export function isSame(one, other) {
    return one.kind === other.kind && one.time === other.time && one.cap === other.cap && one.text === other.text;
}
