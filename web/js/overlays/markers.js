// What the program marked (traceMarker), as lines through all rows: with as many texts on the axis as have room, first those near the
// pointer. Where too many are in view to be told apart there are none, and neither in a log of so many that not each has a row in the table:
// the row of markers under "Other events" shows how many.

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

/** The most that are asked for. */
const MOST = 400;

/** How far apart lines are on average at least, and the texts beside the axis' times, in CSS pixels. */
const [APART, TEXTS_APART] = [12, 160];

/** How near the pointer must be to one for its text to come first, in CSS pixels. */
const NEAR = 6;

/** @type {import("./overlay.js").Overlay<Marker[]>} */
const markers = {
    key: "markers",
    start({ store, log, show }) {
        /** The time of the log that the markers are there of. @type {View | null} */
        let there = null;
        /** The view that was asked for last. @type {View | null} */
        let asked = null;
        let isAsking = false;
        const ask = async () => {
            const { view: seen, shown } = store.value;
            const { log: info, finished } = shownOf(store.value);
            const view = seen && viewInLog(shownOf(store.value), seen);
            // While a log is read, reading comes first.
            if (isAsking || !view || !finished || !has(info) || asked === seen || (there && isWithin(view, there))) return;
            [isAsking, asked] = [true, seen];
            // As much again on either side: the view moves. Closer to the view there may be few enough.
            const around = { from: 2 * view.from - view.to, to: 2 * view.to - view.from };
            const ofAround = await allWithin(log, around);
            const found = ofAround ?? (await allWithin(log, view)) ?? [];
            isAsking = false;
            if (store.value.shown === shown) {
                there = ofAround && around;
                show(shown, found);
            }
            if (store.value.view !== seen) void ask();
        };
        follow(
            store,
            (state) => [state.shown, shownOf(state).finished, shownOf(state).log?.status.offset],
            () => {
                [there, asked] = [null, null];
            },
        );
        follow(
            store,
            (state) => [state.view, shownOf(state).log, isOn(markers, state)],
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
        // Dashes: a line without gaps is an edge of a range. All in one go: hundreds of lines are tens of thousands of dashes.
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
 * Whether a log has any.
 * @param {import("../protocol.js").LogInfo | null} log
 */
function has(log) {
    return log?.facts.sections.some(({ tables }) => tables.some(({ key }) => key === TABLE)) ?? false;
}

/**
 * Those in view, and where; none if they are too many to be told apart.
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
 * @returns {Promise<Marker[] | null>} null if they are too many, or not known; none if not all of the log's are in the table: some lines would be missing
 */
async function allWithin(log, { from, to }) {
    const within = { column: "time_ns", from, to };
    const page = await log.ask("table", { table: TABLE, sort: "", down: false, filter: "", within, from: 0, count: MOST });
    if (!page || page.found > MOST) return null;
    if (page.kept < page.of) return [];
    return page.rows.flatMap(([, text], at) => {
        const time = page.times[at];
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
