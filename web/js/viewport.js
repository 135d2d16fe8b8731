// Arithmetic on the time in view, `{ from, to }` in nanoseconds.

/** @typedef {{ from: number, to: number }} View */

/** Space beyond the log's ends, as a share of its length. */
const MARGIN = 0.02;

/**
 * The first and last time of a log, as far as known: including the part not read yet, if the first look has found it.
 * @param {import("./protocol.js").Status} status
 * @returns {[number, number] | undefined}
 */
export function extentOf({ extent, ahead }) {
    return extent && ahead !== undefined ? [extent[0], Math.max(extent[1], ahead)] : extent;
}

/**
 * The whole log as a view.
 * @param {[number, number]} extent
 * @returns {View}
 */
export function whole([from, to]) {
    const margin = Math.max(to - from, 1000) * MARGIN;
    return { from: from - margin, to: to + margin };
}

/**
 * The nearest permitted view: not beyond the whole log, and at least 1 ns for each pixel.
 * @param {View} view
 * @param {View} limits
 * @param {number} width in CSS pixels
 * @returns {View}
 */
export function within({ from, to }, limits, width) {
    const length = Math.min(Math.max(to - from, width), Math.max(limits.to - limits.from, width));
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - length / 2, limits.from), Math.max(limits.to - length, limits.from));
    return { from: start, to: start + length };
}

/**
 * The view with the same scale and the same left edge when the timeline has another width.
 * @param {View} view
 * @param {number} ratio of the new width to the old one
 * @returns {View}
 */
export function resized({ from, to }, ratio) {
    return { from, to: from + (to - from) * ratio };
}

/**
 * The part of a range that lies within a log; null if there is none.
 * @template {View} Range
 * @param {Range} range
 * @param {[number, number]} extent
 * @returns {Range | null}
 */
export function clipped(range, [first, last]) {
    if (range.from >= first && range.to <= last) return range;
    const [from, to] = [Math.max(range.from, first), Math.min(range.to, last)];
    return from < to ? { ...range, from, to } : null;
}

/**
 * The part of a range that can be selected in a log; null if there is none. A range does not include its end, so one that includes the
 * log's last event ends 1 ns after it.
 * @template {View} Range
 * @param {Range} range
 * @param {[number, number]} extent
 * @returns {Range | null}
 */
export function rangeWithin(range, [first, last]) {
    return clipped(range, [first, last + 1]);
}

/**
 * Zooms, keeping one time in its place.
 * @param {View} view
 * @param {number} at
 * @param {number} factor above 1 shows more time, below 1 less
 * @returns {View}
 */
export function zoomed({ from, to }, at, factor) {
    return { from: at - (at - from) * factor, to: at + (to - at) * factor };
}

/**
 * @param {View} view
 * @param {number} share of the view's length
 * @returns {View}
 */
export function panned({ from, to }, share) {
    const by = (to - from) * share;
    return { from: from + by, to: to + by };
}

/**
 * The nearest view of the same length that contains a time.
 * @param {View} view
 * @param {number} time
 * @returns {View}
 */
export function holding({ from, to }, time) {
    const by = Math.min(time - from, 0) + Math.max(time - to, 0);
    return { from: from + by, to: to + by };
}

/**
 * A view of a range with a margin.
 * @param {View} range
 * @returns {View}
 */
export function around({ from, to }) {
    const margin = Math.max(to - from, 1) * 0.1;
    return { from: from - margin, to: to + margin };
}

/**
 * Round steps for an axis: 1, 2 or 5 times a power of ten up to seconds, then parts of minutes, hours and days.
 * @param {number} least the smallest step that has room
 */
export function step(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    const small = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least * 0.999) ?? power * 10;
    if (small <= 20e9) return small;
    const SECONDS = [30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400];
    const large = SECONDS.find((seconds) => seconds * 1e9 >= least);
    return large ? large * 1e9 : Math.ceil(least / 86400e9) * 86400e9;
}
