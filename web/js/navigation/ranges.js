// Selects ranges, and shows the selected range.

import { around, holding, rangeWithin } from "../viewport.js";
import { duration } from "../format.js";
import { spanOnPage } from "../page-time.js";
import { snapBetween } from "./snapping.js";

/** @typedef {import("../viewport.js").View} View */
/** @typedef {import("../context.js").Context} Context */

/**
 * Limits a range to the log: beyond its ends there is nothing to select.
 * @param {Pick<Context, "store" | "moving">} context
 * @param {View} range
 */
export function setRange({ store, moving }, range) {
    const ends = moving.extent;
    if (ends) store.set({ range: rangeWithin(range, ends) });
}

/** @param {Pick<Context, "store" | "say">} context */
export function sayRange({ store, say }) {
    const { range } = store.value;
    say(range ? `${duration(range.to - range.from)} selected` : "");
}

/**
 * @param {Context} context
 * @param {View} range
 */
function selectRange(context, range) {
    setRange(context, range);
    sayRange(context);
}

/**
 * Keeps what the ends of the selected range have snapped to, so that the timeline shows it.
 * @param {Pick<Context, "store">} context
 * @param {(import("./snapping.js").Snap | null)[]} snaps null for an end that has not snapped
 */
export function setSnapped({ store }, snaps) {
    const { range } = store.value;
    const to = snaps.filter((snap) => snap !== null);
    store.set({ snapped: range && to.length > 0 ? { range, to } : null });
}

/**
 * Selects the time of the selected span, or of the view if none is selected.
 * @param {Context} context
 */
export function makeRange(context) {
    const { span, view } = context.store.value;
    if (span) selectRange(context, rangeOf(spanOnPage(context.store.value, span)));
    else if (view) selectRange(context, { ...view });
}

/**
 * The time of a span; that of a moment is 1 ns long.
 * @param {View} span
 * @returns {View}
 */
function rangeOf({ from, to }) {
    return { from, to: Math.max(to, from + 1) };
}

/**
 * Moves an edge of the range, but not beyond the other one, and brings it into view. It stops at what begins or ends on the way.
 * @param {Context} context
 * @param {"from" | "to"} edge
 * @param {number} by a share of the view
 */
export function moveEdge(context, edge, by) {
    const { store, moving } = context;
    const { range, view } = store.value;
    const ends = moving.extent;
    if (!range || !view || !ends) return;
    const target = range[edge] + by * (view.to - view.from);
    const snap = snapBetween(context, range[edge], target);
    const at = Math.min(Math.max(snap?.time ?? target, ends[0]), ends[1]);
    const moved = edge === "from" ? Math.min(at, range.to - 1) : Math.max(at, range.from + 1);
    selectRange(context, { ...range, [edge]: moved });
    setSnapped(context, [snap?.time === moved ? snap : null]);
    moving.change((view) => holding(view, moved));
}

/**
 * Shows the range, or else the selected span, with a margin.
 * @param {Pick<Context, "store" | "moving" | "selecting">} context
 */
export function fitSelected({ store, moving, selecting }) {
    void selecting.whenKnown(() => {
        const { range, span } = store.value;
        if (range) moving.show(around(range));
        else if (span) moving.show(around(spanOnPage(store.value, span)));
    });
}

/** @param {Pick<Context, "store" | "moving" | "selecting">} context */
export function showRange({ store, moving, selecting }) {
    void selecting.whenKnown(() => {
        const { range } = store.value;
        if (range) moving.show(range);
    });
}
