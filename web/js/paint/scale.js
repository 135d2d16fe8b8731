// The scale of a row: what its top stands for, and its bottom.

/** Of the letters, in CSS pixels, and what is free around them. */
const SIZE = 10;
const FREE = 3;

/** Rows that are lower have room for one of both only. */
const ROOM = 2 * SIZE + 1;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ left: number, y: number, height: number }} row
 * @param {string} most what its top stands for; its bottom is 0
 * @param {{ text: string, ground: string }} colours
 */
export function paintScale(context, { left, y, height }, most, { text, ground }) {
    context.save();
    context.font = `${SIZE}px system-ui, sans-serif`;
    context.textBaseline = "top";
    const ends =
        height < ROOM
            ? [{ what: most, at: y + 1 }]
            : [
                  { what: most, at: y + 1 },
                  { what: "0", at: y + height - SIZE - 1 },
              ];
    for (const { what, at } of ends) {
        // The line may pass below it.
        context.globalAlpha = 0.75;
        context.fillStyle = ground;
        context.fillRect(left, at - 1, context.measureText(what).width + 2 * FREE, SIZE + 2);
        context.globalAlpha = 1;
        context.fillStyle = text;
        context.fillText(what, left + FREE, at);
    }
    context.restore();
}
