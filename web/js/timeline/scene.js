// A scene: everything needed to draw the timeline and its overlays.

import { AXIS } from "../rows.js";

/** @typedef {import("../headers.js").Shown} Row */

/** Everything needed to draw.
 * @typedef {object} Scene
 * @property {CanvasRenderingContext2D} context
 * @property {import("../state.js").State} state
 * @property {import("../state.js").LogState} log the log on the screen
 * @property {import("../picture.js").Picture} picture
 * @property {import("../times.js").Times} times how times on the page's axis are written
 * @property {import("./surface.js").Scale} scale of the page's time
 * @property {import("./surface.js").Scale} ownScale of the log's own time
 * @property {Row[]} rows the visible ones
 * @property {Row[]} together those whose lines of one unit have one scale: the visible ones, or all on the sheet of paper
 * @property {Row | null} stuck the heading that stays in view above them
 * @property {import("../rows.js").Layout} layout the places of all rows
 * @property {number} top the height of the rows above the view
 * @property {number} height of the view
 * @property {number | null} pointer the pointer's distance from the timeline's left edge
 * @property {import("../state.js").OfLog<import("../wishes.js").Pixel> | null} hovered the pixel under the pointer
 * @property {boolean} printed whether it is for paper, where a canvas has only some rows of the layout
 */

/**
 * The height that is covered by the axis, and above a row that scrolls also by the pinned rows and by the heading that stays in view.
 * @param {Pick<Row, "kind" | "pinned">} row
 * @param {Pick<Scene, "stuck" | "layout" | "top">} scene
 */
export function coveredAbove({ kind, pinned }, { stuck, layout, top }) {
    if (pinned) return AXIS;
    return stuck && kind !== "heading" ? stuck.y + stuck.height - top : layout.head;
}

/**
 * A time of the page as text for the axis.
 * @param {Scene} scene
 * @param {number} at
 * @param {number} fine the difference that must be visible in the text
 */
export function timeText({ times }, at, fine) {
    return times.text(at, 10 ** Math.floor(Math.log10(Math.max(fine, 1))));
}
