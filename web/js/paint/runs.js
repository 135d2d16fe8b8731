// Boxes, one for each pixel of a row; equal neighbours become one box. One path with thousands of corners would take a browser without a
// graphics card tens of times as long.

/**
 * Fills each pixel from one height to another. Boxes must begin and end at whole pixels of the screen, or the background shows between
 * them.
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} tops for each pixel; NaN where there is nothing
 * @param {Float32Array} bottoms
 * @param {number} x
 * @param {number} step a pixel's width
 */
export function fillRuns(context, tops, bottoms, x, step) {
    const fine = globalThis.devicePixelRatio ?? 1;
    const edge = (/** @type {number} */ pixel) => Math.round((x + pixel * step) * fine) / fine;
    const pixels = tops.length;
    for (let from = 0, to; from < pixels; from = to) {
        to = from + 1;
        while (to < pixels && tops[to] === tops[from] && bottoms[to] === bottoms[from]) to++;
        if (Number.isNaN(tops[from])) continue;
        const left = edge(from);
        context.fillRect(left, tops[from], Math.max(edge(to) - left, 1 / fine), bottoms[from] - tops[from]);
    }
}
