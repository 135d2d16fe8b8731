// Arrows for wake-ups, from the row of who woke up to that of who was woken up: the thread's own, or the lane that it ran on, whichever is
// in view. To a row out of sight an arrow ends at the edge, with the thread's name.

import { apart, paintLabel } from "../paint/axis.js";
import { AXIS, rowOfTrack } from "../rows.js";
import { visible } from "../format.js";

/** @typedef {import("./drawing.js").Scene} Scene */
/** @typedef {import("../protocol.js").Span} Span */

/** How long and how wide an arrow's head is, in CSS pixels. */
const HEAD = { length: 7, width: 4 };

/** How high the names at the edges are. */
const NAME = 16;

/**
 * @param {Scene} scene
 * @param {(row: import("../headers.js").Shown) => number} coveredAbove how much of the view is covered above a row
 */
export function drawArrows(scene, coveredAbove) {
    const { context, state, scale, top, height } = scene;
    const { arrows, theme } = state;
    for (const { time, from, to } of arrows) {
        const x = Math.round(scale.x(time)) + 0.5;
        if (x < scale.left || x > scale.right) continue;
        const [begin, end] = [from, to].map((span) => placeOf(span, scene, coveredAbove));
        if (!begin || !end || begin.y === end.y) continue;
        const down = end.y > begin.y;
        context.save();
        context.beginPath();
        context.rect(scale.left, AXIS, scale.width, height - AXIS);
        context.clip();
        context.strokeStyle = context.fillStyle = theme.css("text");
        context.lineWidth = 1.5;
        context.beginPath();
        context.moveTo(x, begin.y - top);
        context.lineTo(x, end.y - top);
        context.stroke();
        const tip = end.y - top;
        const base = tip + (down ? -HEAD.length : HEAD.length);
        context.beginPath();
        context.moveTo(x, tip);
        context.lineTo(x - HEAD.width, base);
        context.lineTo(x + HEAD.width, base);
        context.fill();
        context.beginPath();
        context.arc(x, begin.y - top, 2.5, 0, 2 * Math.PI);
        context.fill();
        context.restore();
        nameAtEdge(begin, from, x, scene);
        nameAtEdge(end, to, x, scene);
    }
}

/**
 * Where an arrow begins or ends: in the middle of a row, or at the edge behind which that is.
 * @param {Span} span
 * @param {Scene} scene
 * @param {(row: import("../headers.js").Shown) => number} coveredAbove
 * @returns {{ y: number, edge: "top" | "bottom" | null } | null} `y` among all rows
 */
function placeOf(span, { state, rows, layout, top, height }, coveredAbove) {
    const slots = [state.span?.track === span.track ? span : null, span.thread, span.lane].flatMap((slot) =>
        slot && !slot.hidden ? slot : [],
    );
    const edge = (/** @type {import("../headers.js").Shown} */ row) => top + coveredAbove(row);
    for (const { track } of slots) {
        const row = rows.find((row) => row.kind === "tracks" && row.track?.id === track);
        if (!row) continue;
        const y = row.y + row.height / 2;
        if (y >= edge(row) && y <= top + height) return { y, edge: null };
    }
    for (const slot of slots) {
        const row = rowOfTrack(layout, slot);
        if (!row) continue;
        const shown = { ...row, track: null };
        const y = row.y + row.height / 2;
        if (y > top + height) return { y: top + height, edge: "bottom" };
        if (y < edge(shown)) return { y: edge(shown), edge: "top" };
        // The heading of its folded group.
        return { y, edge: "bottom" };
    }
    return null;
}

/**
 * @param {{ y: number, edge: "top" | "bottom" | null }} place
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
