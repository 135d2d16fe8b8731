// The tracks' names, left of the canvas. Only rows that can be seen exist.

import { HATCHED } from "./paint/strip.js";
import { element, swatch } from "./describe.js";
import { count, duration, percent, valueText, visible } from "./format.js";

/** @typedef {import("./rows.js").Row} Row */

/**
 * What sums a track up, in a few letters.
 * @param {import("./protocol.js").Note} note
 */
function noteText(note) {
    if ("lacks" in note) return "not logged";
    if ("share" in note) return percent(note.share);
    if ("number" in note) return count(note.number);
    if ("most" in note) return `max ${valueText(note.unit, note.most, 0)}`;
    return note.count > 0 ? `${count(note.count)} · max ${duration(note.longest)}` : "none";
}

/** @param {Row} row */
function noteOf({ track, note }) {
    return track ? noteText(track.note) : (note ?? "");
}

/**
 * All that the header says, what it has no room for, and what the colours of its track mean.
 * @param {Row} row
 */
export function describeHeader(row) {
    const { name, track } = row;
    const note = noteOf(row);
    const needs = track && "lacks" in track.note ? ` · needs ${track.note.lacks}` : "";
    const title = element("strong", {}, visible(note ? `${name}: ${note}${needs}` : name));
    const states = (track?.states ?? []).filter(({ role, total = 0 }) => role !== HATCHED || total > 0);
    const keys = states.map(({ role, name }) => element("li", {}, swatch(role), name));
    return keys.length > 0 ? [title, element("ul", { class: "colours" }, ...keys)] : [title];
}

/**
 * @param {HTMLElement} list
 * @param {Row[]} rows those that can be seen
 * @param {number | null} current the track that something is selected on
 */
export function showHeaders(list, rows, current) {
    while (list.children.length > rows.length) list.lastElementChild?.remove();
    rows.forEach((row, at) => {
        const element = /** @type {HTMLElement} */ (list.children[at] ?? list.appendChild(newHeader()));
        fill(element, row, row.track !== null && row.track.id === current);
    });
}

function newHeader() {
    const element = document.createElement("div");
    element.role = "listitem";
    for (const part of ["name", "note"]) {
        const span = document.createElement("span");
        span.className = part;
        element.append(span);
    }
    return element;
}

/**
 * @param {HTMLElement} element
 * @param {Row} row
 * @param {boolean} current
 */
function fill(element, row, current) {
    const [name, note] = /** @type {Iterable<HTMLElement>} */ (/** @type {unknown} */ (element.children));
    const text = noteOf(row);
    element.className = row.track ? "track" : "track heading";
    element.style.top = `${row.y}px`;
    element.style.height = `${row.height}px`;
    element.ariaCurrent = String(current);
    if (name.textContent !== row.name) name.textContent = row.name;
    if (note.textContent !== text) note.textContent = text;
}
