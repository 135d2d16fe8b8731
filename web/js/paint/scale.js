// The scale of a row: the values at its top and bottom.

/** Size of the letters, in CSS pixels, and the space around them. */
const SIZE = 10;
const FREE = 3;

/** How much the ground of the letters hides what is drawn under them: a line there must not cross them out. */
export const HIDES = 0.92;

/** Lower rows have room for only one of the two values. */
const ROOM = 2 * SIZE + 1;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ left: number, y: number, height: number }} row
 * @param {{ top: string | null, bottom: string | null }} values the ones at its top and bottom, if they are to be written
 * @param {{ text: string, ground: string }} colours
 */
export function paintScale(context, { left, y, height }, { top, bottom }, { text, ground }) {
    context.save();
    context.font = `${SIZE}px system-ui, sans-serif`;
    context.textBaseline = "top";
    const ends = [
        { what: top, at: y + 1 },
        { what: bottom, at: y + height - SIZE - 1 },
    ].filter(({ what }) => what !== null);
    for (const { what, at } of height < ROOM ? ends.slice(0, 1) : ends) {
        const written = what ?? "";
        context.globalAlpha = HIDES;
        context.fillStyle = ground;
        context.fillRect(left, at - 1, context.measureText(written).width + 2 * FREE, SIZE + 2);
        context.globalAlpha = 1;
        context.fillStyle = text;
        context.fillText(written, left + FREE, at);
    }
    context.restore();
}
