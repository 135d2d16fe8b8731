// Makes parts paler: the time outside of a range, and time that has not been read yet (a first look at a few places).

/**
 * @param {CanvasRenderingContext2D} context
 * @param {[number, number, number]} background
 * @param {{ from: number, to: number, y: number, height: number }} box
 */
export function paintVeil(context, [r, g, b], { from, to, y, height }) {
    context.fillStyle = `rgb(${r} ${g} ${b} / 0.5)`;
    if (to > from) context.fillRect(from, y, to - from, height);
}
