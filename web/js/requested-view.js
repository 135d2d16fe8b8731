// Shows the view that the page around a viewer asks for, and reports the view to that page.

import { clipped, extentOf } from "./viewport.js";
import { follow } from "./store.js";
import { logOf, shownOf } from "./state.js";
import { part } from "./stage.js";
import { addNotes, notesIn } from "./notes/notes.js";
import { extentOnPage } from "./page-time.js";

/** How long the view must rest, in ms, before it is reported to the page. */
const REST = 100;

/**
 * @typedef {object} RequestedView
 * @property {number | null} [t0] the first time in view, in ns from the log's first moment; the log's beginning if null
 * @property {number | null} [t1] the last time in view; the log's end if null
 * @property {string | null} [notes] notes about the log: see `notesText`
 * @property {string | null} [rows] how its rows are arranged: see arranging/text.js
 * @property {string | null} [panel] the tab of the drawer, by its key: "gc"
 */

/**
 * Shows the requested view: for each log once it has been read, and at once for one that has been.
 * @param {import("./context.js").Context} context
 */
export function showRequestedView(context) {
    const { stage, store, moving } = context;
    const drawer = /** @type {import("./panels/drawer.js").LogDrawer} */ (part(stage, "drawer"));
    /** @param {import("./state.js").State} state */
    const showRequested = ({ requested, ...state }) => {
        const log = shownOf(state);
        const extent = log.finished ? extentOnPage(log) : undefined;
        if (!extent) return;
        const { t0 = null, t1 = null } = requested;
        if (t0 !== null || t1 !== null) {
            const view = clipped({ from: extent[0] + (t0 ?? 0), to: t1 === null ? extent[1] : extent[0] + t1 }, extent);
            if (view && view.to > view.from) moving.show(view);
        }
        if (requested.panel) drawer.choose(requested.panel);
        if (requested.notes) addNotes(context, notesIn(requested.notes));
    };
    follow(store, (state) => [state.shown, shownOf(state).finished, state.requested], showRequested);
}

/**
 * Reports the view once it rests, and the selection.
 * @param {import("./context.js").Context} context
 */
export function tellOfView({ store, tell }) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    follow(
        store,
        (state) => [shownOf(state).finished ? state.view : null, state.shown],
        ({ view, shown, ...state }) => {
            const log = shownOf({ shown, ...state });
            clearTimeout(resting);
            const extent = log.finished ? extentOnPage(log) : undefined;
            if (!view || !extent) return;
            resting = setTimeout(() => tell("rangechange", { t0: view.from - extent[0], t1: view.to - extent[0] }, shown), REST);
        },
    );
    follow(
        store,
        ({ span }) => [span],
        ({ span, ...state }) => {
            const { log, number } = span ? logOf(state, span.log) : shownOf(state);
            const extent = log ? extentOf(log.status) : undefined;
            if (!extent) return;
            const { on, title, start, end } = span ?? {};
            const [t0, t1] = [start, end].map((time) => time !== undefined && time - extent[0]);
            tell("select", span && { track: on, title, t0, t1 }, number);
        },
    );
}
