// Where each track's row is, from top to bottom.

import { SHAPES } from "./shapes/index.js";

/** @typedef {import("./protocol.js").Track} Track */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {Track | null} track none for a heading
 * @property {number} y from the first row's top, in CSS pixels
 * @property {number} height
 * @property {string} [note] a heading's
 */

export const AXIS = 26;
const HEADING = 24;

/** Few rows grow to fill the room that there is: by no more than this each. */
const MOST_GROWN = 66;

/**
 * How high a track is drawn, in CSS pixels.
 * @param {Track} track
 * @param {number} grown by how much each row is higher than it need be
 */
export function drawnHeight({ shape }, grown) {
    return SHAPES[shape].height + grown - 2 * INSET;
}

/** Space between a row's edge and what is drawn in it. */
export const INSET = 4;

/**
 * The rows of some tracks. Tracks of one group stand under its name, unless that is all there is to say.
 * @param {Track[]} tracks
 * @param {number} [room] the height that there is for them
 * @returns {{ rows: Row[], height: number, grown: number }}
 */
export function rowsOf(tracks, room = 0) {
    const { rows, height } = rowsWith(tracks, 0);
    const grown = Math.floor(Math.min(Math.max(room - height, 0) / Math.max(tracks.length, 1), MOST_GROWN));
    return grown > 0 ? { ...rowsWith(tracks, grown), grown } : { rows, height, grown };
}

/**
 * @param {Track[]} tracks
 * @param {number} grown
 */
function rowsWith(tracks, grown) {
    /** @type {Row[]} */
    const rows = [];
    let y = AXIS;
    let group = "";
    /** @param {Omit<Row, "y">} row */
    const add = (row) => {
        rows.push({ ...row, y });
        y += row.height;
    };
    for (const track of tracks) {
        if (track.group !== group && track.group !== track.name) {
            const size = tracks.filter((other) => other.group === track.group).length;
            add({ name: track.group, track: null, height: HEADING, note: size > 1 ? String(size) : "" });
        }
        group = track.group;
        add({ name: track.name, track, height: SHAPES[track.shape].height + grown });
    }
    return { rows, height: y };
}

/**
 * The row at a height; none above the first or below the last.
 * @param {Row[]} rows
 * @param {number} y
 */
export function rowAt(rows, y) {
    return rows.find((row) => y >= row.y && y < row.y + row.height) ?? null;
}

/**
 * The rows between two heights.
 * @param {Row[]} rows
 * @param {number} top
 * @param {number} bottom
 */
export function rowsBetween(rows, top, bottom) {
    return rows.filter((row) => row.y < bottom && row.y + row.height > top);
}
