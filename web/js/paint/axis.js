// The time axis: round times, from days to nanoseconds.

import { time } from "../format.js";
import { step } from "../viewport.js";

/** Least distance between two labels, in CSS pixels. */
const ROOM = 96;

/**
 * The round times of a view.
 * @param {import("../viewport.js").View} view
 * @param {number} origin from which round steps are counted
 * @param {number} width in CSS pixels
 */
export function ticks({ from, to }, origin, width) {
    const size = step(((to - from) / width) * ROOM);
    const first = Math.ceil((from - origin) / size);
    const count = Math.max(0, Math.floor((to - origin) / size) - first + 1);
    return { size, times: Array.from({ length: count }, (_, at) => origin + (first + at) * size) };
}

/** Paints the grid's lines through all tracks.
 * @param {CanvasRenderingContext2D} context
 * @param {import("../viewport.js").View} view
 * @param {number} origin
 * @param {{ left: number, width: number, top: number, height: number }} area
 * @param {string} colour
 */
export function paintGrid(context, view, origin, { left, width, top, height }, colour) {
    context.fillStyle = colour;
    for (const at of ticks(view, origin, width).times) {
        const x = Math.round(left + ((at - view.from) / (view.to - view.from)) * width);
        context.fillRect(x, top, 1, height);
    }
}

/**
 * Paints the times of the grid's lines. When the view is so short that full times would be long texts, they count from a base, written at
 * the left.
 * @param {CanvasRenderingContext2D} context
 * @param {import("../viewport.js").View} view
 * @param {import("../times.js").Times} written how times are written
 * @param {{ left: number, width: number, height: number }} area
 * @param {{ text: string, strong: string }} colours
 * @param {{ from: number, to: number }[]} taken where other texts are on the axis
 */
export function paintTimes(context, view, written, { left, width, height }, colours, taken) {
    const { size, times } = ticks(view, written.zero, width);
    const base = baseOf(times, written, size);
    context.textBaseline = "middle";
    const middle = height / 2 + 0.5;
    let free = left;
    if (base !== null) {
        const label = written.text(base, size * 1000);
        context.fillStyle = colours.strong;
        context.fillText(label, left + 4, middle);
        free = left + context.measureText(label).width + 16;
    }
    context.fillStyle = colours.text;
    for (const at of times) {
        const x = left + ((at - view.from) / (view.to - view.from)) * width + 4;
        const label = base === null ? written.text(at, size) : `+${time(at - base, size)}`;
        const end = x + context.measureText(label).width;
        const fits = x >= free && end <= left + width && taken.every(({ from, to }) => end < from || x > to);
        if (!fits) continue;
        context.fillText(label, x, middle);
        // A time of day with its date is longer than the others.
        if (written.isClock) free = end + 8;
    }
}

/**
 * The time that labels count from; none if full times are short enough.
 * @param {number[]} times
 * @param {import("../times.js").Times} written
 * @param {number} size
 */
function baseOf(times, written, size) {
    if (times.length === 0 || !written.isLong(times[times.length - 1], size)) return null;
    const [coarse, { zero }] = [size * 1000, written];
    return Math.floor((times[0] - zero) / coarse) * coarse + zero;
}

/**
 * A text on the axis whose end, middle or start is at a place.
 * @typedef {{ text: string, x: number, part: "end" | "middle" | "start" }} Mark
 */

/**
 * The marks that do not overlap one before them, with their places.
 * @param {Pick<CanvasRenderingContext2D, "measureText">} context
 * @param {Mark[]} marks the most important one first
 * @param {{ left: number, width: number }} axis
 */
export function apart(context, marks, axis) {
    /** @type {{ text: string, from: number, to: number }[]} */
    const taken = [];
    for (const mark of marks) {
        const box = labelBox(context, mark, axis);
        if (taken.every(({ from, to }) => box.to <= from || box.from >= to)) taken.push({ text: mark.text, ...box });
    }
    return taken;
}

/**
 * The place of a mark's text on the axis, so that it is never cut off.
 * @param {Pick<CanvasRenderingContext2D, "measureText">} context
 * @param {Mark} mark
 * @param {{ left: number, width: number }} axis
 */
function labelBox(context, { text, x, part }, { left, width }) {
    const wide = context.measureText(text).width + 8;
    const begin = { end: x - wide, middle: x - wide / 2, start: x }[part];
    const from = Math.max(left, Math.min(begin, left + width - wide));
    return { from, to: from + wide };
}

/**
 * Paints a mark's text over whatever is there.
 * @param {CanvasRenderingContext2D} context
 * @param {{ text: string, from: number, to: number }} mark
 * @param {{ height: number, ground: string, text: string }} axis
 */
export function paintLabel(context, { text, from, to }, axis) {
    context.fillStyle = axis.ground;
    context.fillRect(from, 2, to - from, axis.height - 4);
    context.fillStyle = axis.text;
    context.textBaseline = "middle";
    context.fillText(text, from + 4, axis.height / 2 + 0.5);
}
