// Names: at any time one of many, or none. Names with room are written; names of one module have the same colour, as in a flame graph.

import { REST } from "../paint/named.js";
import { paintText } from "../paint/spans.js";

/** Least width of a stretch with a name, in CSS pixels. */
const ROOM = 18;

/** Between a name and the edge of its stretch. */
const PADDING = 4;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("../protocol.js").Strip} strip
 * @param {import("./index.js").Area} area
 * @param {import("./index.js").Drawn} track
 * @param {import("../theme.js").Theme} theme
 */
export function paintNames(context, { counts, texts }, { x, y, width, height, ...seen }, { modules }, theme) {
    const step = width / Math.max(counts.length, 1);
    const fine = globalThis.devicePixelRatio ?? 1;
    const edge = (/** @type {number} */ pixel) => Math.round((x + pixel * step) * fine) / fine;
    context.textBaseline = "middle";
    for (let from = 0, to; from < counts.length; from = to) {
        to = from + 1;
        while (to < counts.length && counts[to] === counts[from]) to++;
        if (counts[from] === 0) continue;
        const [name, module] = texts.slice(2 * counts[from] - 2, 2 * counts[from]);
        const role = (module && modules?.of(module)) || REST;
        const [left, right] = [Math.max(edge(from), seen.left), Math.min(edge(to), seen.right)];
        if (right < left) continue;
        context.fillStyle = theme.css(role);
        context.fillRect(left, y, Math.max(right - left, 1 / fine), height);
        if (right - left < ROOM) continue;
        // A hairline separates neighbours of the same colour.
        context.fillStyle = theme.css("background");
        context.fillRect(right - 0.5, y, 0.5, height);
        context.fillStyle = theme.textOn(role);
        paintText(context, name, left + PADDING, y + height / 2 + 0.5, right - left - 2 * PADDING);
    }
}
