// What is marked on the timeline: the selected range, the selected span, and where the pointer is; and their times on the axis.

import { apart, paintLabel } from "../paint/axis.js";
import { paintVeil } from "../paint/veil.js";
import { AXIS, drawnIn } from "../rows.js";
import { drawArrows } from "./arrows.js";
import { duration, time } from "../format.js";
import { originOf } from "../state.js";

/** @typedef {import("./drawing.js").Scene} Scene */
/** @typedef {ReturnType<typeof apart>} Labels */

/**
 * What is written on the axis beside its times, as far as there is room: the pointer's time before all, then the ends of the range,
 * then its length.
 * @param {Scene} scene
 * @returns {Labels}
 */
export function axisMarks(scene) {
    return apart(scene.context, [...pointerMarks(scene), ...rangeMarks(scene)], scene.scale);
}

/**
 * @param {Scene} scene
 * @returns {import("../paint/axis.js").Mark[]}
 */
function pointerMarks({ state, scale, pointer }) {
    if (pointer === null) return [];
    const x = Math.floor(pointer);
    return [{ text: timeText(state, scale.time(x), scale.time(x + 1) - scale.time(x)), x, part: "middle" }];
}

/**
 * @param {Scene} scene
 * @returns {import("../paint/axis.js").Mark[]}
 */
function rangeMarks({ context, state, scale }) {
    const { range } = state;
    if (!range) return [];
    const [x1, x2] = [scale.x(range.from), scale.x(range.to)];
    const [from, to] = [Math.max(x1, scale.left), Math.min(x2, scale.right)];
    const length = range.to - range.from;
    /** @type {import("../paint/axis.js").Mark[]} */
    const marks = [];
    if (x1 === from && x1 <= scale.right) marks.push({ text: timeText(state, range.from, length / 100), x: x1, part: "end" });
    if (x2 === to && x2 >= scale.left) marks.push({ text: timeText(state, range.to, length / 100), x: x2, part: "start" });
    // Told apart from the times around it.
    const text = `↔ ${duration(length)}`;
    // In the middle of what can be seen of it.
    if (context.measureText(text).width + 12 < to - from) marks.push({ text, x: (from + to) / 2, part: "middle" });
    return marks;
}

/**
 * @param {Scene["state"]} state
 * @param {number} at
 * @param {number} fine the difference that it must tell
 */
function timeText(state, at, fine) {
    return time(at - originOf(state), 10 ** Math.floor(Math.log10(Math.max(fine, 1))));
}

/**
 * @param {Scene} scene
 * @param {Labels} labels
 */
export function drawMarks(scene, labels) {
    drawRange(scene);
    drawSpan(scene);
    drawArrows(scene, (row) => coveredAbove(row, scene));
    drawPointer(scene);
    const { context, state, scale } = scene;
    const axis = {
        left: scale.left,
        width: scale.width,
        height: AXIS,
        ground: state.theme.css("background"),
        text: state.theme.css("accent"),
    };
    for (const label of labels) paintLabel(context, label, axis);
}

/**
 * The time outside of the range is paler.
 * @param {Scene} scene
 */
function drawRange({ context, state, scale, height }) {
    const { range, theme } = state;
    if (!range) return;
    const [x1, x2] = [Math.round(scale.x(range.from)), Math.round(scale.x(range.to))];
    const around = { y: AXIS, height: height - AXIS };
    paintVeil(context, theme.rgb("background"), { ...around, from: scale.left, to: x1 });
    paintVeil(context, theme.rgb("background"), { ...around, from: x2, to: scale.right });
    context.fillStyle = theme.css("accent");
    context.fillRect(x1, 0, 1, height);
    context.fillRect(x2 - 1, 0, 1, height);
}

/**
 * A frame around the selected span, if its track is in view.
 * @param {Scene} scene
 */
function drawSpan(scene) {
    const { context, state, scale, rows, top, height } = scene;
    const { span, theme } = state;
    const row = span && rows.find(({ track }) => track?.id === span.track);
    if (!span || !row) return;
    const { y, height: high } = drawnIn(row);
    const [x1, x2] = [Math.max(scale.x(span.start), scale.left - 2), Math.min(scale.x(span.end), scale.right + 2)];
    const covered = coveredAbove(row, scene);
    context.strokeStyle = theme.css("accent");
    context.lineWidth = 2;
    context.save();
    context.beginPath();
    context.rect(scale.left, covered, scale.width, height - covered);
    context.clip();
    context.strokeRect(x1 - 1, y - top - 1, Math.max(x2 - x1, 1) + 2, high + 2);
    context.restore();
}

/**
 * How much of the view the axis covers, and the heading that stays in sight above a row.
 * @param {Scene["rows"][0]} row
 * @param {Scene} scene
 */
function coveredAbove({ kind }, { stuck, top }) {
    return stuck && kind !== "heading" ? stuck.y + stuck.height - top : AXIS;
}

/** @param {Scene} scene */
function drawPointer({ context, state, pointer, height }) {
    if (pointer === null) return;
    context.fillStyle = state.theme.css("accent");
    context.fillRect(Math.floor(pointer), 0, 1, height);
}
