// Asks a log for something to select: each question names the log, and so does the span in the answer.

import { SELECTION } from "../protocol.js";
import { selectable } from "../describe.js";

/** @typedef {Pick<import("../client.js").Client, "of">} Client */
/** @typedef {import("../state.js").OfLog<import("../wishes.js").Pixel>} Pixel */
/** @typedef {import("../state.js").OfLog<import("../wishes.js").Point>} Point */

/**
 * Asks what is drawn in a pixel.
 * @param {Client} client
 * @param {Pixel} pixel
 */
export async function spanIn(client, { log, ...pixel }) {
    return selectable(await client.of(log).ask("lookUp", { asker: SELECTION, ...pixel }), log);
}

/**
 * Asks what a track shows at a time.
 * @param {Client} client
 * @param {Point} point
 */
export function spanAt(client, { time, ...track }) {
    return spanIn(client, { ...track, from: time, to: time + 1 });
}

/**
 * Asks for the first span that begins after a point, or the last one that begins before it.
 * @param {Client} client
 * @param {Point} point
 * @param {boolean} next
 */
export async function spanBeside(client, { log, ...point }, next) {
    return selectable(await client.of(log).ask("neighbour", { ...point, next }), log);
}

/**
 * Asks which thread woke up the one at a point, or which thread that one woke up after it.
 * @param {Client} client
 * @param {Point} point
 * @param {boolean} back
 */
export async function spanWoken(client, { log, ...point }, back) {
    return selectable(await client.of(log).ask("woken", { ...point, back, asker: SELECTION }), log);
}
