// Times of the page, and times of a log. The page has one axis: the view and the selected range are on it. What a log answers, and what it
// is asked, is in the log's own time. A log's offset is the place of its time 0 on the axis. Only this file converts between the two.
//
//     page     0 ───────────── 700 ──────── 1000 ──▶
//     log                       0 ─────────  300 ──▶    offset 700

import { extentOf } from "./viewport.js";
import { logOf, originOf } from "./state.js";
import { Times } from "./times.js";

/** @typedef {import("./state.js").LogState} LogState */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./viewport.js").View} View */

/**
 * Converts a time of a log to the page's axis.
 * @param {Pick<LogState, "offset">} log
 * @param {number} time
 */
export function onPage({ offset }, time) {
    return time + offset;
}

/**
 * Converts a time on the page's axis to a log's own time.
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
 * The first and last time of a log on the page's axis, as far as known.
 * @param {Pick<LogState, "offset" | "log">} state
 * @returns {[number, number] | undefined}
 */
export function extentOnPage(state) {
    const extent = state.log ? extentOf(state.log.status) : undefined;
    return extent && [onPage(state, extent[0]), onPage(state, extent[1])];
}

/**
 * The time of the page that is shown as 0: that of the log.
 * @param {Pick<LogState, "offset" | "log">} state
 */
export function originOnPage(state) {
    return onPage(state, originOf(state));
}

/**
 * The time of a span on the page's axis.
 * @param {Pick<State, "logs">} state
 * @param {{ log: number, start: number, end: number }} span
 */
export function spanOnPage(state, { log, start, end }) {
    return viewOnPage(logOf(state, log), { from: start, to: end });
}

/**
 * How a log's own times are written.
 * @param {Pick<State, "clock">} state
 * @param {Pick<LogState, "log">} log
 */
export function timesOf({ clock }, log) {
    return new Times(originOf(log), clocksOf(clock, log), clock === "utc");
}

/**
 * How times on the page's axis are written: by the clock of a log.
 * @param {Pick<State, "clock">} state
 * @param {Pick<LogState, "offset" | "log">} log
 */
export function timesOnPage({ clock }, log) {
    /** @type {(known: import("./times.js").Known) => import("./times.js").Known} */
    const moved = ([from, epoch]) => [onPage(log, from), epoch - log.offset / 1e6];
    return new Times(originOnPage(log), clocksOf(clock, log).map(moved), clock === "utc");
}

/**
 * How a time that the user writes is read: as times are shown. If no clock is chosen, a time of day is the reader's own.
 * @param {Parameters<typeof timesOnPage>[0]} state
 * @param {Parameters<typeof timesOnPage>[1]} log
 */
export function timesAsWritten(state, log) {
    const shown = timesOnPage(state, log);
    return shown.isClock ? shown : timesOnPage({ clock: "local" }, log);
}

/**
 * @param {import("./times.js").Clock} clock
 * @param {Pick<LogState, "log">} log
 * @returns {import("./times.js").Known[]}
 */
function clocksOf(clock, { log }) {
    return clock === "local" || clock === "utc" ? (log?.process.clocks ?? []) : [];
}
