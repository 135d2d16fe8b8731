// Frames of a flame graph: as wide as their samples, or bytes, in the colours of their modules, with their names where there is room.

import { paintText } from "./spans.js";

const PADDING = 4;

/** Narrower frames, in pixels, have no line at their ends, and no text. */
const LEAST_LINE = 3;
const LEAST_TEXT = 18;

/**
 * @typedef {object} FlameSheet
 * @property {number} width in CSS pixels, as all lengths
 * @property {number} height of the visible part
 * @property {number} rowHeight
 * @property {(depth: number) => number} top the place of a row in that part
 * @property {import("../panels/frames.js").Extent} shown
 * @property {boolean} searched whether frames that do not match are paler
 * @property {number} chosen a frame; -1 if there is none
 */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../panels/frames.js").Frames} frames
 * @param {FlameSheet} sheet
 * @param {import("../theme.js").Theme} theme
 * @param {(module: string, frame: number) => string} roleOf
 */
export function paintFlame(context, frames, sheet, theme, roleOf) {
    const { width, height, rowHeight, shown } = sheet;
    const { x, widths } = frames;
    const scale = width / (shown.to - shown.from);
    context.clearRect(0, 0, width, height);
    context.textBaseline = "middle";
    frames.rows.forEach((row, depth) => {
        const y = sheet.top(depth);
        if (y + rowHeight < 0 || y > height) return;
        for (const at of row) {
            const from = Math.max((x[at] - shown.from) * scale, 0);
            const to = Math.min((x[at] + widths[at] - shown.from) * scale, width);
            const { name, module, frame, matches } = frames.nameOf(at);
            const role = sheet.searched && !matches ? "line" : roleOf(module, frame);
            context.fillStyle = theme.css(role);
            context.fillRect(from, y, Math.max(to - from - (to - from > LEAST_LINE ? 1 : 0), 0.5), rowHeight - 1);
            if (at === sheet.chosen) ring(context, from, y, to - from - 1, rowHeight - 1, theme);
            if (to - from < LEAST_TEXT) continue;
            context.fillStyle = theme.textOn(role);
            paintText(context, name, from + PADDING, y + rowHeight / 2, to - from - 2 * PADDING);
        }
    });
}

/**
 * A line around the chosen frame, in the colours of text and background, so that it is visible on any colour.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {import("../theme.js").Theme} theme
 */
function ring(context, x, y, width, height, theme) {
    for (const [inset, role] of /** @type {[number, string][]} */ ([
        [1, "text"],
        [2.5, "background"],
    ])) {
        context.strokeStyle = theme.css(role);
        context.lineWidth = role === "text" ? 2 : 1;
        context.strokeRect(x + inset, y + inset, Math.max(width - 2 * inset, 0), height - 2 * inset);
    }
}
