// Bands, stacked or as lines: each band has one value for each pixel.

import { bandsOf, eachLevel } from "../bands.js";
import { fillRuns } from "../paint/runs.js";
import { larger } from "./known.js";

/** How thick a line is, in CSS pixels. */
const LINE = 1.5;

/** Least width of a single census, in CSS pixels, so that it is visible. */
const NARROWEST = 2;

/** How pale bands are that are not under the pointer. */
const PALE = 0.35;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../protocol.js").Strip} strip
 * @param {import("./index.js").Area} area
 * @param {import("./index.js").Drawn} track
 * @param {import("../theme.js").Theme} theme
 */
export function paintBands(context, strip, { x, y, width, height }, { scale, bands: choice }, theme) {
    if (!choice) return;
    const { drawn, lifted } = choice;
    const bands = bandsOf(strip, choice.named);
    const pixels = pixelsOfBands(strip);
    const step = width / Math.max(pixels, 1);
    const most = Math.max(scale?.most || 0, Number.MIN_VALUE);
    const [lows, highs] = levelsOf(strip, bands.length, pixels, choice, most);
    const [tops, bottoms] = [new Float32Array(pixels), new Float32Array(pixels)];
    bands.forEach(({ id, role }, band) => {
        const [low, high] = [lows, highs].map((levels) => levels.subarray(band * pixels, (band + 1) * pixels));
        if (drawn === "lines") lineOf(high, { y, height }, tops, bottoms);
        else areaOf(low, high, { y, height }, tops, bottoms);
        context.fillStyle = theme.css(role);
        context.globalAlpha = lifted === null || lifted === id ? 1 : PALE;
        fillRuns(context, tops, bottoms, x, step);
        if (step < NARROWEST) widen(context, tops, bottoms, x, step);
    });
    context.globalAlpha = 1;
}

/**
 * The bottom and top of each band.
 * @param {import("../protocol.js").Strip} strip
 * @param {number} bands
 * @param {number} pixels
 * @param {Pick<import("../bands.js").BandsChoice, "drawn" | "only">} choice
 * @param {number} most
 */
function levelsOf({ values, counts }, bands, pixels, choice, most) {
    const [lows, highs] = [new Float32Array(bands * pixels), new Float32Array(bands * pixels)];
    for (let pixel = 0; pixel < pixels; pixel++) {
        eachLevel(values.subarray(pixel * bands, (pixel + 1) * bands), counts, choice, most, (band, low, high) => {
            lows[band * pixels + pixel] = low;
            highs[band * pixels + pixel] = high;
        });
    }
    return [lows, highs];
}

/**
 * In whole pixels of the screen: then many neighbours are equal, and two bands meet without a gap.
 * @param {Float32Array} low
 * @param {Float32Array} high
 * @param {{ y: number, height: number }} row
 * @param {Float32Array} tops
 * @param {Float32Array} bottoms
 */
function areaOf(low, high, { y, height }, tops, bottoms) {
    const fine = globalThis.devicePixelRatio ?? 1;
    const at = (/** @type {number} */ level) => y + Math.round((1 - level) * height * fine) / fine;
    for (let pixel = 0; pixel < tops.length; pixel++) {
        const empty = !(high[pixel] > low[pixel]);
        tops[pixel] = empty ? NaN : at(high[pixel]);
        bottoms[pixel] = at(low[pixel]);
    }
}

/**
 * As a line of vertical pieces, each to where the one before it ended.
 * @param {Float32Array} levels
 * @param {{ y: number, height: number }} row
 * @param {Float32Array} tops
 * @param {Float32Array} bottoms
 */
function lineOf(levels, { y, height }, tops, bottoms) {
    let before = NaN;
    for (let pixel = 0; pixel < tops.length; pixel++) {
        const level = levels[pixel];
        const from = Number.isNaN(before) ? level : before;
        const at = (/** @type {number} */ level) => y + height - 1 - level * (height - 2);
        tops[pixel] = at(Math.max(level, from)) - LINE / 2;
        bottoms[pixel] = at(Math.min(level, from)) + LINE / 2;
        before = level;
    }
}

/**
 * Widens a value that is alone in its pixel, so that it is visible.
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} tops
 * @param {Float32Array} bottoms
 * @param {number} x
 * @param {number} step
 */
function widen(context, tops, bottoms, x, step) {
    for (let at = 0; at < tops.length; at++) {
        if (Number.isNaN(tops[at]) || !isNone(tops[at - 1]) || !isNone(tops[at + 1])) continue;
        context.fillRect(x + (at + 0.5) * step - NARROWEST / 2, tops[at], NARROWEST, bottoms[at] - tops[at]);
    }
}

/** @param {number | undefined} top */
function isNone(top) {
    return top === undefined || Number.isNaN(top);
}

/**
 * The largest value drawn in some pixels; NaN if none is known. It is the sum of all bands, or the largest band if they are lines or one is alone.
 * @param {import("../protocol.js").Strip} strip
 * @param {number} first
 * @param {number} end
 * @param {import("./index.js").Drawn} track
 */
export function mostOfBands({ values, counts }, first, end, { bands: choice }) {
    if (!choice) return NaN;
    const { drawn, only } = choice;
    let most = NaN;
    for (let pixel = first; pixel < end; pixel++) {
        let [sum, largest] = [0, NaN];
        for (let band = 0; band < counts.length; band++) {
            const value = values[pixel * counts.length + band];
            if (only !== null && counts[band] !== only) continue;
            sum += value;
            largest = larger(largest, value);
        }
        most = larger(most, drawn === "lines" ? largest : sum);
    }
    return most;
}

/** @param {import("../protocol.js").Strip} strip */
export function pixelsOfBands({ values, counts }) {
    return counts.length > 0 ? values.length / counts.length : 0;
}

/**
 * The value at the row's top; NaN if it depends on what is drawn, and nothing is known of that.
 * @param {import("./index.js").Drawn} track
 * @param {import("../scaling.js").Scaling} scaling
 * @param {import("./index.js").Most} most
 */
export function scaleOfBands({ scale, bands: choice }, scaling, { ofView, ofLog }) {
    if (!scale || choice?.drawn === "share") return { most: 1, unit: /** @type {const} */ ("share") };
    // The largest sum of all bands is known even if not all censuses are in the picture.
    if (scaling === "view") return { ...scale, most: Math.round(ofView()) };
    if (choice?.drawn === "stacked" && choice.only === null) return scale;
    return { ...scale, most: Math.round(ofLog()) };
}
