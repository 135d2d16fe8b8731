// The evidence of the chosen finding: a frame around each stretch of time on its track, or on all capabilities if it has none; all else is a
// little paler. The piece that is shown has a thicker frame, and says what it is.

import { addOverlay } from "./overlay.js";
import { coveredAbove } from "../timeline/scene.js";
import { CAPABILITIES, chosenOf } from "../navigation/evidence.js";
import { paintVeil } from "../paint/veil.js";
import { PILL, paintPill, pillWidth } from "../paint/pill.js";
import { fit } from "../paint/spans.js";
import { AXIS, drawnIn } from "../rows.js";
import { duration, visible } from "../format.js";

/** @typedef {import("../timeline/scene.js").Scene} Scene */
/** @typedef {import("../timeline/scene.js").Row} Row */
/** @typedef {import("../findings.js").Evidence} Evidence */

/** Findings of this kind are about what the log has of everything, not about what capabilities did. */
const OF_EVERYTHING = new Set(["class-paused"]);

/** How pale the rest is. */
const PALE = 0.4;

/** The least width of a frame, in CSS pixels: a short stretch must be found. */
const LEAST = 4;

/** Distance of the text from the shown piece, in CSS pixels. */
const GAP = 3;

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

addOverlay({
    key: "evidence",
    draw(scene) {
        const found = chosenOf(scene.state);
        if (!found || scene.state.shown !== scene.log.number) return;
        const { finding, at } = found;
        const placed = finding.evidence.map((piece) => ({ piece, boxes: boxesOf(piece, scene, OF_EVERYTHING.has(finding.id)) }));
        if (placed.length === 0) return;
        drawVeil(
            placed.flatMap(({ boxes }) => boxes),
            scene,
        );
        placed.forEach(({ boxes }, index) => {
            if (index !== at) for (const box of boxes) drawFrame(box, 1, scene);
        });
        const { piece, boxes } = placed[at];
        for (const box of boxes) drawFrame(box, 2, scene);
        const lowest = boxes.at(-1);
        if (lowest) drawText(`${placed.length > 1 ? `${at + 1} of ${placed.length} · ` : ""}${textOf(piece)}`, lowest, scene);
    },
});

/** @param {Evidence} piece */
function textOf({ label, from, to }) {
    const text = visible(label);
    return text || duration(to - from);
}

/**
 * The rows that a piece of evidence is about: those of its tracks; of all capabilities if it has none.
 * @template {Pick<Row, "kind" | "groups"> & { track: { id: number } | null }} R
 * @param {R[]} rows
 * @param {Pick<Evidence, "track" | "also">} piece
 * @returns {R[]}
 */
export function rowsOf(rows, { track: shown, also }) {
    const tracks = shown === undefined ? also : [shown, ...also];
    if (tracks.length === 0) return rows.filter(({ kind, groups }) => kind === "tracks" && groups[0].key === CAPABILITIES);
    return rows.filter(({ track }) => track !== null && tracks.includes(track.id));
}

/**
 * Where a piece of evidence is drawn; nowhere if it is out of view.
 * @param {Evidence} piece
 * @param {Scene} scene
 * @param {boolean} isOfAll whether it is about all rows
 * @returns {Box[]}
 */
function boxesOf({ from, to, ...piece }, scene, isOfAll) {
    const { ownScale: scale, rows, top, height } = scene;
    const [x1, x2] = [scale.x(from), scale.x(to)];
    const wider = Math.max(LEAST - (x2 - x1), 0) / 2;
    const [left, right] = [Math.max(x1 - wider, scale.left - 4), Math.min(x2 + wider, scale.right + 4)];
    if (right < scale.left || left > scale.right) return [];
    if (isOfAll) return [{ left, right, top: AXIS - 4, bottom: height + 4 }];
    return rowsOf(rows, piece).flatMap((row) => {
        const { y, height: high } = drawnIn(row);
        const box = { left, right, top: Math.max(y - top - 1, coveredAbove(row, scene)), bottom: y - top + high + 1 };
        return box.bottom > box.top ? [box] : [];
    });
}

/**
 * Makes paler what is in no box, row by row: within a row, boxes are next to each other or overlap.
 * @param {Box[]} boxes
 * @param {Scene} scene
 */
function drawVeil(boxes, { context, state, scale, rows, stuck, layout, top, height }) {
    const ground = state.theme.rgb("background");
    const covered = stuck ? stuck.y + stuck.height - top : layout.head;
    const all = stuck ? [...rows.filter(({ kind, y, height }) => kind !== "heading" || y + height - top > covered), stuck] : rows;
    for (const row of all) {
        const above = row.pinned ? AXIS : row === stuck ? layout.head : covered;
        const [from, to] = [Math.max(row.y - top, above), Math.min(row.y + row.height - top, height)];
        if (to <= from) continue;
        const inside = boxes.filter((box) => box.top < to && box.bottom > from).sort((a, b) => a.left - b.left);
        let free = scale.left;
        for (const box of inside) {
            paintVeil(context, ground, { from: free, to: box.left, y: from, height: to - from }, PALE);
            free = Math.max(free, box.right);
        }
        paintVeil(context, ground, { from: free, to: scale.right, y: from, height: to - from }, PALE);
    }
}

/**
 * A frame with a gap around what it contains, so that it is seen beside any colour.
 * @param {Box} box
 * @param {number} width of its lines
 * @param {Scene} scene
 */
function drawFrame({ left, right, top, bottom }, width, { context, state, scale, height }) {
    context.save();
    context.beginPath();
    context.rect(scale.left, AXIS, scale.width, height - AXIS);
    context.clip();
    const outer = [left - width / 2, top - width / 2, right - left + width, bottom - top + width];
    const [x, y, w, h] = outer;
    context.lineWidth = width + 2;
    context.strokeStyle = state.theme.css("background");
    context.strokeRect(x, y, w, h);
    context.lineWidth = width;
    context.strokeStyle = state.theme.css("evidence");
    context.strokeRect(x, y, w, h);
    context.restore();
}

/**
 * What the shown piece is: below its frame, or above it where there is no room.
 * @param {string} text
 * @param {Box} box
 * @param {Scene} scene
 */
function drawText(text, box, { context, state, scale, height }) {
    const { theme } = state;
    const shown = fit(text, scale.width - 2 * PILL.pad - 8, context);
    const width = pillWidth(context, shown);
    const middle = (Math.max(box.left, scale.left) + Math.min(box.right, scale.right)) / 2;
    const left = Math.min(Math.max(middle - width / 2, scale.left + 2), scale.right - width - 2);
    const [above, below] = [box.top - GAP - PILL.height, box.bottom + GAP];
    const lowest = height - PILL.height - 2;
    const top = Math.min(below <= lowest ? below : Math.max(above, AXIS + 2), lowest);
    paintPill(context, shown, { left, top }, { ground: theme.css("background"), text: theme.css("evidence") });
}
