// What is drawn on the timeline, and what those who draw it ask of that.

import { AXIS } from "../rows.js";
import { originOnPage } from "../page-time.js";
import { time } from "../format.js";

/** @typedef {import("../headers.js").Shown} Row */

/**
 * What is drawn.
 * @typedef {object} Scene
 * @property {CanvasRenderingContext2D} context
 * @property {import("../state.js").State} state
 * @property {import("../state.js").LogState} log the one that is shown
 * @property {import("../picture.js").Picture} picture
 * @property {import("./surface.js").Scale} scale where which time of the page is
 * @property {import("./surface.js").Scale} ownScale where which time of the log is
 * @property {Row[]} rows those that can be seen
 * @property {Row | null} stuck the heading that stays in sight above them
 * @property {import("../rows.js").Layout} layout where all rows are
 * @property {number} top what is above the view, of all rows
 * @property {number} height the view's
 * @property {number | null} pointer where the pointer is, from the timeline's left edge
 * @property {import("../state.js").OfLog<import("../protocol.js").Pixel> | null} hovered what is under it
 * @property {boolean} printed whether it is for paper, where only some rows of the layout are
 */

/**
 * How much of the view the axis covers, and the heading that stays in sight above a row.
 * @param {Pick<Row, "kind">} row
 * @param {Scene} scene
 */
export function coveredAbove({ kind }, { stuck, top }) {
    return stuck && kind !== "heading" ? stuck.y + stuck.height - top : AXIS;
}

/**
 * A time of the page as the axis has it.
 * @param {Scene} scene
 * @param {number} at
 * @param {number} fine the difference that it must tell
 */
export function timeText({ log }, at, fine) {
    return time(at - originOnPage(log), 10 ** Math.floor(Math.log10(Math.max(fine, 1))));
}
