// Makes parts paler: the time outside of a range, what is no evidence, and time that has not been read yet (a first look at a few places).

/**
 * @param {CanvasRenderingContext2D} context
 * @param {[number, number, number]} background
 * @param {{ from: number, to: number, y: number, height: number }} box
 * @param {number} [share] how much of the background is seen
 */
export function paintVeil(context, [r, g, b], { from, to, y, height }, share = 0.5) {
    context.fillStyle = `rgb(${r} ${g} ${b} / ${share})`;
    if (to > from) context.fillRect(from, y, to - from, height);
}
