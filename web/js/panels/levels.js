// A small picture of a level over time, for a table's cell: without an axis, scaled to its own maximum.

import { bytes } from "../format.js";

/** Width of a step, in the picture's own units, which are CSS pixels. */
const STEP = 2;
export const HEIGHT = 16;

/** @param {number[]} levels the maximum in each of some equal pieces of the time */
export function widthOf(levels) {
    return STEP * levels.length;
}

/**
 * In words: the maximum of the first piece, of the last one, and of all.
 * @param {number[]} levels
 */
export function levelsText(levels) {
    const [first, last, most, least] = [levels[0] ?? 0, levels.at(-1) ?? 0, Math.max(0, ...levels), Math.min(...levels)].map(bytes);
    return most === least ? `${most} throughout` : `up to ${first} at first, up to ${last} at the end, at most ${most}`;
}

/**
 * The area below its steps, as a path. Any value above 0 is visible.
 * @param {number[]} levels
 */
export function outline(levels) {
    const most = Math.max(1, ...levels);
    const top = (/** @type {number} */ level) => (level === 0 ? HEIGHT : Math.min(HEIGHT * (1 - level / most), HEIGHT - 1));
    const steps = levels.map((level) => `V${Math.round(10 * top(level)) / 10}h${STEP}`);
    return `M0 ${HEIGHT}${steps.join("")}V${HEIGHT}z`;
}
