// The state of the page and of each open log: one value, kept in one store.
//
//     page ── logs ──▶ { 3: a log's state, 4: another's }
//      └───── shown ─▶ 4, the number of the log on the screen

import { HALF } from "./protocol.js";
import { firstChoice } from "./bands.js";
import { firstRowsChoice } from "./arranging/choice.js";
import { firstSpans } from "./spans.js";
import { firstRows } from "./threads.js";
import { NamedRoles } from "./paint/named.js";

/** @typedef {import("./store.js").Store<State>} StateStore */

/** @typedef {{ name: string, size: number, url?: string }} FileInfo a file, with its address if it was asked for by one */

/**
 * What belongs to the page, not to a log.
 * @typedef {object} PageState
 * @property {"empty" | "asking" | "choosing" | "loading" | "ready" | "error"} phase also `data-state` of the page's root
 * @property {string} error why a file cannot be shown
 * @property {(FileInfo & { opening: number, several?: readonly File[] }) | null} wrong the file that cannot be shown, and those that came
 *     together with it
 * @property {Next | null} next the log that replaces the shown one as soon as it proves readable
 * @property {number | null} retryIn the connection to a log's server broke; it is tried again in this many ms
 * @property {Record<number, LogState>} logs the shown log and the one that Cancel returns to, by number
 * @property {boolean} pictured whether the tracks have anything to draw yet
 * @property {{ x: number, y: number } | null} pointer the pointer's place in the window while it is on the timeline
 * @property {number | null} dragged while an end of the range is dragged: how far the pointer is below the timeline's top, in CSS pixels
 * @property {boolean} snaps whether the ends of a range snap to what begins or ends near them
 * @property {import("./theme-switch.js").Choice} colours the theme that the user chose
 * @property {import("./theme.js").Theme} theme the theme that is shown
 * @property {import("./sources/link.js").SourceLinks} sources where places in the source lead
 * @property {Record<string, boolean>} overlaysOn the overlays that the user turned on or off
 * @property {import("./spans.js").SpanWords[]} spanWords which words begin and end spans, besides those that are known
 * @property {import("./scaling.js").Scaling} scaling what the height of lines is relative to
 * @property {import("./times.js").Clock} clock how moments are written: since the start, or as the time of day
 * @property {import("./hints.js").Hint[]} hints those of a first visit that are left
 * @property {import("./link/link.js").Link | null} link what the page's address shows of a file that is not the log on the screen
 * @property {import("./requested-view.js").RequestedView} requested the view that the embedding page asks for
 */

/**
 * What the user looks at. Showing another log starts a new one of these; returning brings the old one back.
 * @typedef {object} Seen
 * @property {number} shown the log's number; 0 for none
 * @property {import("./viewport.js").View | null} view the time in view, on the page's axis
 * @property {boolean} follows whether the view grows with the log, showing all of it
 * @property {import("./viewport.js").View | null} range the selected time, on the page's axis
 * @property {{ range: import("./viewport.js").View, to: import("./navigation/snapping.js").Snap[] } | null} snapped what the ends of a range
 *     have snapped to: of the selected range, or of one before
 * @property {OfLog<import("./protocol.js").Span> | null} span the selected span or point
 * @property {OfLog<import("./protocol.js").Span> | null} measureFrom the span from which to measure to the selected one
 * @property {import("./findings.js").Chosen | null} finding the finding whose evidence is laid over the timeline
 */

/** @typedef {PageState & Seen} State */

/**
 * A span, a point or a pixel, with the number of the log that its track and its times belong to.
 * @template T
 * @typedef {T & { log: number }} OfLog
 */

