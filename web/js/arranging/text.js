// An arrangement of rows as a short text, for addresses and the browser's storage: `p1.0,h3.12,hother,a1.3~1.0,d48~heap,fworker`.
//
//     p1.0         pinned, in this order              a1.3~1.0~1.1  after the place of 1.3: 1.0 and 1.1
//     h3.12        hidden                             b1.3~1.0      before it
//     o3.12        only these                         d18           the height of all rows
//     fworker      with this text; the last item      d48~1.0       the height of one row, or of a group's
//
// A track is its kind and its number within the kind, as in its number 2^32·kind + number; a group is its key.

import { DENSITIES, MOST, firstRowsChoice } from "./choice.js";

/** @typedef {import("./choice.js").RowsChoice} RowsChoice */
/** @typedef {import("./choice.js").RowName} RowName */
/** @typedef {import("./choice.js").Density} Density */

/** How many tracks of a kind have numbers. */
const KIND = 2 ** 32;

/** Most characters that are searched for in names. */
const LONGEST = 200;

/** @param {RowName} row */
export function rowText(row) {
    return typeof row === "number" ? `${Math.floor(row / KIND)}.${row % KIND}` : row;
}

/**
 * @param {string} text
 * @returns {RowName | null} null if it is none
 */
export function rowIn(text) {
    if (/^[a-z][a-z_]*$/.test(text)) return text;
    const [, kind, number] = /^(\d{1,3})\.(\d{1,10})$/.exec(text) ?? [];
    const track = Number(kind) * KIND + Number(number);
    return kind !== undefined && Number(kind) < 256 && Number(number) < KIND ? track : null;
}

/**
 * @param {RowsChoice} choice
 * @returns {string} empty for the choice at first
 */
export function textOf({ pinned, hidden, moved, heights, height, text, only }) {
    return [
        ...pinned.map((row) => `p${rowText(row)}`),
        ...hidden.map((row) => `h${rowText(row)}`),
        ...moved.map(({ beside, after, rows }) => `${after ? "a" : "b"}${[beside, ...rows].map(rowText).join("~")}`),
        ...(height === null ? [] : [`d${height}`]),
        ...heights.map(([row, own]) => `d${own}~${rowText(row)}`),
        ...(only ?? []).map((row) => `o${rowText(row)}`),
        ...(text ? [`f${text}`] : []),
    ].join();
}

/**
 * The choice in a text that anybody may have written: what cannot be read is left out.
 * @param {string} written
 * @returns {RowsChoice}
 */
export function choiceIn(written) {
    // The text is the last item, and may have commas.
    const [items, text = ""] = written.split(/(?:^|,)f(.*)$/s);
    /** @type {Record<"p" | "h" | "o", RowName[]>} */
    const rows = { p: [], h: [], o: [] };
    /** @type {import("./choice.js").Moved[]} */
    const moved = [];
    /** @type {Map<RowName, Density>} */
    const heights = new Map();
    /** @type {Density | null} */
    let height = null;
    for (const item of items.split(",").slice(0, MOST)) {
        const [mark, parts] = [item.slice(0, 1), item.slice(1).split("~")];
        const names = parts.map(rowIn);
        if (mark === "p" || mark === "h" || mark === "o") {
            const [row] = names;
            if (row !== null && !rows[mark].includes(row) && (mark !== "p" || typeof row === "number")) rows[mark].push(row);
        } else if (mark === "a" || mark === "b") {
            addMoved(moved, names, mark === "a");
        } else if (mark === "d") {
            const density = DENSITIES.find((one) => String(one) === parts[0]);
            const [, row] = names;
            if (!density) continue;
            if (parts.length === 1) height = density;
            else if (row !== null && row !== undefined) heights.set(row, density);
        }
    }
    return {
        ...firstRowsChoice(),
        // A row is at one place only.
        pinned: /** @type {number[]} */ (rows.p.filter((row) => !rows.h.includes(row))),
        hidden: rows.h,
        moved,
        heights: [...heights],
        height,
        text: text.slice(0, LONGEST),
        only: rows.o.length > 0 ? rows.o : null,
    };
}

/**
 * @param {import("./choice.js").Moved[]} moved
 * @param {(RowName | null)[]} names the row beside which the others are, and those
 * @param {boolean} after
 */
function addMoved(moved, [beside, ...others], after) {
    const known = moved.flatMap(({ rows }) => rows);
    const rows = [...new Set(others.slice(0, MOST))].filter(
        (row) => row !== null && row !== beside && typeof row === typeof beside && !known.includes(row),
    );
    if (beside === null || rows.length === 0) return;
    if (moved.some((one) => one.beside === beside && one.after === after)) return;
    moved.push({ beside, after, rows: /** @type {RowName[]} */ (rows) });
}
