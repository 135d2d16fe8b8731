// Strips as an image: made here, for the page has frames to keep up with.

import { stripPixels } from "../paint/strip.js";

/** @typedef {import("../protocol.js").Strip} Strip */
/** @typedef {import("../protocol.js").Painted} Painted */

/**
 * One row of pixels for each track that has colours, in their order; null if none has.
 * @param {Map<number, Strip>} tracks
 * @param {Painted[]} painted
 * @param {number} width
 * @returns {{ image: ImageBitmap | null, rows: number[] }}
 */
export function imageOf(tracks, painted, width) {
    const drawn = painted.filter(({ id, colours }) => colours.length > 0 && tracks.get(id)?.shares.length);
    const rows = drawn.map(({ id }) => id);
    if (drawn.length === 0) return { image: null, rows };
    const pixels = new ImageData(width, drawn.length);
    drawn.forEach(({ id, colours }, row) => {
        const strip = /** @type {Strip} */ (tracks.get(id));
        stripPixels(strip, colours, pixels.data.subarray(row * width * 4, (row + 1) * width * 4));
        // The page needs no more of them.
        strip.shares = new Uint8Array();
    });
    const canvas = new OffscreenCanvas(width, drawn.length);
    canvas.getContext("2d")?.putImageData(pixels, 0, 0);
    return { image: canvas.transferToImageBitmap(), rows };
}
