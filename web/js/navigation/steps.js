// The steps from the selection to something else: along a track, from track to track, along wake-ups.

import { rowBeside } from "../rows.js";
import { inLog } from "../page-time.js";
import { logOf } from "../state.js";
import { spanAt, spanBeside, spanWoken } from "./asking.js";

/** @typedef {import("../state.js").OfLog<import("../protocol.js").Span>} Span */
/** @typedef {import("./selecting.js").Step} Step */

/** The messages where there is no wake-up to follow. */
const NOBODY = { back: "No thread woke this one up", forth: "From here on, this thread woke no other one up" };

/** Most tracks without anything to select that are passed over. */
const MOST_PASSED = 20;

/**
 * The track `by` rows below a span's (above, if negative); the first track if there is no span.
 * @param {import("../timeline.js").Timeline} timeline
 * @param {Span | null} span
 * @param {number} by
 */
async function trackBeside(timeline, span, by) {
    const row = rowBeside(timeline.layout, span, by);
    return row && timeline.find({ group: row.groups[0].key, at: row.at });
}

/**
 * Steps to the next span on the track, or the one before.
 * @param {boolean} next
 * @returns {Step}
 */
export function alongTrack(next) {
    return {
        find: async ({ store, timeline, client }) => {
            const { span, view, shown } = store.value;
            if (span) return spanBeside(client, { log: span.log, track: span.track, time: span.start }, next);
            const first = await trackBeside(timeline, null, 1);
            if (!first || !view) return null;
            const time = inLog(logOf(store.value, shown), view.from);
            return spanBeside(client, { log: shown, track: first.id, time }, next);
        },
        missing: () => (next ? "No later span" : "No earlier span"),
    };
}

/**
 * Steps along wake-ups: to the thread that woke this one up, or to the one that it woke up.
 * @param {boolean} back
 * @returns {Step}
 */
export function alongWakeUps(back) {
    return {
        find: async ({ store, client }) => {
            const { span } = store.value;
            if (!span) return null;
            return spanWoken(client, { log: span.log, track: span.thread?.track ?? span.track, time: span.start }, back);
        },
        missing: (span) => (span?.thread ? NOBODY[back ? "back" : "forth"] : "Select a thread's span first"),
        unhides: true,
    };
}

/**
 * Steps from a thread's run on its capability's lane to the thread's own row, and back; or from a span of the program's
 * own to the row of its thread.
 * @type {Step}
 */
export const toOtherRow = {
    find: async ({ store, client }) => {
        const { span } = store.value;
        const other = span && (span.thread?.track === span.track ? span.lane : span.thread);
        return other ? spanAt(client, { log: span.log, track: other.track, time: span.start }) : null;
    },
    missing: () => "It has no other row",
    unhides: true,
};

/**
 * Steps to the track below or above, near what is selected now.
 * @param {1 | -1} by
 * @returns {Step}
 */
export function toTrack(by) {
    return {
        find: async ({ store, timeline, client }) => {
            const { span, view, shown } = store.value;
            if (!view) return null;
            const log = span?.log ?? shown;
            const time = span ? span.start : inLog(logOf(store.value, log), view.from);
            // Some tracks have nothing to select, such as those that sum others up.
            for (let rows = 1; rows <= MOST_PASSED; rows++) {
                const track = await trackBeside(timeline, span, by * rows);
                if (!track) return null;
                const point = { log, track: track.id, time };
                const here = await spanAt(client, point);
                const found = here ?? (await spanBeside(client, point, true)) ?? (await spanBeside(client, point, false));
                if (found) return found;
            }
            return null;
        },
    };
}
