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
 * @param {Pick<Context, "stage" | "timeline">} context
 * @returns {() => void} puts it there again, when the rows have been painted; where the row is gone, on the one below or above. Who has
 * gone elsewhere by then stays there.
 */
export function keepFocus({ stage, timeline }) {
    const { activeElement } = stage.root;
    const found = rowOfElement(activeElement);
    const headers = part(stage, "headers");
    if (!found || !activeElement || !headers.contains(activeElement)) return () => {};
    const others = [1, -1].flatMap((by) => rowOfElement(beside(headers, activeElement, /** @type {1 | -1} */ (by))) ?? []);
    const again = () => {
        const now = stage.root.activeElement;
        // A fast typist is on another row already: the next key is meant for that one.
        if (now && now !== activeElement) return;
        const [header] = [found, ...others].flatMap(({ row }) => headerOfRow({ stage }, row) ?? []);
        if (header) take(header);
        else timeline.focus();
    };
    // The rows are painted in the next frame.
    return () => void requestAnimationFrame(() => requestAnimationFrame(again));
}
