// The program's markers (traceMarker) that do not begin or end spans, as lines through all rows. Their texts are on the axis, as many as
// have room, those near the pointer first. No lines are drawn if more markers are in view than can be distinguished, or if the log has too
// many for the table: the row of markers under "Other events" shows their number.

import { addOverlay, isOn } from "./overlay.js";
import { AXIS } from "../rows.js";
import { follow } from "../store.js";
import { shownOf } from "../state.js";
import { viewInLog } from "../page-time.js";
import { withoutMiddle } from "../qualified.js";
import { hasMarkers, markersWithin } from "../marker-table.js";

/** @typedef {import("../viewport.js").View} View */
/** @typedef {import("../marker-table.js").Marker} Marker */

/** Most markers to ask for. */
const MOST = 400;

/** Least average distance of lines, and of the texts between the axis' times, in CSS pixels. */
const [APART, TEXTS_APART] = [12, 160];

/** The text of a marker comes first if the pointer is at most this far from it, in CSS pixels. */
const NEAR = 6;

/** @type {import("./overlay.js").Overlay<Marker[]>} */
const markers = {
    key: "markers",
    start({ store, log, show }) {
        /** The time of the log whose markers have come. @type {View | null} */
        let there = null;
        /** The view that was asked for last. @type {View | null} */
        let asked = null;
        let isAsking = false;
        const ask = async () => {
            const { view: seen, shown } = store.value;
            const { log: info, finished, markerText } = shownOf(store.value);
            const view = seen && viewInLog(shownOf(store.value), seen);
            // While a log is read, reading comes first.
            if (isAsking || !view || !finished || !hasMarkers(info) || asked === seen || (there && isWithin(view, there))) return;
            [isAsking, asked] = [true, seen];
            // Also on both sides of the view, since it moves; if those are too many, only of the view.
            const around = { from: 2 * view.from - view.to, to: 2 * view.to - view.from };
            const ofAround = await allWithin(log, around, markerText);
            const found = ofAround ?? (await allWithin(log, view, markerText)) ?? [];
            isAsking = false;
            // Meanwhile, other ones may have been chosen.
            if (shownOf(store.value).markerText !== markerText) asked = null;
            else if (store.value.shown === shown) {
                there = ofAround && around;
                show(shown, found);
            }
            if (store.value.view !== seen || asked === null) void ask();
        };
        follow(
            store,
            // With other words for spans, threads are followed again; then it is known which markers are of spans.
            (state) => {
                const { finished, log, markerText } = shownOf(state);
                return [state.shown, finished, log?.status.offset, markerText, log?.following === undefined];
            },
            () => {
                [there, asked] = [null, null];
            },
        );
        follow(
            store,
            (state) => [state.view, shownOf(state).log, isOn(markers, state), shownOf(state).markerText],
            (state) => isOn(markers, state) && void ask(),
        );
    },
    draw({ context, state, ownScale: scale, height }, found = []) {
        context.save();
        context.beginPath();
        for (const x of new Set(inView(found, scale).map(({ x }) => Math.round(x)))) {
            context.moveTo(x + 0.5, AXIS);
            context.lineTo(x + 0.5, height);
        }
        // Dashes, since a line without gaps is an edge of a range. All in one stroke: hundreds of lines are tens of thousands of dashes.
        context.setLineDash([3, 3]);
        context.strokeStyle = state.theme.css("muted");
        context.lineWidth = 1;
        context.stroke();
        context.restore();
    },
    axisMarks({ ownScale: scale, pointer }, found = []) {
        const away = (/** @type {number} */ x) => (pointer !== null && Math.abs(x - pointer) <= NEAR ? Math.abs(x - pointer) : NEAR + 1);
        const marks = inView(found, scale).sort((one, other) => away(one.x) - away(other.x));
        return marks.slice(0, Math.max(1, scale.width / TEXTS_APART)).map(({ x, text }) => ({ text, x, part: "start" }));
    },
};

addOverlay(markers);

/**
 * The markers in view and their places; none if there are too many to distinguish.
 * @param {Marker[]} found
 * @param {import("../timeline/scene.js").Scene["scale"]} scale
 */
function inView(found, scale) {
    const marks = found.map(({ time, text }) => ({ x: scale.x(time), text })).filter(({ x }) => x >= scale.left && x <= scale.right);
    return marks.length * APART > scale.width ? [] : marks;
}

/**
 * The markers from one time of a log to another.
 * @param {import("../shown-log.js").ShownLog} log
 * @param {View} view
 * @param {string} filter only those with this text
 * @returns {Promise<Marker[] | null>} null if there are too many, or they are not known; empty if the table does not contain all of the
 *     log's, since some lines would be missing
 */
async function allWithin(log, { from, to }, filter) {
    const page = await markersWithin(log, { from, to, filter, count: MOST });
    if (!page || page.all > MOST) return null;
    // Spans have rows of their own. Who looks for a text means all with it.
    const found = page.found.filter(({ ofSpan }) => filter || !ofSpan);
    return page.areAllKept ? found.map((marker) => ({ ...marker, text: withoutMiddle(marker.text, 40) })) : [];
}

/**
 * @param {View} inner
 * @param {View} outer
 */
function isWithin(inner, outer) {
    return outer.from <= inner.from && inner.to <= outer.to;
}
