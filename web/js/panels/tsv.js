// Tables as tab-separated values, for spreadsheets and scripts: plain numbers, with each column's unit in its head.

import { visible } from "../format.js";

/** @typedef {import("../protocol.js").Column} Column */
/** @typedef {import("../protocol.js").Value} Value */

/** The unit of a column's numbers, if its name does not say it. @type {Partial<Record<import("../protocol.js").Unit, string>>} */
const COUNTED = { time: "ns", duration: "ns", bytes: "bytes" };

/** What a spreadsheet takes for the start of a formula, after any spaces, or of a quoted text that goes on into the next cells. */
const STARTS = /^\s*[=+\-@"\uff1d\uff0b\uff0d\uff20]/;

/** @param {Column[]} columns */
export function tsvHead(columns) {
    return line(columns.filter(hasWords).map(({ name, unit }) => tsvCell(COUNTED[unit] ? `${name} (${COUNTED[unit]})` : name)));
}

/**
 * @param {Column[]} columns
 * @param {Value[]} values
 * @param {number} origin the time written as 0
 */
export function tsvRow(columns, values, origin) {
    return line(columns.flatMap((column, at) => (hasWords(column) ? [cell(column.unit, values[at], origin)] : [])));
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
 * @param {number} origin
 */
function cell(unit, value, origin) {
    if (typeof value === "string") return tsvCell(value);
    if (typeof value !== "number") return "";
    if (unit === "share") return String(value);
    return String(Math.round(unit === "time" ? value - origin : value));
}

/**
 * A text as a cell: no character ends the cell, or makes it anything but text.
 * @param {string} text
 */
export function tsvCell(text) {
    const shown = visible(text);
    return STARTS.test(shown) ? `'${shown}` : shown;
}
