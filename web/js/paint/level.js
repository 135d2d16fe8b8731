// A level between 0 and 1, filled from below.

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Uint8Array} shares one for each pixel of the strip
 * @param {{ x: number, y: number, width: number, height: number }} box where the whole strip goes
 * @param {string} colour
 */
export function paintLevel(context, shares, { x, y, width, height }, colour) {
    const step = width / Math.max(shares.length, 1);
    const bottom = y + height;
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x, bottom);
    for (let at = 0; at < shares.length; at++) {
        const level = bottom - (shares[at] / 255) * height;
        context.lineTo(x + at * step, level);
        context.lineTo(x + (at + 1) * step, level);
    }
    context.lineTo(x + width, bottom);
    context.fill();
}
