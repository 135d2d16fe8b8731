// The scale of a row: the values at its top and bottom.

/** Size of the letters, in CSS pixels, and the space around them. */
const SIZE = 10;
const FREE = 3;

/** Lower rows have room for only one of the two values. */
const ROOM = 2 * SIZE + 1;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ left: number, y: number, height: number }} row
 * @param {string} most the value at its top; its bottom is 0
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
        // A line may pass under the text.
        context.globalAlpha = 0.75;
        context.fillStyle = ground;
        context.fillRect(left, at - 1, context.measureText(what).width + 2 * FREE, SIZE + 2);
        context.globalAlpha = 1;
        context.fillStyle = text;
        context.fillText(what, left + FREE, at);
    }
    context.restore();
}
