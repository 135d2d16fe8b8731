// The image of a picture: how high its bands are, and what each is painted with. The painting is done in wasm, since the page has frames to
// keep up with.

/** @typedef {import("../protocol.js").Painted} Painted */

/** Most pixels of an image: those of many tracks are drawn with fewer levels. */
const MOST = 3 << 20;

/** Most rows of pixels of an image: browsers have a limit of twice that. */
const MOST_ROWS = 16 << 10;

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
 * The colours of a track's states as wasm takes them: four bytes each.
 * @param {Painted["colours"]} colours
 */
export function bytesOf(colours) {
    return Uint8Array.from(colours.flatMap((colour) => [...colour, 255]));
}
