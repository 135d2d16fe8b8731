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
    const scaled = (height - 2) / most;
    const bottom = y + height - 1;
    const [tops, bottoms] = [new Float32Array(pixels), new Float32Array(pixels)];
    for (let pixel = 0; pixel < pixels; pixel++) {
        tops[pixel] = bottom - values[pixel * 4 + 2] * scaled;
        bottoms[pixel] = y + height;
    }
    context.fillStyle = theme.css(role);
    context.globalAlpha = 0.25;
    fillRuns(context, tops, bottoms, x, step);
    context.globalAlpha = 1;
    // The line as upright pieces, each from the smallest to the largest value of a pixel, and to where the one before it ended: a
    // path of thousands of corners takes a browser without a graphics card tens of times as long.
    let before = NaN;
    for (let pixel = 0; pixel < pixels; pixel++) {
        const at = pixel * 4;
        // What is not known is no number, and neither is what comes of it.
        const from = Number.isNaN(before) ? values[at] : before;
        tops[pixel] = bottom - Math.max(values[at + 2], from) * scaled - LINE / 2;
        bottoms[pixel] = bottom - Math.min(values[at + 1], from) * scaled + LINE / 2;
        before = values[at + 3];
    }
    fillRuns(context, tops, bottoms, x, step);
}

/**
 * Fills each pixel from one height to another; neighbours that are alike as one.
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} tops for each pixel; not a number where there is nothing
 * @param {Float32Array} bottoms
 * @param {number} x
 * @param {number} step a pixel's width
 */
function fillRuns(context, tops, bottoms, x, step) {
    const pixels = tops.length;
    for (let from = 0, to; from < pixels; from = to) {
        to = from + 1;
        while (to < pixels && tops[to] === tops[from] && bottoms[to] === bottoms[from]) to++;
        if (!Number.isNaN(tops[from])) context.fillRect(x + from * step, tops[from], (to - from) * step, bottoms[from] - tops[from]);
    }
}
