// The image of a picture: the height of its bands and the colours of each. It is painted in wasm, here, so that the page does not miss
// frames.

/** @typedef {import("../wishes.js").Painted} Painted */

/** Most pixels of an image: with many tracks, each gets fewer levels. */
const MOST = 3 << 20;

/** Most rows of pixels of an image: browsers have a limit of twice that. */
const MOST_ROWS = 16 << 10;

/** Fewest levels of a strip. */
const FEWEST = 4;

/** The tracks one by one.
 * @param {import("../wishes.js").Alike[]} tracks
 * @returns {Painted[]}
 */
export function eachOf(tracks) {
    return tracks.flatMap(({ ids, ...alike }) => ids.map((id) => ({ id, ...alike })));
}

/**
 * The number of levels of the tracks' strips: their height on the screen in pixels, if there is room.
 * @param {Painted[]} drawn
 * @param {number} width
 */
export function levelsOf(drawn, width) {
    const high = Math.max(...drawn.map(({ height }) => height));
    return Math.max(FEWEST, Math.min(high, Math.floor(MOST / (width * drawn.length)), Math.floor(MOST_ROWS / drawn.length)));
}

/**
 * The colours of a track's states in the form that wasm takes: four bytes each.
 * @param {Painted["colours"]} colours
 */
export function bytesOf(colours) {
    return Uint8Array.from(colours.flatMap((colour) => [...colour, 255]));
}
