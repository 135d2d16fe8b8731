// From marker to marker: the time between two of the program's markers as a range. Only markers with lines count, if the user has chosen
// which have some.

import { around } from "../viewport.js";
import { duration, visible } from "../format.js";
import { hasMarkers, markersWithin } from "../marker-table.js";
import { inLog, onPage } from "../page-time.js";
import { setRange } from "./ranges.js";
import { drawerOf } from "../stage.js";
import { shownOf } from "../state.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../marker-table.js").Marker} Marker */

/** Most markers at one moment that are passed over. */
const MOST = 64;

/** The range that was made last in each viewer. @type {WeakMap<object, import("../viewport.js").View | null>} */
const made = new WeakMap();

/**
 * Selects the time between the two markers around the pointer; without one, around the chosen hit or the selected span, or else
 * around the middle of the view; from such a range, the one after it or before it.
 * @param {Context} context
 * @param {1 | -1} by
 */
export async function stepMarkers(context, by) {
    const { store, log, moving, timeline, note } = context;
    const shown = shownOf(store.value);
    const { range, view, pointer, span } = store.value;
    if (!view || !hasMarkers(shown.log)) return note("The log has no markers");
    const isNext = range !== null && made.get(store) === range;
    const middle = (view.from + view.to) / 2;
    const here = (pointer && timeline.pointing.timeAt(pointer.x)) ?? selectedTime(shown, span) ?? middle;
    const at = isNext ? (by > 0 ? range.to : range.from) : here;
    const [before, after] = await neighbours(log, shown.markerText, inLog(shown, at), isNext && by < 0);
    if (store.value.shown !== shown.number) return;
    if (!before || !after) return note(before ? "No later marker" : after ? "No earlier marker" : "No marker has this text");
    setRange(context, { from: onPage(shown, before.time), to: onPage(shown, after.time) });
    const { range: next } = store.value;
    if (!next) return;
    made.set(store, next);
    if (next.from < view.from || next.to > view.to) moving.show(around(next));
    note(`From ${visible(before.text)} to ${visible(after.text)}: ${duration(next.to - next.from)}`);
}

/**
 * The time of the selection on the page's axis: that of the search's hit, if the selection came from there, or the span's begin; null
 * without one.
 * @param {import("../state.js").LogState} shown
 * @param {import("../state.js").State["span"]} span
 */
function selectedTime(shown, span) {
    if (span?.log !== shown.number) return null;
    const hit = shown.search?.chosen?.time;
    return onPage(shown, hit !== undefined && span.start <= hit && hit <= span.end ? hit : span.start);
}

/**
 * The last marker before a time and the first one after it; one at that time is the first of the two, or the second.
 * @param {import("../shown-log.js").ShownLog} log
 * @param {string} filter
 * @param {number} at in the log's own time
 * @param {boolean} isSecond
 * @returns {Promise<(Marker | undefined)[]>}
 */
async function neighbours(log, filter, at, isSecond) {
    const ask = (/** @type {import("../viewport.js").View} */ { from, to }, /** @type {boolean} */ down) =>
        markersWithin(log, { from, to, filter, down, count: MOST });
    const [earlier, later] = await Promise.all([ask({ from: -Infinity, to: at + 1 }, true), ask({ from: at, to: Infinity }, false)]);
    const isBefore = (/** @type {Marker} */ { time }) => (isSecond ? time < at : time <= at);
    return [earlier?.found.find(isBefore), later?.found.find((marker) => !isBefore(marker))];
}

/**
 * Brings the field into view that chooses which markers have lines, and moves the focus there.
 * @param {Context} context
 */
export async function chooseMarkers({ stage, store, note }) {
    if (!hasMarkers(shownOf(store.value).log)) return note("The log has no markers");
    const drawer = drawerOf(stage);
    drawer.choose("messages");
    await drawer.updateComplete;
    /** @type {HTMLElement | null} */ (drawer.querySelector(".marker-lines .search"))?.focus();
}
