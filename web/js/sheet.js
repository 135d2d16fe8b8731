// Which rows are on paper: all of them, if that is not too much; otherwise those from the view on.

import { AXIS, rowAt } from "./rows.js";

/** No more rows are printed than are so high together, in CSS pixels: some six pages. */
export const MOST = 4000;

/**
 * @typedef {object} Sheet
 * @property {number} top where its first row begins, among all rows
 * @property {number} bottom where its last one ends
 * @property {number} above how many tracks above it are left out
 * @property {number} below and how many below it
 */

/**
 * Whether there is room for all rows.
 * @param {import("./rows.js").Layout} layout
 */
export function fits({ height }) {
    return height - AXIS <= MOST;
}

/**
 * @param {import("./rows.js").Layout} layout
 * @param {number} scrolled what is above the view
 * @returns {Sheet}
 */
export function sheetOf(layout, scrolled) {
    const { height } = layout;
    if (fits(layout)) return { top: AXIS, bottom: height, above: 0, below: 0 };
    const inView = rowAt(layout, Math.min(scrolled + AXIS, height - 1))?.y ?? AXIS;
    const top = Math.min(inView, nextRow(layout, height - MOST));
    const bottom = rowAt(layout, top + MOST)?.y ?? height;
    return { top, bottom, above: tracksBetween(layout, AXIS, top), below: tracksBetween(layout, bottom, height) };
}

/**
 * Where the first row begins that does so at a height or below it.
 * @param {import("./rows.js").Layout} layout
 * @param {number} y
 */
function nextRow(layout, y) {
    const row = rowAt(layout, y);
    if (!row) return AXIS;
    return row.y < y ? row.y + row.height : row.y;
}

/**
 * How many tracks have rows that begin between two heights.
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
