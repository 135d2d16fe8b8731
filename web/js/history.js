// The views so far, as entries of the browser's history: Alt+← and Alt+→, or the browser's buttons, go back and forth.

import { shownOf } from "./state.js";

/** A view that rests for this many ms becomes an entry. */
const REST = 500;

/** Distinguishes this page's entries from those before it was reloaded, whose logs are gone. */
const PAGE = performance.timeOrigin;

/** @typedef {import("./viewport.js").View} View */

/** @param {import("./context.js").Context} context */
export function followHistory({ stage, store, moving, timeline }) {
    // A viewer beside other content leaves the history to the page.
    if (!stage.own) return;
    /** The log that the last entry is about. */
    let log = 0;
    /** The view of the last entry, or the one that Back or Forward went to. @type {View | null} */
    let last = null;
    /** The view at the last change of the state. @type {View | null} */
    let seen = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    store.follow(({ view, shown, logs }) => {
        if (!shownOf({ shown, logs }).finished || !view || view === seen) return;
        seen = view;
        clearTimeout(timer);
        if (shown === log && isSame(view, last)) return;
        if (shown !== log) {
            log = shown;
            last = view;
            history.replaceState({ page: PAGE, shown, view, finding: store.value.finding }, "");
            return;
        }
        timer = setTimeout(() => {
            if (store.value.shown !== shown || store.value.view !== view) return;
            last = view;
            history.pushState({ page: PAGE, shown, view, finding: store.value.finding }, "");
        }, REST);
    });
    /** @param {PopStateEvent} event */
    const moved = ({ state }) => {
        // An entry of a log that is gone leads nowhere; the open log stays.
        if (state?.page !== PAGE || state.shown !== store.value.shown) return;
        last = state.view;
        const { finding } = store.value;
        store.set({ finding: state.finding });
        // The rows are as they were before the finding was chosen.
        if (finding && !state.finding) timeline.putBack(finding.before);
        moving.show(state.view);
    };
    addEventListener("popstate", moved, { signal: stage.signal });
}

/**
 * @param {View} a
 * @param {View | null} b
 */
function isSame(a, b) {
    // Rounding while showing a view may change its last digits.
    const least = (a.to - a.from) * 1e-6;
    return b !== null && Math.abs(a.from - b.from) < least && Math.abs(a.to - b.to) < least;
}
