// A log that is opened again is shown as it was left: its view, range, selection, finding and search. Notes, dismissed findings and folded
// groups have stores of their own.

import { ByLog, keyOf } from "../by-log.js";
import { changeShown, shownOf } from "../state.js";
import { extentOnPage } from "../page-time.js";
import { follow } from "../store.js";
import { saysOfLog, seenIn, withSeen } from "./link.js";
import { seenNow } from "./making.js";
import { showSeen } from "./following.js";
import { valueIn } from "../fragment.js";

/** @typedef {import("../context.js").Context} Context */

/** What is seen must rest for this long, in ms, before it is remembered. */
const REST = 700;

/** The longest text that is remembered of a log. */
const LONGEST = 2000;

/** What was seen of each log, as a fragment of an address. @type {ByLog<string>} */
const SEEN = new ByLog("seen", 1, (text) => (typeof text === "string" && text.length <= LONGEST ? text : null));

/**
 * Comes before `followLink`, which takes from the address what is about a log.
 * @param {Context} context
 */
export function followReturns(context) {
    const { stage, store } = context;
    if (!stage.own) return;
    /** Whether the page began with an address that says what to show of the first log. */
    let asks = saysOfLog(location.hash);
    /** The log whose view is remembered: its own was shown again. */
    let known = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    follow(
        store,
        (state) => [state.shown, shownOf(state).finished],
        (state) => {
            const { number, log, finished } = shownOf(state);
            clearTimeout(resting);
            if (!log || !finished || number === known) return;
            known = number;
            const [text] = SEEN.of(keyOf(log));
            const isLinked = asks;
            asks = false;
            if (!text || isLinked || isAsked(state)) return;
            changeShown(store, { returned: true });
            void showSeen(context, seenIn(text));
        },
    );
    const keep = () => {
        clearTimeout(resting);
        const { number, log, finished } = shownOf(store.value);
        if (log && finished && number === known) SEEN.remember(keyOf(log), seenOf(context));
    };
    follow(
        store,
        ({ view, range, span, finding, ...state }) => [view, range, span, finding?.id, shownOf(state).search?.text],
        () => {
            clearTimeout(resting);
            resting = setTimeout(keep, REST);
        },
    );
    addEventListener("pagehide", keep, { signal: stage.signal });
}

/**
 * Whether something asks for a view of the log: a link, or the page around the viewer.
 * @param {import("../state.js").State} state
 */
function isAsked({ link, requested, ...state }) {
    const { t0 = null, t1 = null, notes = null } = requested;
    const { file } = shownOf(state);
    const isInAddress = ["t0", "t1", "range", "select"].some((key) => valueIn(location.hash, key) !== null);
    const isLinked = file?.url !== undefined && valueIn(location.hash, "url") === file.url && isInAddress;
    return link !== null || t0 !== null || t1 !== null || notes !== null || isLinked;
}

/**
 * What to remember: nothing if the log is seen as it is at first.
 * @param {Context} context
 */
function seenOf(context) {
    const { view, range, span, finding, ...state } = context.store.value;
    const { search } = shownOf(state);
    const extent = extentOnPage(shownOf(state));
    if (!view || !extent) return [];
    const isWhole = view.from <= extent[0] && view.to >= extent[1];
    if (isWhole && !range && !span && !finding && !search) return [];
    // The tab that is open is remembered for all logs.
    const seen = { ...seenNow(context), panel: null, finding: finding?.id ?? null, find: search?.text ?? null };
    return [withSeen("", { ...seen, view: isWhole ? null : seen.view })].filter((text) => text.length <= LONGEST);
}
