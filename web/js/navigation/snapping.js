// The ends of a range snap to what begins or ends near them: to the spans in the row under the pointer, and to the lines of markers and
// notes, which go through all rows. Only what is drawn on its own counts: the reader must see what an end has snapped to.

import { onPage, viewOnPage } from "../page-time.js";
import { isOnByKey } from "../overlays/overlay.js";
import { logOf, shownOf } from "../state.js";
import { timeOfNote } from "../notes/notes.js";

/** @typedef {Pick<import("../context.js").Context, "store" | "timeline" | "picture">} Around */
/** @typedef {{ log: number, track: number }} TrackOf */

/**
 * Something that an end of a range has snapped to.
 * @typedef {object} Snap
 * @property {number} time on the page's axis
 * @property {TrackOf | null} of the track whose span begins or ends there; none for a line through all rows
 */

/** An end snaps to what is at most this far from the pointer, or from a finger, which is less exact; in CSS pixels. */
const NEAR = { mouse: 5, touch: 10 };

/**
 * What a place on the timeline snaps to; null if nothing begins or ends near it, or if the user does not want that.
 * @param {Around} around
 * @param {{ clientX: number, clientY: number, pointerType?: string }} place in the window
 * @param {number} [but] a time that does not count: the range's other end
 * @returns {Snap | null}
 */
export function snapAt(around, { clientX, clientY, pointerType }, but) {
    const { store, timeline } = around;
    const time = timeline.pointing.timeAt(clientX);
    if (!store.value.snaps || time === undefined) return null;
    const near = nsOfPixels(around, NEAR[pointerType === "touch" ? "touch" : "mouse"]);
    const row = timeline.pointing.pixelAt(clientX, clientY);
    return nearest(edgesOf(around, row), time, (edge) => Math.abs(edge - time) <= near && edge !== but);
}

/**
 * Where a key that moves an end from one time to another stops on the way: at what begins or ends there in the row of the selection, or
 * else under the pointer. Of several, the one nearest to where the key leads.
 * @param {Around} around
 * @param {number} from
 * @param {number} to
 * @returns {Snap | null}
 */
export function snapBetween(around, from, to) {
    const { store, timeline } = around;
    const { snaps, span, pointer } = store.value;
    if (!snaps || from === to) return null;
    const row = span ?? (pointer && timeline.pointing.pixelAt(pointer.x, pointer.y));
    const beyond = to + Math.sign(to - from) * nsOfPixels(around, NEAR.mouse);
    const isOnTheWay = (/** @type {number} */ edge) => (to > from ? edge > from && edge <= beyond : edge < from && edge >= beyond);
    return nearest(edgesOf(around, row), to, isOnTheWay);
}

/**
 * The time of some pixels.
 * @param {Around} around
 * @param {number} pixels
 */
function nsOfPixels({ store, timeline }, pixels) {
    const { view } = store.value;
    return view ? (pixels * (view.to - view.from)) / timeline.width : 0;
}

/**
 * @param {Snap[]} edges
 * @param {number} time
 * @param {(edge: number) => boolean} counts
 */
function nearest(edges, time, counts) {
    /** @type {Snap | null} */
    let best = null;
    for (const edge of edges) {
        if (counts(edge.time) && (!best || Math.abs(edge.time - time) < Math.abs(best.time - time))) best = edge;
    }
    return best;
}

/**
 * What is drawn on its own: the begins and ends of a track's spans, and the lines through all rows.
 * @param {Around} around
 * @param {TrackOf | null} row
 * @returns {Snap[]}
 */
function edgesOf({ store, picture }, row) {
    return [...(row ? edgesOfSpans(store.value, picture, row) : []), ...lines(store.value).map((time) => ({ time, of: null }))];
}

/**
 * @param {import("../state.js").State} state
 * @param {import("../picture.js").Picture} picture
 * @param {TrackOf} row
 * @returns {Snap[]}
 */
function edgesOfSpans(state, picture, { log, track }) {
    const strip = log === state.shown ? picture.window?.tracks.get(track) : undefined;
    // The spans of a coarse picture are not drawn.
    if (!strip?.exact) return [];
    const times = new Set([...strip.starts, ...strip.ends]);
    return [...times].map((time) => ({ time: onPage(logOf(state, log), time), of: { log, track } }));
}

/**
 * The lines through all rows.
 * @param {import("../state.js").State} state
 */
function lines(state) {
    const log = shownOf(state);
    /** @type {{ time: number }[]} */
    const markers = isOnByKey("markers", state) ? (log.overlayData.markers ?? []) : [];
    const notes = log.notes.map((note) => viewOnPage(log, timeOfNote(log, note)));
    return [...markers.map(({ time }) => onPage(log, time)), ...notes.flatMap(({ from, to }) => [from, to])];
}
