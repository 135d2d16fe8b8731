// The rows that a command acts on: those that are picked, or the one whose header has the focus, or that of the selection, or the one
// under the pointer.

import { part } from "../stage.js";
import { shownOf } from "../state.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("./acts.js").Named} Named */
/** @typedef {import("./choice.js").RowName} RowName */

/**
 * The row of a header, or of something in it.
 * @param {Element | null | undefined} element
 * @returns {(Named & { header: HTMLElement }) | null}
 */
export function rowOfElement(element) {
    const header = element?.closest(".track[data-row]");
    if (!(header instanceof HTMLElement)) return null;
    return { ...rowOfHeader(header), header };
}

/**
 * @param {HTMLElement} header
 * @returns {Named}
 */
export function rowOfHeader({ dataset: { row = "", name = "" } }) {
    return { row: /^\d+$/.test(row) ? Number(row) : row, name };
}

/**
 * The header of a row, if that is in view.
 * @param {Pick<Context, "stage">} context
 * @param {RowName} row
 */
export function headerOfRow({ stage }, row) {
    return /** @type {HTMLElement | null} */ (part(stage, "headers").querySelector(`.track[data-row="${row}"]`));
}

/**
 * The rows to act on; says what to do if there are none.
 * @param {Context} context
 * @returns {Named[]}
 */
export function targets(context) {
    const picked = pickedRows(context);
    if (picked.length > 0) return picked;
    const one = target(context);
    return one ? [one] : [];
}

/**
 * @param {Pick<Context, "stage" | "store">} context
 * @returns {Named[]}
 */
export function pickedRows({ stage, store }) {
    const { picked, log } = shownOf(store.value);
    return picked.map((row) => {
        const header = headerOfRow({ stage }, row);
        if (header) return rowOfHeader(header);
        return { row, name: log?.groups.find(({ key }) => key === row)?.name ?? "row" };
    });
}

/**
 * The row to act on; says what to do if there is none.
 * @param {Context} context
 * @returns {Named | null}
 */
export function target({ stage, store, timeline, note }) {
    const focused = rowOfElement(stage.root.activeElement);
    if (focused) return focused;
    const { span, pointer } = store.value;
    const selected = span && span.log === store.value.shown ? { row: span.track, name: span.on } : null;
    if (selected) return selected;
    const hovered = rowOfElement(part(stage, "headers").querySelector(".track:hover"));
    if (hovered) return hovered;
    const pixel = pointer && timeline.pointing.pixelAt(pointer.x, pointer.y);
    const track = pixel && timeline.tracks.find(({ id }) => id === pixel.track);
    if (track) return { row: track.id, name: track.name };
    note("Select something on a row first, or point at its name");
    return null;
}
