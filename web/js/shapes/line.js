// A line: for each pixel the first, the smallest, the largest and the last value, so that a spike never vanishes and a slope is
// not a staircase of boxes.

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
    context.beginPath();
    for (let pixel = 0; pixel < pixels; pixel++) {
        const high = values[pixel * 4 + 2];
        if (!Number.isNaN(high)) context.rect(x + pixel * step, at(high), step, y + height - at(high));
    }
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = theme.css(role);
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.beginPath();
    let known = false;
    for (let pixel = 0; pixel < pixels; pixel++) {
        const [first, low, high, last] = values.subarray(pixel * 4, pixel * 4 + 4);
        if (Number.isNaN(first)) {
            known = false;
            continue;
        }
        const [left, middle, right] = [x + pixel * step, x + (pixel + 0.5) * step, x + (pixel + 1) * step];
        if (known) context.lineTo(left, at(first));
        else context.moveTo(left, at(first));
        known = true;
        if (low < Math.min(first, last) || high > Math.max(first, last)) {
            context.lineTo(middle, at(high));
            context.lineTo(middle, at(low));
        }
        if (last !== first) context.lineTo(middle, at(last));
        context.lineTo(right, at(last));
    }
    context.stroke();
}