/** The state of one log.
 * @typedef {object} LogState
 * @property {number} number its number in the client; 0 for `NO_LOG`
 * @property {number} offset where its time 0 is on the page's axis, in ns: see page-time.js
 * @property {FileInfo | null} file
 * @property {readonly File[]} several the files that came together with its own, and that one; none if it came alone
 * @property {import("./protocol.js").LogInfo | null} log what is known about it; null until something is
 * @property {boolean} finished whether reading has ended
 * @property {string[]} troubles what went wrong, one sentence each
 * @property {import("./protocol.js").RangeTotals | null} totals the facts about the selected range, or about the one before until those
 *     come
 * @property {Record<string, any>} overlayData what overlays asked for in order to draw it, by their keys
 * @property {import("./bands.js").BandsChoice} bands how to draw its bands
 * @property {import("./threads.js").ThreadsChoice} threads the rows of its threads
 * @property {import("./arranging/choice.js").RowsChoice} rows how all its rows are arranged
 * @property {readonly import("./arranging/choice.js").RowsChoice[]} rowsBefore the arrangements before that one, for undoing; the last comes
 *     last
 * @property {readonly import("./protocol.js").PlacedTrack[]} placed where the tracks are that the arrangement names, as far as they are there
 * @property {import("./protocol.js").NamedRows | null} named which rows have the arrangement's text in their names, once that is known
 * @property {import("./arranging/plan.js").Peek | null} peek a row that is shown for the moment, although it is hidden
 * @property {readonly import("./arranging/choice.js").RowName[]} picked the rows that are picked for acting on them together
 * @property {import("./spans.js").SpansChoice} spans the rows of its spans, and the label with a histogram
 * @property {string} eachOf the label whose spans are looked at, one by one; empty for none
 * @property {number} lowUse the use of the capabilities is low when fewer than this many percent of them run
 * @property {NamedRoles} modules the colours of its Haskell modules
 * @property {import("./search/hits.js").Search | null} search what is searched for in it, and what was found
 * @property {import("./navigation/call-samples.js").MarkedCalls | null} calls the way through a profile whose samples are marked
 * @property {readonly import("./notes/notes.js").Note[]} notes what the user has written, in order of time
 * @property {string} markerText only markers with this text have lines; empty for all
 * @property {boolean} returned whether it was opened again and is shown as it was left
 * @property {readonly string[]} dismissed the ids of the findings that the user has dismissed
 */

/**
 * @typedef {object} Next a file that is being opened
 * @property {number} opening its number; 0 while one of several files is still to be chosen
 * @property {FileInfo} file
 * @property {readonly File[]} several the files that came together with it, and that one; none if it came alone
 * @property {number} read bytes
 * @property {import("./protocol.js").Question | null} question about other servers, which the user must answer first
 * @property {boolean} loads whether it is downloaded completely before it is opened
 * @property {import("./protocol.js").Choice | null} choice the logs of an archive, or several files; the user must choose one
 */

/**
 * The page with nothing open.
 * @returns {Omit<State, "theme" | "colours" | "scaling" | "clock" | "spanWords" | "sources" | "overlaysOn" | "snaps" | "hints" | "link" | "requested">}
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
        dragged: null,
        ...firstSight(0),
    };
}

/**
 * The first sight of a log: all of it, with nothing selected.
 * @param {number} shown its number; 0 for none
 * @returns {Seen}
 */
export function firstSight(shown) {
    return { shown, view: null, follows: true, range: null, snapped: null, span: null, measureFrom: null, finding: null };
}

/**
 * The state of a log about which nothing is known yet.
 * @param {number} number
 * @param {LogState["file"]} file
 * @param {LogState["several"]} [several]
 * @returns {LogState}
 */
export function newLog(number, file, several = []) {
    return {
        number,
        offset: 0,
        file,
        several,
        log: null,
        finished: false,
        troubles: [],
        totals: null,
        overlayData: {},
        bands: firstChoice(),
        threads: firstRows(),
        rows: firstRowsChoice(),
        rowsBefore: [],
        placed: [],
        named: null,
        peek: null,
        picked: [],
        spans: firstSpans(),
        eachOf: "",
        lowUse: HALF,
        modules: new NamedRoles(),
        search: null,
        calls: null,
        notes: [],
        markerText: "",
        returned: false,
        dismissed: [],
    };
}

/** The state of no log, for code that needs one. */
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
 * The log on the screen.
 * @param {Pick<State, "logs" | "shown">} state
 */
export function shownOf(state) {
    return logOf(state, state.shown);
}

/**
 * All logs with a change to one of them; unchanged if that one is not open.
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
 * Changes the log on the screen.
 * @param {StateStore} store
 * @param {Partial<LogState>} change
 */
export function changeShown(store, change) {
    changeLog(store, store.value.shown, change);
}

/**
 * The phase of the page.
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
 * The time that is shown as 0.
 * @param {Pick<LogState, "log">} state
 */
export function originOf({ log }) {
    return log?.status.extent?.[0] ?? 0;
}
