// Spans that are wide enough to be drawn on their own, with their text where there is room.

import { visible } from "../format.js";
import { MOST_SHOWN, shorter, withoutMiddle } from "../qualified.js";

const PADDING = 4;

/**
 * @typedef {object} SpanStyle
 * @property {string[]} fills by state
 * @property {string[]} texts the text's colour, by state
 * @property {string} gap the colour between two spans
 */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../protocol.js").Strip} strip
 * @param {(time: number) => number} x the place of a time
 * @param {{ left: number, right: number, y: number, height: number }} row
 * @param {SpanStyle} style
 */
export function paintSpans(context, strip, x, { left, right, y, height }, { fills, texts, gap }) {
    const { starts, ends, kinds } = strip;
    context.textBaseline = "middle";
    for (let at = 0; at < starts.length; at++) {
        const from = Math.max(x(starts[at]), left);
        const to = Math.min(x(ends[at]), right);
        if (to - from < 1) continue;
        context.fillStyle = fills[kinds[at]];
        context.fillRect(from, y, to - from, height);
        // A hairline separates neighbours of the same colour.
        context.fillStyle = gap;
        if (to - from > 3 && to < right) context.fillRect(to - 0.5, y, 0.5, height);
        const text = strip.texts[at];
        if (text && to - from > 14) {
            context.fillStyle = texts[kinds[at]];
            paintText(context, text, from + PADDING, y + height / 2 + 0.5, to - from - 2 * PADDING);
        }
    }
}

/**
 * Text, cut to its room.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} room
 */
export function paintText(context, text, x, y, room) {
    const fitting = fit(visible(text), room, context);
    if (fitting) context.fillText(fitting, x, y);
}

/** @type {Map<string, number>} */
const widths = new Map();

/**
 * @param {string} text
 * @param {CanvasRenderingContext2D} context
 */
function measured(text, context) {
    const key = `${context.font}\n${text}`;
    let width = widths.get(key);
    if (width === undefined) {
        width = context.measureText(text).width;
        if (widths.size > 5000) widths.clear();
        widths.set(key, width);
    }
    return width;
}

/**
 * As much of a text as has room: the end of a qualified name, or else its two ends. Empty if that is less than two letters.
 * @param {string} text
 * @param {number} room
 * @param {CanvasRenderingContext2D} context
 */
export function fit(text, room, context) {
    const seen = withoutMiddle(text, MOST_SHOWN);
    if (measured(seen, context) <= room) return seen;
    let last = seen;
    for (const shorted of shorter(seen)) {
        if (measured(shorted, context) <= room) return shorted;
        last = shorted;
    }
    const name = last.replace(/^…/, "");
    const fitting = Math.floor(((room - measured("…", context)) / measured(last, context)) * [...name].length);
    return fitting >= 2 ? withoutMiddle(name, fitting + 1) : "";
}
