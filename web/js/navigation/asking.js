// What is asked of a log to be selected: each question names the log, and so does the span that is the answer.

import { SELECTION } from "../protocol.js";
import { selectable } from "../describe.js";

/** @typedef {Pick<import("../client.js").Client, "of">} Client */
/** @typedef {import("../state.js").OfLog<import("../protocol.js").Pixel>} Pixel */
/** @typedef {import("../state.js").OfLog<import("../protocol.js").Point>} Point */

/**
 * What is drawn in a pixel.
 * @param {Client} client
 * @param {Pixel} pixel
 */
export async function spanIn(client, { log, ...pixel }) {
    return selectable(await client.of(log).ask("lookUp", { asker: SELECTION, ...pixel }), log);
}

/**
 * What a track shows at a time.
 * @param {Client} client
 * @param {Point} point
 */
export function spanAt(client, { time, ...track }) {
    return spanIn(client, { ...track, from: time, to: time + 1 });
}

/**
 * The first span that begins after a point, or the last one before it.
 * @param {Client} client
 * @param {Point} point
 * @param {boolean} next
 */
export async function spanBeside(client, { log, ...point }, next) {
    return selectable(await client.of(log).ask("neighbour", { ...point, next }), log);
}

/**
 * Who woke a thread up for what it does at a point, or whom it woke up from then on.
 * @param {Client} client
 * @param {Point} point
 * @param {boolean} back
 */
export async function spanWoken(client, { log, ...point }, back) {
    return selectable(await client.of(log).ask("woken", { ...point, back, asker: SELECTION }), log);
}
