// A level between 0 and 1, filled from below; where it is known it has a background.

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../protocol.js").Strip} strip its first state is the level; all its states together are the share that is known
 * @param {{ x: number, y: number, width: number, height: number }} box the place of the whole strip
 * @param {string} colour
 * @param {string} ground
 */
export function paintLevel(context, { shares, states }, { x, y, width, height }, colour, ground) {
    const pixels = shares.length / Math.max(states, 1);
    const step = width / Math.max(pixels, 1);
    const bottom = y + height;
    const levels = new Float32Array(pixels);
    for (let at = 0; at < pixels; at++) levels[at] = levelOf(shares, at * states, states);
    context.fillStyle = ground;
    for (let from = 0; from < pixels; from++) {
        let to = from;
        while (to < pixels && levels[to] >= 0) to++;
        if (to > from) context.fillRect(x + from * step, y, (to - from) * step, height);
        from = to;
    }
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x, bottom);
    for (let at = 0; at < pixels; at++) {
        const top = bottom - Math.max(levels[at], 0) * height;
        context.lineTo(x + at * step, top);
        context.lineTo(x + (at + 1) * step, top);
    }
    context.lineTo(x + width, bottom);
    context.fill();
}

/**
 * The level in a pixel: -1 where nothing is known.
 * @param {Uint8Array} shares
 * @param {number} first the index of the pixel's first state
 * @param {number} states
 */
function levelOf(shares, first, states) {
    let known = 0;
    for (let at = first; at < first + states; at++) known += shares[at];
    return known > 0 ? shares[first] / known : -1;
}
