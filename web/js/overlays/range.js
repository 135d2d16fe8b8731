// The selected range: the time outside of it is paler, and the axis shows its ends and its length. While it is dragged, its length is at
// the pointer. Where an end has snapped to something, there is a mark.

import { addOverlay } from "./overlay.js";
import { coveredAbove, timeText } from "../timeline/scene.js";
import { PILL, paintPill, pillWidth } from "../paint/pill.js";
import { paintVeil } from "../paint/veil.js";
import { AXIS, drawnIn } from "../rows.js";
import { duration } from "../format.js";

/** @typedef {import("../timeline/scene.js").Scene} Scene */

/** The mark of an end that has snapped: half the width of the arrow at the axis, and the width of the bar in the row, in CSS pixels. */
const ARROW = 5;
const BAR = 3;

/** The distance of the length from the pointer, in CSS pixels. */
const ABOVE = 12;

addOverlay({
    key: "range",
    draw(scene) {
        const { context, state, scale, height } = scene;
        const { range, snapped, theme } = state;
        if (!range) return;
        const [x1, x2] = [Math.round(scale.x(range.from)), Math.round(scale.x(range.to))];
        const around = { y: AXIS, height: height - AXIS };
        paintVeil(context, theme.rgb("background"), { ...around, from: scale.left, to: x1 });
        paintVeil(context, theme.rgb("background"), { ...around, from: x2, to: scale.right });
        context.fillStyle = theme.css("accent");
        context.fillRect(x1, 0, 1, height);
        context.fillRect(x2 - 1, 0, 1, height);
        if (snapped?.range === range) for (const snap of snapped.to) drawSnap(snap, snap.time === range.from ? x1 : x2 - 1, scene);
        drawLength(range.to - range.from, (Math.max(x1, scale.left) + Math.min(x2, scale.right)) / 2, scene);
    },
    axisMarks(scene) {
        const { context, scale } = scene;
        const { range, dragged } = scene.state;
        if (!range) return [];
        const [x1, x2] = [scale.x(range.from), scale.x(range.to)];
        const [from, to] = [Math.max(x1, scale.left), Math.min(x2, scale.right)];
        const length = range.to - range.from;
        /** @type {import("../paint/axis.js").Mark[]} */
        const marks = [];
        if (x1 === from && x1 <= scale.right) marks.push({ text: timeText(scene, range.from, length / 100), x: x1, part: "end" });
        if (x2 === to && x2 >= scale.left) marks.push({ text: timeText(scene, range.to, length / 100), x: x2, part: "start" });
        // The arrow distinguishes it from the times around it.
        const text = `↔ ${duration(length)}`;
        // In the middle of its visible part. While the range is dragged, its length is at the pointer.
        if (dragged === null && context.measureText(text).width + 12 < to - from) marks.push({ text, x: (from + to) / 2, part: "middle" });
        return marks;
    },
});

/**
 * An arrow at the axis, and a bar in the row whose span begins or ends there, if that is in view.
 * @param {import("../navigation/snapping.js").Snap} snap
 * @param {number} x of the end's line
 * @param {Scene} scene
 */
function drawSnap({ of }, x, scene) {
    const { context, rows, top } = scene;
    context.beginPath();
    context.moveTo(x + 0.5 - ARROW, AXIS);
    context.lineTo(x + 0.5 + ARROW, AXIS);
    context.lineTo(x + 0.5, AXIS + ARROW + 1);
    context.fill();
    const row = of && rows.find(({ log, track }) => log === of.log && track?.id === of.track);
    if (!row) return;
    const { y, height } = drawnIn(row);
    const from = Math.max(y - top - 1, coveredAbove(row, scene));
    context.fillRect(x + 0.5 - BAR / 2, from, BAR, Math.max(y - top + height + 1 - from, 0));
}

/**
 * The length of a range that is being dragged.
 * @param {number} length
 * @param {number} middle of the range's visible part
 * @param {Scene} scene
 */
function drawLength(length, middle, { context, state, scale, height }) {
    const { dragged, theme } = state;
    if (dragged === null) return;
    const text = duration(length);
    const width = pillWidth(context, text);
    const left = Math.min(Math.max(middle - width / 2, scale.left + 2), scale.right - width - 2);
    const top = Math.min(Math.max(dragged - ABOVE - PILL.height, AXIS + 2), height - PILL.height - 2);
    paintPill(context, text, { left, top }, { ground: theme.css("background"), text: theme.css("accent") });
}
