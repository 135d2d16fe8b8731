// The timeline on paper: blocks of rows, each with its names, axis and canvas. A block is never split between two pages.

import { bandsOf } from "../bands.js";
import { AXIS, NO_ROWS } from "../rows.js";
import { Scale } from "./surface.js";
import { fillBands } from "./band-names.js";
import { blocksOf } from "./blocks.js";
import { draw } from "./drawing.js";
import { element } from "../describe.js";
import { headerOf } from "../headers.js";
import { shownOf } from "../state.js";
import { timesOnPage } from "../page-time.js";
import { FONT } from "./canvas.js";

/** @typedef {import("../headers.js").Shown} Row */

/** Fewest device pixels for each CSS pixel: printers are finer than most screens. */
const LEAST_RATIO = 2;

/**
 * Fills an element with some rows, at its full width.
 * @param {HTMLElement} paper
 * @param {Row[]} rows
 * @param {import("../state.js").State} state
 * @param {import("../viewport.js").View} view
 * @param {import("../picture.js").Picture} picture
 */
export function fillPaper(paper, rows, state, view, picture) {
    const width = paper.clientWidth;
    const left = Number.parseFloat(getComputedStyle(paper).getPropertyValue("--header-width"));
    const scale = new Scale(view, left, Math.max(width - left, 1));
    const log = shownOf(state);
    const ownScale = scale.of(log);
    const times = timesOnPage(state, log);
    paper.replaceChildren(
        ...blocksOf(rows).map((block) => blockElement(block, { state, log, picture, times, scale, ownScale, together: rows })),
    );
}

/**
 * @param {Row[]} rows
 * @param {Pick<import("./scene.js").Scene, "state" | "log" | "picture" | "times" | "scale" | "ownScale" | "together">} what
 */
function blockElement(rows, what) {
    const [first, last] = [rows[0], rows[rows.length - 1]];
    const top = first.y - AXIS;
    const height = last.y + last.height - top;
    const { canvas, context } = newCanvas(what.scale.right, height);
    draw({
        ...what,
        context,
        rows,
        stuck: null,
        layout: NO_ROWS,
        top,
        height,
        pointer: null,
        hovered: null,
        printed: true,
    });
    const headers = element("div", { class: "headers" }, ...rows.map((row) => headerWith(row, row.y - top, what.log, what.picture)));
    const block = element("div", { class: "block" }, canvas, headers);
    block.style.height = `${height}px`;
    return block;
}

/**
 * A row's header, with the names of its bands if it has bands.
 * @param {Row} row
 * @param {number} y
 * @param {Pick<import("../state.js").LogState, "bands">} log
 * @param {import("../picture.js").Picture} picture
 */
function headerWith(row, y, { bands }, picture) {
    const header = headerOf(row, y);
    const strip = row.track?.shape === "bands" && picture.strip(row.track.id);
    if (strip) {
        header.classList.add("banded");
        fillBands(header, bandsOf(strip, bands.named), bands, () => {});
    }
    return header;
}

/**
 * @param {number} width in CSS pixels
 * @param {number} height
 */
function newCanvas(width, height) {
    const ratio = Math.max(devicePixelRatio, LEAST_RATIO);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.scale(ratio, ratio);
    context.font = FONT;
    return { canvas, context };
}
