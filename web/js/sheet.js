// Chooses the rows to print: all of them, if that is not too much; otherwise those from the view on.

import { AXIS, rowAt } from "./rows.js";

/** Greatest total height of the printed rows, in CSS pixels: some six pages. */
export const MOST = 4000;

/**
 * @typedef {object} Sheet
 * @property {number} top of its first row, among all rows
 * @property {number} bottom of its last row
 * @property {number} above the number of tracks above it, which are left out
 * @property {number} below the number of tracks below it, which are left out
 */

/**
 * Whether there is room for all rows. If not, pinned rows are printed above the first one.
 * @param {Pick<import("./rows.js").Layout, "height">} layout
 */
export function fits({ height }) {
    return height - AXIS <= MOST;
}

/**
 * @param {import("./rows.js").Layout} layout
 * @param {number} scrolled the height of the rows above the view
 * @returns {Sheet}
 */
export function sheetOf(layout, scrolled) {
    const { head, height } = layout;
    if (fits(layout)) return { top: AXIS, bottom: height, above: 0, below: 0 };
    const inView = rowAt(layout, Math.min(scrolled + head, height - 1))?.y ?? head;
    const top = Math.min(inView, nextRow(layout, height - MOST));
    const bottom = rowAt(layout, top + MOST)?.y ?? height;
    return { top, bottom, above: tracksBetween(layout, head, top), below: tracksBetween(layout, bottom, height) };
}

/**
 * The top of the first row that begins at or below a height.
 * @param {import("./rows.js").Layout} layout
 * @param {number} y
 */
function nextRow(layout, y) {
    const row = rowAt(layout, y);
    if (!row) return AXIS;
    return row.y < y ? row.y + row.height : row.y;
}

/**
 * The number of tracks whose rows begin between two heights.
 * @param {import("./rows.js").Layout} layout
 * @param {number} top
 * @param {number} bottom
 */
function tracksBetween({ runs }, top, bottom) {
    let sum = 0;
    for (const { kind, y, height, count } of runs) {
        const [first, end] = [top, bottom].map((at) => Math.min(Math.max(Math.ceil((at - y) / height), 0), count));
        if (kind === "tracks") sum += end - first;
    }
    return sum;
}
