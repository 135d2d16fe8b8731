// Points: moments, a mark for each pixel that has any; the more there are in it, the higher it is.

/** Width of a mark, in CSS pixels: what is narrower cannot be seen. */
const MARK = 2;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../protocol.js").Strip} strip
 * @param {import("./index.js").Area} area
 * @param {import("../protocol.js").Track} track
 * @param {import("../theme.js").Theme} theme
 */
export function paintPoints(context, { counts }, { x, y, width, height }, { role = "accent" }, theme) {
    const step = width / Math.max(counts.length, 1);
    const most = counts.reduce((most, count) => Math.max(most, count), 1);
    context.fillStyle = theme.css(role);
    for (let pixel = 0; pixel < counts.length; pixel++) {
        if (counts[pixel] === 0) continue;
        // One is half as high as the most: it must be seen beside them.
        const high = most === 1 ? height : height * (0.5 + (0.5 * (counts[pixel] - 1)) / (most - 1));
        context.fillRect(x + (pixel + 0.5) * step - MARK / 2, y + height - high, Math.max(MARK, step), high);
    }
}
