// What the program marked (traceMarker), as lines through all rows: with as many texts on the axis as have room, first those near the
// pointer. Where too many are in view to be told apart there are none: the row of markers under "Other events" shows how many.

import { addOverlay, isOn } from "./overlay.js";
import { AXIS } from "../rows.js";
import { follow } from "../store.js";
import { shownOf } from "../state.js";
import { visible } from "../format.js";
import { viewInLog } from "../page-time.js";

/** @typedef {import("../viewport.js").View} View */
/** @typedef {{ time: number, text: string }} Marker */

/** The table that has them: see `facts/tables/markers.rs`. */
const TABLE = "marker_list";

/** The most that are drawn. */
const MOST = 400;

/** How near the pointer must be to one for its text to come first, in CSS pixels. */
const NEAR = 6;

/** @type {import("./overlay.js").Overlay<Marker[]>} */
const markers = {
    key: "markers",
    start({ store, log, show }) {
        /** The time of the log that the markers are there of, and whether it is being asked for another. @type {View | null} */
        let there = null;
        let isAsking = false;
        const ask = async () => {
            const { view: seen, shown } = store.value;
            const { log: info, finished } = shownOf(store.value);
            const view = seen && viewInLog(shownOf(store.value), seen);
            if (isAsking || !view || !has(info) || (there && isWithin(view, there))) return;
            isAsking = true;
            // As much again on either side: the view moves.
            const [from, to] = [2 * view.from - view.to, 2 * view.to - view.from];
            const within = { column: "time_ns", from, to };
            const page = await log.ask("table", { table: TABLE, sort: "", down: false, filter: "", within, from: 0, count: MOST });
            isAsking = false;
            if (page && store.value.shown === shown) {
                // Closer to the view there may be few enough.
                there = finished && page.found <= MOST ? { from, to } : null;
                show(shown, page.found > MOST ? await few(view) : markersOf(page));
            }
            if (store.value.view !== seen) void ask();
        };
        /** @param {View} view */
        const few = async (view) => {
            const within = { column: "time_ns", from: view.from, to: view.to };
            const page = await log.ask("table", { table: TABLE, sort: "", down: false, filter: "", within, from: 0, count: MOST });
            return page && page.found <= MOST ? markersOf(page) : [];
        };
        follow(
            store,
            (state) => [state.shown, shownOf(state).finished, shownOf(state).log?.status.offset],
            () => {
                there = null;
            },
        );
        follow(
            store,
            (state) => [state.view, shownOf(state).log, isOn(markers, state)],
            (state) => isOn(markers, state) && void ask(),
        );
    },
    draw({ context, state, ownScale: scale, height }, found = []) {
        context.fillStyle = state.theme.css("muted");
        for (const x of new Set(found.map(({ time }) => Math.round(scale.x(time))))) {
            if (x < scale.left || x > scale.right) continue;
            // Dashes: a line without gaps is an edge of a range.
            for (let y = AXIS; y < height; y += 6) context.fillRect(x, y, 1, 3);
        }
    },
    axisMarks({ ownScale: scale, pointer }, found = []) {
        const away = (/** @type {number} */ x) => (pointer !== null && Math.abs(x - pointer) <= NEAR ? Math.abs(x - pointer) : NEAR + 1);
        const marks = found.map(({ time, text }) => ({ x: scale.x(time), text }));
        const inView = marks.filter(({ x }) => x >= scale.left && x <= scale.right);
        return inView.sort((one, other) => away(one.x) - away(other.x)).map(({ x, text }) => ({ text, x, part: "start" }));
    },
};

addOverlay(markers);

/**
 * Whether a log has any.
 * @param {import("../protocol.js").LogInfo | null} log
 */
function has(log) {
    return log?.facts.sections.some(({ tables }) => tables.some(({ key }) => key === TABLE)) ?? false;
}

/**
 * @param {import("../protocol.js").TablePage} page
 * @returns {Marker[]}
 */
function markersOf({ rows, times }) {
    return rows.flatMap(([, text], at) => {
        const time = times[at];
        return time === null ? [] : [{ time, text: shortened(visible(String(text ?? ""))) }];
    });
}

/** @param {string} text */
function shortened(text) {
    return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/**
 * @param {View} inner
 * @param {View} outer
 */
function isWithin(inner, outer) {
    return outer.from <= inner.from && inner.to <= outer.to;
}
