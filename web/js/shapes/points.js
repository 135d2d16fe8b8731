// Points: a mark for each pixel with any moments in it; the more moments, the higher the mark.

/** Width of a mark, in CSS pixels: a narrower one could not be seen. */
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
        // A single moment has half of the full height, so that it is visible beside many.
        const high = most === 1 ? height : height * (0.5 + (0.5 * (counts[pixel] - 1)) / (most - 1));
        context.fillRect(x + (pixel + 0.5) * step - MARK / 2, y + height - high, Math.max(MARK, step), high);
    }
}
