// A line: for each pixel the first, the smallest, the largest and the last value, so that a spike never vanishes.

/** How thick it is, in CSS pixels. */
const LINE = 1.5;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../protocol.js").Strip} strip
 * @param {import("./index.js").Area} area
 * @param {import("../protocol.js").Track} track
 * @param {import("../theme.js").Theme} theme
 */
export function paintLine(context, { values }, { x, y, width, height }, { scale, role = "accent" }, theme) {
    const pixels = values.length / 4;
    const step = width / Math.max(pixels, 1);
    const most = Math.max(scale?.most ?? 0, 1);
    // Half a line's width stays free, or the largest and the smallest would be cut.
    const at = (/** @type {number} */ value) => y + height - 1 - (value / most) * (height - 2);
    context.fillStyle = theme.css(role);
    context.globalAlpha = 0.25;
    fillRuns(context, pixels, x, step, (pixel) => {
        const high = values[pixel * 4 + 2];
        return Number.isNaN(high) ? null : [at(high), y + height];
    });
    context.globalAlpha = 1;
    // The line as upright pieces, each from the smallest to the largest value of a pixel, and to where the one before it ended: a
    // path of thousands of corners takes a browser without a graphics card tens of times as long.
    let before = NaN;
    fillRuns(context, pixels, x, step, (pixel) => {
        const [first, low, high, last] = values.subarray(pixel * 4, pixel * 4 + 4);
        const from = Number.isNaN(before) ? first : before;
        before = last;
        return Number.isNaN(first) ? null : [at(Math.max(high, from)) - LINE / 2, at(Math.min(low, from)) + LINE / 2];
    });
}

/**
 * Fills each pixel from one height to another; neighbours that are alike as one.
 * @param {CanvasRenderingContext2D} context
 * @param {number} pixels
 * @param {number} x
 * @param {number} step a pixel's width
 * @param {(pixel: number) => [top: number, bottom: number] | null} heights asked for one pixel after the other
 */
function fillRuns(context, pixels, x, step, heights) {
    let [from, top, bottom] = [0, NaN, NaN];
    for (let pixel = 0; pixel <= pixels; pixel++) {
        const [newTop, newBottom] = (pixel < pixels && heights(pixel)) || [NaN, NaN];
        if (newTop === top && newBottom === bottom) continue;
        if (!Number.isNaN(top)) context.fillRect(x + from * step, top, (pixel - from) * step, bottom - top);
        [from, top, bottom] = [pixel, newTop, newBottom];
    }
}
