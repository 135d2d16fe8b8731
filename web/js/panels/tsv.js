// Tables as tab-separated values, for spreadsheets and scripts: plain numbers, with each column's unit in its head.

import { visible } from "../format.js";

/** @typedef {import("../protocol.js").Column} Column */
/** @typedef {import("../protocol.js").Value} Value */

/** The unit of a column's numbers, if its name does not say it. @type {Partial<Record<import("../protocol.js").Unit, string>>} */
const COUNTED = { duration: "ns", bytes: "bytes" };

/** What a spreadsheet takes for the start of a formula, after any spaces, or of a quoted text that goes on into the next cells. */
const STARTS = /^\s*[=+\-@"\uff1d\uff0b\uff0d\uff20]/;

/**
 * @param {Column[]} columns
 * @param {Pick<import("../times.js").Times, "unit">} times
 */
export function tsvHead(columns, times) {
    const counted = (/** @type {Column} */ { unit }) => (unit === "time" ? times.unit : COUNTED[unit]);
    return line(columns.filter(hasWords).map((column) => tsvCell(counted(column) ? `${column.name} (${counted(column)})` : column.name)));
}

/**
 * @param {Column[]} columns
 * @param {Value[]} values
 * @param {Pick<import("../times.js").Times, "cell">} times
 */
export function tsvRow(columns, values, times) {
    return line(columns.flatMap((column, at) => (hasWords(column) ? [cell(column.unit, values[at], times)] : [])));
}

/** Whether a column can be written as text: pictures cannot. @param {Column} column */
function hasWords({ unit }) {
    return unit !== "levels";
}

/** @param {string[]} cells */
function line(cells) {
    return `${cells.join("\t")}\n`;
}

/**
 * @param {import("../protocol.js").Unit} unit
 * @param {Value} value
 * @param {Pick<import("../times.js").Times, "cell">} times
 */
function cell(unit, value, times) {
    if (typeof value === "string") return tsvCell(value);
    if (typeof value !== "number") return "";
    if (unit === "share") return String(value);
    return unit === "time" ? times.cell(value) : String(Math.round(value));
}

/**
 * A text as a cell: no character ends the cell, or makes it anything but text.
 * @param {string} text
 */
export function tsvCell(text) {
    const shown = visible(text);
    return STARTS.test(shown) ? `'${shown}` : shown;
}
