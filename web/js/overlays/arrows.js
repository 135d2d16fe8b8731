// Arrows for wake-ups: one leads to the selected span, one from it. An arrow goes from the row of the thread that woke another one up to
// that thread's row. The row is the thread's own or the lane that it ran on, whichever is in view. If the row is out of view, the arrow
// ends at the edge, with the thread's name.

import { addOverlay } from "./overlay.js";
import { BACK, FORTH } from "../protocol.js";
import { coveredAbove } from "../timeline/scene.js";
import { apart, paintLabel } from "../paint/axis.js";
import { AXIS, rowOfTrack } from "../rows.js";
import { follow } from "../store.js";
import { shownOf } from "../state.js";
import { visible } from "../format.js";

/** @typedef {import("../timeline/scene.js").Scene} Scene */
/** @typedef {import("../protocol.js").Span} Span */

/**
 * A wake-up: its time, the span of the thread that woke the other one up, and the span of that one.
 * @typedef {{ time: number, from: Span, to: Span }} Arrow
 */

/**
 * @typedef {{ y: number, edge: "top" | "bottom" | null }} End one end of an arrow: `y` among all rows, and the edge if that is out of view
 */

/** Length and width of an arrow's head, in CSS pixels. */
const HEAD = { length: 7, width: 4 };

/** Height of the names at the edges, in CSS pixels. */
const NAME = 16;

/** @type {import("./overlay.js").Overlay<Arrow[]>} */
const arrows = {
    key: "arrows",
    // On paper, an arrow to another block of rows would end nowhere.
    screenOnly: true,
    start({ store, client, show }) {
        let last = 0;
        // Whenever the selection changes, or more is known about threads.
        follow(
            store,
            (state) => [state.span, !shownOf(state).log?.following, shownOf(state).threads],
            ({ span, ...state }) => {
                const { number, overlayData } = shownOf(state);
                const mine = ++last;
                if (overlayData[arrows.key]?.length > 0) show(number, []);
                if (!span?.thread) return;
                void arrowsOf(span, client.of(span.log)).then((found) => mine === last && found.length > 0 && show(span.log, found));
            },
        );
    },
    draw(scene, found = []) {
        for (const arrow of found) drawArrow(arrow, scene);
    },
};

addOverlay(arrows);

/**
 * Asks which thread woke this one up, and which ones it woke up.
 * @param {import("../state.js").OfLog<Span>} span of a thread
 * @param {import("../log-handle.js").LogHandle} log the log of the span
 * @returns {Promise<Arrow[]>}
 */
async function arrowsOf(span, log) {
    // A span that the program wrote is not what was woken up: its thread may have run for long before.
    if (span.thread && !span.lane && span.thread.track !== span.track) return [];
    const track = span.thread?.track ?? span.track;
    const point = { track, time: span.start };
    const [by, whom] = await Promise.all([
        log.ask("woken", { ...point, back: true, asker: BACK }),
        log.ask("woken", { ...point, back: false, asker: FORTH }),
    ]);
    /** @type {Arrow[]} */
    const found = [];
    if (by?.kind === "span" && by.moment !== undefined) found.push({ time: by.moment, from: by.span, to: span });
    if (!span.lane || whom?.kind !== "span" || whom.moment === undefined) return found;
    // The next thread that it woke up may belong to a later run.
    if (span.start <= whom.moment && whom.moment <= span.end) found.push({ time: whom.moment, from: span, to: whom.span });
    return found;
}

/**
 * @param {Arrow} arrow
 * @param {Scene} scene
 */
function drawArrow({ time, from, to }, scene) {
    const { context, state, ownScale: scale, top, height } = scene;
    const x = Math.round(scale.x(time)) + 0.5;
    if (x < scale.left || x > scale.right) return;
    const [begin, end] = [from, to].map((span) => endOf(span, scene));
    if (!begin || !end || begin.y === end.y) return;
    context.save();
    context.beginPath();
    context.rect(scale.left, AXIS, scale.width, height - AXIS);
    context.clip();
    context.strokeStyle = context.fillStyle = state.theme.css("text");
    paintArrow(context, x, begin.y - top, end.y - top);
    context.restore();
    nameAtEdge(begin, from, x, scene);
    nameAtEdge(end, to, x, scene);
}

/**
 * A line with a dot where it begins and a head where it ends.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} begin
 * @param {number} tip
 */
function paintArrow(context, x, begin, tip) {
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, begin);
    context.lineTo(x, tip);
    context.stroke();
    const base = tip + (tip > begin ? -HEAD.length : HEAD.length);
    context.beginPath();
    context.moveTo(x, tip);
    context.lineTo(x - HEAD.width, base);
    context.lineTo(x + HEAD.width, base);
    context.fill();
    context.beginPath();
    context.arc(x, begin, 2.5, 0, 2 * Math.PI);
    context.fill();
}

/**
 * One end of an arrow: in the middle of a row, or at the edge if that is out of view.
 * @param {Span} span
 * @param {Scene} scene
 * @returns {End | null}
 */
function endOf(span, scene) {
    const { state, log, rows, layout, top, height } = scene;
    const slots = [state.span?.log === log.number && state.span.track === span.track ? span : null, span.thread, span.lane].flatMap(
        (slot) => (slot && !slot.hidden ? slot : []),
    );
    const edge = (/** @type {Pick<import("../rows.js").Row, "kind" | "pinned">} */ row) => top + coveredAbove(row, scene);
    for (const { track } of slots) {
        const row = rows.find((row) => row.kind === "tracks" && row.log === log.number && row.track?.id === track);
        if (!row) continue;
        const y = row.y + row.height / 2;
        if (y >= edge(row) && y <= top + height) return { y, edge: null };
    }
    for (const slot of slots) {
        const row = rowOfTrack(layout, slot, top);
        if (!row) continue;
        const y = row.y + row.height / 2;
        if (y > top + height) return { y: top + height, edge: "bottom" };
        if (y < edge(row)) return { y: edge(row), edge: "top" };
        // The heading of its folded group shows it.
        return { y, edge: "bottom" };
    }
    return null;
}

/**
 * @param {End} end
 * @param {Span} span
 * @param {number} x
 * @param {Scene} scene
 */
function nameAtEdge({ y, edge }, span, x, { context, state, scale, top }) {
    if (!edge) return;
    const [label] = apart(context, [{ text: visible(span.on), x: x + 4, part: "start" }], scale);
    if (!label) return;
    const { theme } = state;
    context.save();
    context.translate(0, edge === "top" ? y - top : y - top - NAME);
    paintLabel(context, label, { height: NAME, ground: theme.css("background"), text: theme.css("text") });
    context.restore();
}
