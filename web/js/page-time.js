// Times of the page, and times of a log. The page has one axis: what is in view is on it, and so is the selected range. What comes from a
// log, and what is asked of it, is in the log's own time. A log's offset says where on the axis its own time is 0; only here is one
// time made into the other.
//
//     page     0 ───────────── 700 ──────── 1000 ──▶
//     log                       0 ─────────  300 ──▶    offset 700

import { extentOf } from "./viewport.js";
import { logOf, originOf } from "./state.js";

/** @typedef {import("./state.js").LogState} LogState */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./viewport.js").View} View */

/**
 * Where on the page a time of a log is.
 * @param {Pick<LogState, "offset">} log
 * @param {number} time
 */
export function onPage({ offset }, time) {
    return time + offset;
}

/**
 * Which time of a log is at a place of the page's axis.
 * @param {Pick<LogState, "offset">} log
 * @param {number} time
 */
export function inLog({ offset }, time) {
    return time - offset;
}

/**
 * @param {Pick<LogState, "offset">} log
 * @param {View} view of the log
 * @returns {View}
 */
export function viewOnPage(log, { from, to }) {
    return { from: onPage(log, from), to: onPage(log, to) };
}

/**
 * @param {Pick<LogState, "offset">} log
 * @param {View} view of the page
 * @returns {View}
 */
export function viewInLog(log, { from, to }) {
    return { from: inLog(log, from), to: inLog(log, to) };
}

/**
 * From where to where on the page a log goes, as far as that is known.
 * @param {Pick<LogState, "offset" | "log">} state
 * @returns {[number, number] | undefined}
 */
export function extentOnPage(state) {
    const extent = state.log ? extentOf(state.log.status) : undefined;
    return extent && [onPage(state, extent[0]), onPage(state, extent[1])];
}

/**
 * The time of the page that is shown as 0: the one that is so of a log.
 * @param {Pick<LogState, "offset" | "log">} state
 */
export function originOnPage(state) {
    return onPage(state, originOf(state));
}

/**
 * Where on the page a span is.
 * @param {Pick<State, "logs">} state
 * @param {{ log: number, start: number, end: number }} span
 */
export function spanOnPage(state, { log, start, end }) {
    return viewOnPage(logOf(state, log), { from: start, to: end });
}
