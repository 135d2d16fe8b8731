// Boxes, one for each pixel of a row: neighbours that are alike are one. A path of thousands of corners takes a browser without a
// graphics card tens of times as long.

/**
 * Fills each pixel from one height to another. Boxes begin and end at pixels of the screen: between those that do not, the ground shines
 * through.
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} tops for each pixel; not a number where there is nothing
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
