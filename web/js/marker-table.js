// Asks for the program's markers: they are rows of a table, see `facts/tables/markers.rs`.

import { visible } from "./format.js";

/** @typedef {{ time: number, text: string, ofSpan: boolean }} Marker its time is the log's own; `ofSpan`: it begins or ends a span */

/** The table with each marker, and the one with each text. */
export const MARKER_TABLE = "marker_list";
export const TEXT_TABLE = "markers";

/**
 * Whether a log has markers.
 * @param {import("./protocol.js").LogInfo | null} log
 */
export function hasMarkers(log) {
    return log?.facts.sections.some(({ tables }) => tables.some(({ key }) => key === MARKER_TABLE)) ?? false;
}

/**
 * Asks for markers between two times of a log.
 * @param {import("./shown-log.js").ShownLog} log
 * @param {{ from: number, to: number, filter: string, down?: boolean, count: number }} wish `filter`: only those with this text; `down`: the
 *     last ones first
 * @returns {Promise<{ found: Marker[], all: number, areAllKept: boolean } | null>} `all`: how many there are, at least those that were
 *     found; `areAllKept`: whether the table has all of the log's. Null if it is not known
 */
export async function markersWithin(log, { from, to, filter, down = false, count }) {
    const within = { column: "time_ns", from, to };
    const page = await log.ask("table", { table: MARKER_TABLE, sort: "time_ns", down, filter, within, from: 0, count });
    if (!page) return null;
    const found = page.rows.flatMap(([, text, , span], at) => {
        const time = page.times[at];
        return time === null ? [] : [{ time, text: visible(String(text ?? "")), ofSpan: Boolean(span) }];
    });
    // The filter finds what any cell has.
    const isWanted = (/** @type {Marker} */ { text }) => text.toLowerCase().includes(filter.toLowerCase());
    return { found: found.filter(isWanted), all: page.found, areAllKept: page.kept >= page.of };
}
