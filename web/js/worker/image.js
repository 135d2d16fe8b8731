// Strips as an image: made here, for the page has frames to keep up with.

import { stripPixels } from "../paint/strip.js";

/** @typedef {import("../protocol.js").Strip} Strip */
/** @typedef {import("../protocol.js").Painted} Painted */

/** Most pixels of an image: those of many tracks are drawn with fewer levels. */
const MOST = 3 << 20;

/** Most rows of pixels of an image: browsers have a limit of twice that. */
const MOST_ROWS = 16 << 10;

/** Pixels that are made at once: those of all bands together are megabytes, which the browser would collect late. */
const AT_ONCE = 1 << 18;

/** Levels that no strip is without. */
const FEWEST = 4;

/**
 * One by one.
 * @param {import("../protocol.js").Alike[]} tracks
 * @returns {Painted[]}
 */
export function eachOf(tracks) {
    return tracks.flatMap(({ ids, ...alike }) => ids.map((id) => ({ id, ...alike })));
}

/**
 * How many levels the strips of some tracks have: as many as they are high on the screen, if there is room.
 * @param {Painted[]} drawn
 * @param {number} width
 */
export function levelsOf(drawn, width) {
    const high = Math.max(...drawn.map(({ height }) => height));
    return Math.max(FEWEST, Math.min(high, Math.floor(MOST / (width * drawn.length)), Math.floor(MOST_ROWS / drawn.length)));
}

/**
 * A band of pixels for each track that has colours, in their order; null if none has.
 * @param {Map<number, Strip>} tracks
 * @param {Painted[]} painted
 * @param {number} width
 * @param {() => Promise<unknown>} rest lets others work, if it is time
 * @returns {Promise<{ image: ImageBitmap | null, rows: number[], levels: number }>}
 */
export async function imageOf(tracks, painted, width, rest) {
    const drawn = painted.filter(({ id, colours }) => colours.length > 0 && tracks.get(id)?.shares.length);
    const rows = drawn.map(({ id }) => id);
    if (drawn.length === 0) return { image: null, rows, levels: 0 };
    const levels = levelsOf(drawn, width);
    const canvas = new OffscreenCanvas(width, drawn.length * levels);
    const context = canvas.getContext("2d");
    const band = width * levels;
    const together = Math.min(Math.max(1, Math.floor(AT_ONCE / band)), drawn.length);
    const data = new ImageData(width, together * levels);
    const pixels = new Uint32Array(data.data.buffer);
    for (let first = 0; first < drawn.length; first += together) {
        await rest();
        const some = drawn.slice(first, first + together);
        pixels.fill(0);
        some.forEach(({ id, colours, hatched }, row) => {
            const strip = /** @type {Strip} */ (tracks.get(id));
            stripPixels(strip, colours, levels, pixels.subarray(row * band, (row + 1) * band), hatched);
            // The page needs no more of them.
            strip.shares = new Uint8Array();
        });
        context?.putImageData(data, 0, first * levels, 0, 0, width, some.length * levels);
    }
    return { image: canvas.transferToImageBitmap(), rows, levels };
}
