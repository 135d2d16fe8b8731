// Hatching: time about which the log says nothing.

/** Distance of two lines, in CSS pixels. */
const APART = 6;

/** @type {Map<string, CanvasPattern>} */
const patterns = new Map();

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 */
function patternOf(context, colour) {
    const known = patterns.get(colour);
    if (known) return known;
    const tile = document.createElement("canvas");
    tile.width = tile.height = APART;
    const inside = tile.getContext("2d");
    if (!inside) return null;
    inside.fillStyle = colour;
    // Pixel by pixel, so that the lines have exactly this colour, not a mix at their edges.
    for (let at = 0; at < APART; at++) inside.fillRect(at, APART - 1 - at, 1, 1);
    const pattern = context.createPattern(tile, "repeat");
    if (pattern) patterns.set(colour, pattern);
    return pattern;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {{ x: number, y: number, width: number, height: number }} box
 */
export function paintHatch(context, colour, { x, y, width, height }) {
    const pattern = patternOf(context, colour);
    if (!pattern || width <= 0) return;
    context.fillStyle = pattern;
    context.fillRect(x, y, width, height);
}
