// What there is to show: the state of the page, and one of each log that is open. All of it is one value, kept in one store.
//
//     page ── logs ──▶ { 3: a log's state, 4: another's }
//      └───── shown ─▶ 4, the number of the one that its reader sees

import { firstChoice } from "./bands.js";
import { firstSpans } from "./spans.js";
import { firstRows } from "./threads.js";
import { NamedRoles } from "./paint/named.js";

/** @typedef {import("./store.js").Store<State>} StateStore */

/**
 * What is of the page, whichever logs are open.
 * @typedef {object} PageState
 * @property {"empty" | "asking" | "choosing" | "loading" | "ready" | "error"} phase also `data-state` of the page's root
 * @property {string} error why a file cannot be shown
 * @property {{ name: string, size: number, opening: number } | null} wrong that file
 * @property {Next | null} next what is to take the place of the log, once it has proved readable
 * @property {number | null} retryIn the connection to a log's server broke, and is tried again in so many ms
 * @property {Record<number, LogState>} logs the shown one, and the one that Cancel returns to, by their numbers
 * @property {boolean} pictured whether there is anything to draw of the tracks
 * @property {{ x: number, y: number } | null} pointer where the pointer is, in the window, when it is on the timeline
 * @property {import("./theme-switch.js").Choice} colours those that are wanted
 * @property {import("./theme.js").Theme} theme those that are there
 * @property {Record<string, boolean>} overlaysOn which overlays their reader has turned on or off
 * @property {import("./spans.js").SpanWords} spanWords which words begin and end spans
 * @property {import("./scaling.js").Scaling} scaling what lines are as high as
 * @property {import("./wish.js").Wish} wish what the page wants to be seen of its log
 */

/**
 * What the reader looks at. The page has another one of these when it shows another log, and the last one when it returns.
 * @typedef {object} Seen
 * @property {number} shown the log's number; 0 for none
 * @property {import("./viewport.js").View | null} view from when to when, on the page's axis
 * @property {boolean} follows whether the view is the whole log, however it grows
 * @property {import("./viewport.js").View | null} range what is selected of time, on the page's axis
 * @property {OfLog<import("./protocol.js").Span> | null} span what is selected on a track
 */

/** @typedef {PageState & Seen} State */

/**
 * A span, a point or a pixel, with the number of the log that its track and its times are of.
 * @template T
 * @typedef {T & { log: number }} OfLog
 */

/**
 * What is of one log.
 * @typedef {object} LogState
 * @property {number} number its own, as the client has it; 0 of what stands for no log
 * @property {number} offset where its own time begins on the page's axis, in ns: see page-time.js
 * @property {{ name: string, size: number } | null} file
 * @property {import("./protocol.js").LogInfo | null} log what is known of it; null until something is
 * @property {boolean} finished whether it has been read, as far as it will be
 * @property {string[]} troubles what went wrong with it
 * @property {import("./protocol.js").RangeTotals | null} totals what its tracks did in the selected range, or in the one just before
 * @property {Record<string, any>} overlayData what overlays have asked for to be drawn of it, by their keys
 * @property {import("./bands.js").BandsChoice} bands how its bands are drawn
 * @property {import("./threads.js").ThreadsChoice} threads which rows its threads have
 * @property {import("./spans.js").SpansChoice} spans which rows its spans have, and what is told of them
 * @property {NamedRoles} modules the colours of its modules
 */

/**
 * @typedef {object} Next a file that is being opened
 * @property {number} opening its number
 * @property {{ name: string, size: number }} file
 * @property {number} read bytes
 * @property {import("./protocol.js").Question | null} question about other servers, which the reader must answer first
 * @property {boolean} loads whether all of it is loaded before it is opened
 * @property {import("./protocol.js").Choice | null} choice the logs of an archive of which one must be chosen
 */

/**
 * The page with nothing open.
 * @returns {Omit<State, "theme" | "colours" | "scaling" | "spanWords" | "overlaysOn" | "wish">}
 */
export function nothing() {
    return {
        phase: "empty",
        error: "",
        wrong: null,
        next: null,
        retryIn: null,
        logs: {},
        pictured: false,
        pointer: null,
        ...firstSight(0),
    };
}

/**
 * A log as it is seen first: the whole of it, with nothing selected.
 * @param {number} shown its number; 0 for none
 * @returns {Seen}
 */
export function firstSight(shown) {
    return { shown, view: null, follows: true, range: null, span: null };
}

/**
 * A log of which nothing is known yet.
 * @param {number} number
 * @param {LogState["file"]} file
 * @returns {LogState}
 */
export function newLog(number, file) {
    return {
        number,
        offset: 0,
        file,
        log: null,
        finished: false,
        troubles: [],
        totals: null,
        overlayData: {},
        bands: firstChoice(),
        threads: firstRows(),
        spans: firstSpans(),
        modules: new NamedRoles(),
    };
}

/** Stands for a log where there is none. */
export const NO_LOG = newLog(0, null);

/**
 * A log, by its number.
 * @param {Pick<State, "logs">} state
 * @param {number} number
 */
export function logOf({ logs }, number) {
    return logs[number] ?? NO_LOG;
}

/**
 * The log that the reader sees.
 * @param {Pick<State, "logs" | "shown">} state
 */
export function shownOf(state) {
    return logOf(state, state.shown);
}

/**
 * All logs, one of which has changed; as they are, if that one is not open.
 * @param {State["logs"]} logs
 * @param {number} number
 * @param {Partial<LogState>} change
 * @returns {State["logs"]}
 */
export function withLog(logs, number, change) {
    const log = logs[number];
    return log ? { ...logs, [number]: { ...log, ...change } } : logs;
}

/**
 * @param {StateStore} store
 * @param {number} number
 * @param {Partial<LogState>} change
 */
export function changeLog(store, number, change) {
    store.set({ logs: withLog(store.value.logs, number, change) });
}

/**
 * Changes the log that the reader sees.
 * @param {StateStore} store
 * @param {Partial<LogState>} change
 */
export function changeShown(store, change) {
    changeLog(store, store.value.shown, change);
}

/**
 * Where the page is.
 * @param {Pick<State, "next" | "error" | "logs" | "shown">} state
 * @returns {State["phase"]}
 */
export function phaseOf({ next, error, ...state }) {
    if (next?.question) return "asking";
    if (next) return next.choice ? "choosing" : "loading";
    if (error) return "error";
    const { log, finished } = shownOf(state);
    if (!log) return "empty";
    return finished ? "ready" : "loading";
}

/**
 * The time of a log that is shown as 0.
 * @param {Pick<LogState, "log">} state
 */
export function originOf({ log }) {
    return log?.status.extent?.[0] ?? 0;
}
