// Which rows of a table are in view, and how far it is scrolled for that.
//
// A table of more rows than fit is as high as browsers allow, and its rows go by faster than it is scrolled.

import { MOST_HIGH } from "../scrolled.js";

/**
 * @typedef {object} Sheet
 * @property {number} rows how many there are
 * @property {number} rowHeight in CSS pixels
 * @property {number} room how high the part is in which rows are seen; Infinity where all of them are
 */

/**
 * How high the rows' element is.
 * @param {Sheet} sheet
 */
export function heightOf(sheet) {
    return Math.min(fullHeight(sheet), MOST_HIGH);
}

/** @param {Sheet} sheet */
function fullHeight({ rows, rowHeight }) {
    return rows * rowHeight;
}

/**
 * How many pixels of rows go by for one that is scrolled.
 * @param {Sheet} sheet
 */
function rate(sheet) {
    const [most, scrolled] = [fullHeight(sheet), heightOf(sheet)].map((height) => Math.max(height - sheet.room, 0));
    return scrolled > 0 ? most / scrolled : 1;
}

/**
 * The rows that are seen, if only in part.
 * @param {Sheet} sheet
 * @param {number} scrolled in CSS pixels
 * @returns {{ first: number, end: number, above: number }} `end` is after the last one; `above`: pixels of the first one that
 *     are out of sight
 */
export function inView(sheet, scrolled) {
    const { rows, rowHeight, room } = sheet;
    if (room === Infinity) return { first: 0, end: rows, above: 0 };
    const most = Math.max(fullHeight(sheet) - room, 0);
    const top = Math.min(Math.max(scrolled * rate(sheet), 0), most);
    const first = Math.floor(top / rowHeight);
    return { first, end: Math.min(Math.ceil((top + room) / rowHeight), rows), above: top - first * rowHeight };
}

/**
 * How far to scroll for all of a row to be seen: no farther than is needed.
 * @param {Sheet} sheet
 * @param {number} scrolled as it is now
 * @param {number} row
 */
export function showing(sheet, scrolled, row) {
    const { rowHeight, room } = sheet;
    const by = rate(sheet);
    const top = row * rowHeight;
    const now = scrolled * by;
    // In a room lower than a row, its top is what is seen.
    const next = top < now || room < rowHeight ? top : Math.max(now, top + rowHeight - room);
    // As long as nothing has to move, nothing does: not even by a rounding.
    return next === now ? scrolled : next / by;
}

/**
 * The row that a key leads to.
 * @param {number} at -1 is the head
 * @param {string} key
 * @param {number} rows how many there are
 * @param {number} page how many are seen at once
 * @returns {number | null} none if it is no key for walking
 */
export function rowAfter(at, key, rows, page) {
    /** @param {number} row */
    const bounded = (row) => Math.min(Math.max(row, 0), rows - 1);
    switch (key) {
        case "ArrowDown":
            return bounded(at + 1);
        case "ArrowUp":
            return Math.max(at - 1, -1);
        case "PageDown":
            return bounded(at + Math.max(page, 1));
        case "PageUp":
            return bounded(at - Math.max(page, 1));
        case "Home":
            return bounded(0);
        case "End":
            return bounded(rows - 1);
        default:
            return null;
    }
}
