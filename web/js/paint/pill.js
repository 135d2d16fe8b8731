// A short text over the rows, on a ground of its own, with round ends.

/** Its height, and the space at its ends, in CSS pixels. */
export const PILL = { height: 20, pad: 8 };

/**
 * @param {Pick<CanvasRenderingContext2D, "measureText">} context
 * @param {string} text
 */
export function pillWidth(context, text) {
    return context.measureText(text).width + 2 * PILL.pad;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {{ left: number, top: number }} place of its corner
 * @param {{ ground: string, text: string }} colours
 */
export function paintPill(context, text, { left, top }, colours) {
    context.beginPath();
    // Between the pixels, so that its border is sharp.
    context.roundRect(
        Math.round(left) + 0.5,
        Math.round(top) + 0.5,
        Math.round(pillWidth(context, text)) - 1,
        PILL.height - 1,
        PILL.height / 2,
    );
    context.fillStyle = colours.ground;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = colours.text;
    context.stroke();
    context.fillStyle = colours.text;
    context.textBaseline = "middle";
    context.fillText(text, left + PILL.pad, top + PILL.height / 2 + 0.5);
}
