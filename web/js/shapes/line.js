// A line: for each pixel the first, the smallest, the largest and the last value, so that a spike never vanishes; and points, where there
// is too little for a line.

import { fillRuns } from "../paint/runs.js";
import { larger } from "./known.js";
import { paintPoints } from "./points.js";

/** Its thickness, in CSS pixels. */
const LINE = 1.5;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../protocol.js").Strip} strip
 * @param {import("./index.js").Area} area
 * @param {import("../protocol.js").Track} track
 * @param {import("../theme.js").Theme} theme
 */
export function paintLine(context, strip, area, track, theme) {
    const { values, counts } = strip;
    const { x, y, width, height } = area;
    const { scale, role = "accent" } = track;
    // What is too few for a rate is drawn as points.
    if (counts.some((count) => count > 0)) paintPoints(context, strip, area, track, theme);
    const pixels = values.length / 4;
    const step = width / Math.max(pixels, 1);
    const below = scale?.below ?? 0;
    const most = Math.max((scale?.most || 0) + below, 1);
    // Half a line's width stays free at top and bottom, so that the line is not cut there.
    const scaled = (height - 2) / most;
    const bottom = y + height - 1 - below * scaled;
    const [tops, bottoms] = [new Float32Array(pixels), new Float32Array(pixels)];
    for (let pixel = 0; pixel < pixels; pixel++) {
        tops[pixel] = bottom - values[pixel * 4 + 2] * scaled;
        bottoms[pixel] = y + height;
    }
    context.fillStyle = theme.css(role);
    context.globalAlpha = 0.25;
    fillRuns(context, tops, bottoms, x, step);
    context.globalAlpha = 1;
    // The line consists of vertical pieces, each from the smallest to the largest value of a pixel, extended to where the one before it
    // ended.
    let before = NaN;
    for (let pixel = 0; pixel < pixels; pixel++) {
        const at = pixel * 4;
        // An unknown value is NaN, and so is anything computed from it.
        const from = Number.isNaN(before) ? values[at] : before;
        tops[pixel] = bottom - Math.max(values[at + 2], from) * scaled - LINE / 2;
        bottoms[pixel] = bottom - Math.min(values[at + 1], from) * scaled + LINE / 2;
        before = values[at + 3];
    }
    fillRuns(context, tops, bottoms, x, step);
}

/**
 * The largest value in some pixels; NaN if none is known.
 * @param {import("../protocol.js").Strip} strip
 * @param {number} first
 * @param {number} end
 */
export function mostOfLine({ values }, first, end) {
    let most = NaN;
    for (let pixel = first; pixel < end; pixel++) most = larger(most, values[pixel * 4 + 2]);
    return most;
}

/** @param {import("../protocol.js").Strip} strip */
export function pixelsOfLine({ values }) {
    return values.length / 4;
}

/**
 * The value at the row's top; NaN if none is known in view, and the line is scaled to that.
 * @param {import("../protocol.js").Track} track
 * @param {import("../scaling.js").Scaling} scaling
 * @param {import("./index.js").Most} most
 */
export function scaleOfLine({ scale = { most: 0, unit: "count" } }, scaling, { ofView, ofUnit }) {
    if (scaling === "view") return { ...scale, most: Math.round(ofView()) };
    if (scaling === "unit") return { ...scale, most: ofUnit(scale.unit) };
    return scaling === "log" ? { ...scale, most: scale.alike ?? scale.most } : scale;
}
