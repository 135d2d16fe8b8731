// The focus on the headers of rows: from one to the next, and where it goes when its row moves or is gone.

import { part } from "../stage.js";
import { headerOfRow, rowOfElement } from "./target.js";

/** @typedef {import("../context.js").Context} Context */

/**
 * The headers in view, from top to bottom.
 * @param {HTMLElement} headers
 */
function sorted(headers) {
    const all = [.../** @type {NodeListOf<HTMLElement>} */ (headers.querySelectorAll(".track[data-row]"))];
    const placed = all.map((header) => ({ header, y: header.getBoundingClientRect().top }));
    return placed.sort((a, b) => a.y - b.y).map(({ header }) => header);
}

/**
 * The header above or below one.
 * @param {HTMLElement} headers
 * @param {Element} element in a header
 * @param {1 | -1} by
 * @returns {HTMLElement | undefined}
 */
function beside(headers, element, by) {
    const all = sorted(headers);
    return all[all.findIndex((header) => header.contains(element)) + by];
}

/**
 * What has the focus of a row: of a heading, its button.
 * @param {HTMLElement} header
 */
function stopOf(header) {
    const button = header.querySelector(":scope > button[data-group]");
    return /** @type {HTMLElement} */ (button ?? header);
}

/** @param {HTMLElement} header */
function take(header) {
    stopOf(header).focus();
}

/** What can have the focus of a row. */
const STOPS = ".rows .track[data-row], .heading > button[data-group]";

/**
 * Makes a header the only one that is a stop of the Tab key: from there, ↑ and ↓ lead to the others.
 * @param {HTMLElement} headers
 * @param {HTMLElement} header
 */
export function stopAt(headers, header) {
    const own = stopOf(header);
    if (!own.matches(STOPS)) return;
    for (const other of /** @type {NodeListOf<HTMLElement>} */ (headers.querySelectorAll(STOPS))) other.tabIndex = other === own ? 0 : -1;
}

/**
 * Makes the first header a stop if none is.
 * @param {HTMLElement} headers
 */
export function stopAtOne(headers) {
    if (headers.querySelector(`:is(${STOPS})[tabindex="0"]`)) return;
    const first = headers.querySelector(".track[data-row]");
    if (first) stopAt(headers, /** @type {HTMLElement} */ (first));
}

/**
 * ↑ and ↓ go from header to header.
 * @param {HTMLElement} headers
 * @param {KeyboardEvent} event
 */
export function walk(headers, event) {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (!/^Arrow(Up|Down)$/.test(key) || altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLElement)) return;
    if (!target.matches(".track[data-row], .heading > button[data-group]")) return;
    const to = beside(headers, target, key === "ArrowDown" ? 1 : -1);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    take(to);
}

/**
 * Notes where the focus is, if it is on a header, before rows are arranged anew.
 *
 * The user may be elsewhere before the rows are painted, and presses the next key there: the focus is given back only while nobody has put
 * it elsewhere. Painting takes some headers out of the page for a moment, also that of a row that the user has come to meanwhile: the
 * focus that is lost with it goes back to that row.
 * @param {Pick<Context, "stage" | "timeline">} context
 * @returns {() => void} puts it there again, when the rows have been painted; where the row is gone, on the one below or above
 */
export function keepFocus({ stage, timeline }) {
    const { root } = stage;
    const { activeElement } = root;
    const headers = part(stage, "headers");
    /** The row of an element in a header, and those beside it. @param {unknown} element */
    const around = (element) => {
        if (!(element instanceof Element) || !headers.contains(element)) return [];
        return [element, beside(headers, element, 1), beside(headers, element, -1)].flatMap((one) => rowOfElement(one) ?? []);
    };
    let rows = around(activeElement);
    if (rows.length === 0) return () => {};
    const moved = (/** @type {Event} */ { target }) => void (rows = around(target));
    const again = () => {
        root.removeEventListener("focusin", moved);
        // The body has it when nothing has; it may also be beside the viewer.
        const now = root.activeElement ?? document.activeElement;
        if (rows.length === 0 || (now !== activeElement && now !== document.body)) return;
        const [header] = rows.flatMap(({ row }) => headerOfRow({ stage }, row) ?? []);
        if (header) take(header);
        else timeline.focus();
    };
    return () => {
        root.addEventListener("focusin", moved);
        // The rows are painted in the next frame, before this: their frame was asked for first. No key comes between the two.
        requestAnimationFrame(again);
    };
}
