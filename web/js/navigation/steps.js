// The steps from what is selected to something else: along a track, from track to track, along wake-ups.

import { SELECTION } from "../protocol.js";
import { rowBeside } from "../rows.js";
import { selectable } from "../describe.js";

/** @typedef {import("../protocol.js").Span} Span */
/** @typedef {import("./selecting.js").Step} Step */

/** What is said where wake-ups lead to nobody. */
const NOBODY = { back: "No thread woke this one up", forth: "From here on, this thread woke nobody up" };

/** Tracks without anything to select that are passed over. */
const MOST_PASSED = 20;

/**
 * The track so many rows below a span's, or above it; the first one if there is no span.
 * @param {import("../timeline.js").Timeline} timeline
 * @param {Span | null} span
 * @param {number} by
 */
async function trackBeside(timeline, span, by) {
    const row = rowBeside(timeline.layout, span, by);
    return row && timeline.find({ group: row.groups[0].key, at: row.at });
}

/**
 * To the next span on the track, or the one before.
 * @param {boolean} next
 * @returns {Step}
 */
export function alongTrack(next) {
    return {
        find: async ({ store, timeline, log }) => {
            const { span, view } = store.value;
            const first = span ? null : await trackBeside(timeline, null, 1);
            const point = span ? { track: span.track, time: span.start } : first && view && { track: first.id, time: view.from };
            return point && selectable(await log.ask("neighbour", { ...point, next }));
        },
        missing: () => (next ? "No later span" : "No earlier span"),
    };
}

/**
 * Along wake-ups: to who woke this thread up, or to whom it woke up.
 * @param {boolean} back
 * @returns {Step}
 */
export function alongWakeUps(back) {
    return {
        find: async ({ store, log }) => {
            const { span } = store.value;
            if (!span) return null;
            const point = { track: span.thread?.track ?? span.track, time: span.start };
            return selectable(await log.ask("woken", { ...point, back, asker: SELECTION }));
        },
        missing: (span) => (span ? NOBODY[back ? "back" : "forth"] : "Select a thread's span first"),
        unhides: true,
    };
}

/**
 * From a thread's run on its capability's lane to the thread's own row, and back.
 * @type {Step}
 */
export const toOtherRow = {
    find: async ({ store, log }) => {
        const { span } = store.value;
        const other = span && (span.thread?.track === span.track ? span.lane : span.thread);
        return other
            ? selectable(await log.ask("lookUp", { asker: SELECTION, track: other.track, from: span.start, to: span.start + 1 }))
            : null;
    },
    missing: () => "There is no other row of it",
    unhides: true,
};

/**
 * To the track below or above, near what is selected now.
 * @param {1 | -1} by
 * @returns {Step}
 */
export function toTrack(by) {
    return {
        find: async ({ store, timeline, log }) => {
            const { span, view } = store.value;
            if (!view) return null;
            const time = span ? span.start : view.from;
            // Some have nothing to select, as those that stand for others.
            for (let rows = 1; rows <= MOST_PASSED; rows++) {
                const track = await trackBeside(timeline, span, by * rows);
                if (!track) return null;
                const point = { track: track.id, time };
                const here = selectable(await log.ask("lookUp", { asker: SELECTION, track: track.id, from: time, to: time + 1 }));
                const found =
                    here ??
                    selectable(await log.ask("neighbour", { ...point, next: true })) ??
                    selectable(await log.ask("neighbour", { ...point, next: false }));
                if (found) return found;
            }
            return null;
        },
    };
}
