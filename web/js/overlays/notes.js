// The notes: a line through all rows at a moment, two at a range, and the text in a frame below the axis.

import { addOverlay } from "./overlay.js";
import { AXIS } from "../rows.js";
import { visible } from "../format.js";
import { timeOfNote } from "../notes/notes.js";

/** The label's height, the space at its ends, and its greatest width, in CSS pixels. */
const LABEL = { height: 18, pad: 5, most: 220 };

addOverlay({
    key: "notes",
    draw({ context, state, log, ownScale: scale, height }) {
        const { theme } = state;
        context.save();
        context.font = "12px system-ui, sans-serif";
        context.textBaseline = "middle";
        context.lineWidth = 1;
        let free = -Infinity;
        for (const note of log.notes) {
            const { from, to } = timeOfNote(log, note);
            const [left, right] = [Math.round(scale.x(from)), Math.round(scale.x(to))];
            if (right < scale.left || left > scale.right) continue;
            context.fillStyle = theme.css("accent");
            for (const x of new Set([left, right])) context.fillRect(x, AXIS, 1, height - AXIS);
            if (right > left + 1) context.fillRect(left, AXIS, right - left, 2);
            // The label of a range that begins before the view is at the view's edge.
            const x = Math.max(left, scale.left);
            if (x < free) continue;
            const text = shortened(context, visible(note.text));
            const width = context.measureText(text).width + 2 * LABEL.pad;
            context.fillStyle = theme.css("background");
            context.fillRect(x, AXIS + 2, width, LABEL.height);
            context.strokeStyle = theme.css("accent");
            context.strokeRect(x + 0.5, AXIS + 2.5, width - 1, LABEL.height - 1);
            context.fillStyle = theme.css("text");
            context.fillText(text, x + LABEL.pad, AXIS + 2 + LABEL.height / 2 + 0.5);
            free = x + width + 4;
        }
        context.restore();
    },
});

/**
 * The first line of a text, as far as a label has room for it.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 */
function shortened(context, text) {
    const [line] = text.split(/[\n␊]/, 1);
    if (line === text && context.measureText(text).width <= LABEL.most) return text;
    let end = line.length;
    while (end > 0 && context.measureText(`${line.slice(0, end)}…`).width > LABEL.most) end -= Math.max(1, Math.ceil(end / 10));
    return `${line.slice(0, Math.max(end, 1)).trimEnd()}…`;
}
