// Converts between how far a table is scrolled and which of its rows are in view.
//
// Browsers limit the height of an element. A table with more rows than that is as high as allowed, and its rows go by faster than it is
// scrolled.

import { MOST_HIGH } from "../scrolled.js";

/**
 * @typedef {object} Sheet
 * @property {number} rows the number of rows
 * @property {number} rowHeight in CSS pixels
 * @property {number} room the height in which rows are visible; Infinity where all of them are
 */

/**
 * The height of the rows' element.
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
 * The number of pixels of rows that go by for one pixel of scrolling.
 * @param {Sheet} sheet
 */
function rate(sheet) {
    const [most, scrolled] = [fullHeight(sheet), heightOf(sheet)].map((height) => Math.max(height - sheet.room, 0));
    return scrolled > 0 ? most / scrolled : 1;
}

/**
 * The rows that are visible, if only in part.
 * @param {Sheet} sheet
 * @param {number} scrolled in CSS pixels
 * @returns {{ first: number, end: number, above: number }} `end`: after the last one; `above`: pixels of the first one that are out of view
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
 * How far to scroll to make all of a row visible: no farther than necessary.
 * @param {Sheet} sheet
 * @param {number} scrolled how far it is scrolled now
 * @param {number} row
 */
export function showing(sheet, scrolled, row) {
    const { rowHeight, room } = sheet;
    const by = rate(sheet);
    const top = row * rowHeight;
    const now = scrolled * by;
    // If the room is lower than a row, its top is shown.
    const next = top < now || room < rowHeight ? top : Math.max(now, top + rowHeight - room);
    // If nothing has to move, nothing does, not even by rounding.
    return next === now ? scrolled : next / by;
}

/**
 * The row that a key leads to.
 * @param {number} at the current row; -1 is the head
 * @param {string} key
 * @param {number} rows the number of rows
 * @param {number} page the number of rows visible at once
 * @returns {number | null} null if the key does not move
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
