// What something held in the course of a time, for a small picture in a table's cell: no axis, as high as its own most.

import { bytes } from "../format.js";

/** In the picture's own units, which are CSS pixels. */
const STEP = 2;
export const HEIGHT = 16;

/** @param {number[]} levels the most in each of some equal pieces of the time */
export function widthOf(levels) {
    return STEP * levels.length;
}

/**
 * In words: the most of the first piece and of the last one, and of all.
 * @param {number[]} levels
 */
export function levelsText(levels) {
    const [first, last, most, least] = [levels[0] ?? 0, levels.at(-1) ?? 0, Math.max(0, ...levels), Math.min(...levels)].map(bytes);
    return most === least ? `${most} throughout` : `up to ${first} at first, up to ${last} at the end, ${most} at most`;
}

/**
 * The area below its steps, as a path; what is more than nothing can be seen.
 * @param {number[]} levels
 */
export function outline(levels) {
    const most = Math.max(1, ...levels);
    const top = (/** @type {number} */ level) => (level === 0 ? HEIGHT : Math.min(HEIGHT * (1 - level / most), HEIGHT - 1));
    const steps = levels.map((level) => `V${Math.round(10 * top(level)) / 10}h${STEP}`);
    return `M0 ${HEIGHT}${steps.join("")}V${HEIGHT}z`;
}
