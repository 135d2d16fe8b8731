// What the page is showing: one value, kept in one store.

import { firstChoice } from "./bands.js";
import { firstSpans } from "./spans.js";
import { firstRows } from "./threads.js";
import { NamedRoles } from "./paint/named.js";

/**
 * @typedef {object} State
 * @property {"empty" | "asking" | "choosing" | "loading" | "ready" | "error"} phase also `data-state` of the page's root
 * @property {string} error why a file cannot be shown
 * @property {{ name: string, size: number, opening: number } | null} wrong that file
 * @property {Next | null} next what is to take the place of the log, once it has proved readable
 * @property {number} opening the log's number
 * @property {number | null} retryIn the connection to the log's server broke, and is tried again in so many ms
 * @property {boolean} finished whether the log has been read, as far as it will be
 * @property {string[]} troubles what went wrong with a log that is shown
 * @property {import("./protocol.js").LogInfo | null} log
 * @property {{ name: string, size: number } | null} file the log's
 * @property {boolean} pictured whether there is anything to draw of the log's tracks
 * @property {import("./viewport.js").View | null} view
 * @property {boolean} follows whether the view is the whole log, however it grows
 * @property {import("./viewport.js").View | null} range what is selected of time
 * @property {import("./protocol.js").RangeTotals | null} totals what the tracks did in it, or in what was selected just before
 * @property {import("./protocol.js").Span | null} span what is selected on a track
 * @property {Record<string, any>} overlayData what overlays have asked for to be drawn of this log, by their keys
 * @property {Record<string, boolean>} overlaysOn which overlays their reader has turned on or off
 * @property {{ x: number, y: number } | null} pointer where the pointer is, in the window, when it is on the timeline
 * @property {import("./theme-switch.js").Choice} colours those that are wanted
 * @property {import("./theme.js").Theme} theme those that are there
 * @property {import("./bands.js").BandsChoice} bands how bands are drawn
 * @property {import("./threads.js").ThreadsChoice} threads which rows threads have
 * @property {import("./spans.js").SpansChoice} spans which rows spans have, and what is told of them
 * @property {import("./spans.js").SpanWords} spanWords which words begin and end them
 * @property {NamedRoles} modules the colours of this log's modules
 * @property {import("./scaling.js").Scaling} scaling what lines are as high as
 * @property {import("./wish.js").Wish} wish what the page wants to be seen of its log
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
 * Nothing open.
 * @returns {Omit<State, "theme" | "colours" | "scaling" | "spanWords" | "overlaysOn" | "wish">}
 */
export function nothing() {
    return {
        phase: "empty",
        error: "",
        wrong: null,
        next: null,
        opening: 0,
        retryIn: null,
        finished: false,
        troubles: [],
        log: null,
        file: null,
        pictured: false,
        view: null,
        follows: true,
        range: null,
        totals: null,
        span: null,
        overlayData: {},
        pointer: null,
        bands: firstChoice(),
        threads: firstRows(),
        spans: firstSpans(),
        modules: new NamedRoles(),
    };
}

/**
 * Where the page is.
 * @param {Pick<State, "next" | "error" | "log" | "finished">} state
 * @returns {State["phase"]}
 */
export function phaseOf({ next, error, log, finished }) {
    if (next?.question) return "asking";
    if (next) return next.choice ? "choosing" : "loading";
    if (error) return "error";
    if (!log) return "empty";
    return finished ? "ready" : "loading";
}

/**
 * The time that is shown as 0.
 * @param {Pick<State, "log">} state
 */
export function originOf({ log }) {
    return log?.status.extent?.[0] ?? 0;
}
