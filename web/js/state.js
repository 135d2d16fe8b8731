// What the page is showing: one value, kept in one store.

/**
 * @typedef {object} State
 * @property {"empty" | "choosing" | "loading" | "ready" | "error"} phase also `data-state` of the page's root
 * @property {string} error why there is nothing to show
 * @property {string[]} troubles what went wrong with a log that is shown
 * @property {import("./protocol.js").LogInfo | null} log
 * @property {{ name: string, size: number } | null} file what is being opened
 * @property {import("./protocol.js").Entry[]} entries of the archive from which one must be chosen
 * @property {import("./viewport.js").View | null} view
 * @property {boolean} follows whether the view is the whole log, however it grows
 * @property {import("./viewport.js").View | null} range what is selected of time
 * @property {import("./protocol.js").RangeTotals | null} totals what the tracks did in it, or in what was selected just before
 * @property {import("./protocol.js").Span | null} span what is selected on a track
 * @property {{ x: number, y: number } | null} pointer where the pointer is, in the window, when it is on the timeline
 * @property {import("./theme.js").Theme} theme
 */

/**
 * Nothing open.
 * @returns {Omit<State, "theme">}
 */
export function nothing() {
    return {
        phase: "empty",
        error: "",
        troubles: [],
        log: null,
        file: null,
        entries: [],
        view: null,
        follows: true,
        range: null,
        totals: null,
        span: null,
        pointer: null,
    };
}
