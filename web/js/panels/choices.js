// Chooses the rows of a listing: a list that opens, in which several entries can be chosen. If none is chosen, all rows are shown.

import { html, nothing } from "lit";
import { count } from "../format.js";

/** @typedef {import("../protocol.js").RowChoice} RowChoice */

/** A filter's keys. @param {string} filter */
function keysOf(filter) {
    return filter === "" ? [] : filter.split(",");
}

/** The filter with one more choice, or without it if it is chosen already; in the order of the choices.
 * @param {RowChoice[]} choices
 * @param {string} filter
 * @param {string} key
 */
function toggled(choices, filter, key) {
    const chosen = new Set(keysOf(filter));
    if (!chosen.delete(key)) chosen.add(key);
    const known = choices.filter((choice) => chosen.has(choice.key));
    return known.map((choice) => choice.key).join(",");
}

/**
 * The chosen entries, in a few words.
 * @param {RowChoice[]} choices
 * @param {string} filter
 */
function chosenText(choices, filter) {
    const keys = keysOf(filter);
    if (keys.length === 0) return "all types";
    const first = choices.find(({ key }) => key === keys[0])?.name ?? keys[0];
    return keys.length === 1 ? first : `${first} and ${keys.length - 1} more`;
}

/**
 * @param {RowChoice[]} choices
 * @param {string} filter
 * @param {string} note what the counts of the choices are about
 * @param {(filter: string) => void} choose
 */
export function choicesPart(choices, filter, note, choose) {
    const chosen = new Set(keysOf(filter));
    /** @param {RowChoice} choice */
    const button = ({ key, name, count: number }) => html`<button
        aria-pressed=${chosen.has(key)}
        title=${name}
        @click=${() => choose(toggled(choices, filter, key))}
    >
        <span class="name">${name}</span><span class="count">${count(number)}</span>
    </button>`;
    return html`<details class="choices" @keydown=${close} @focusout=${leave}>
        <summary title="Choose the types of events to list">${chosenText(choices, filter)}</summary>
        <div class="choice-list" role="group" aria-label="Types of events">
            <button class="every" aria-pressed=${chosen.size === 0} @click=${() => choose("")}>all types</button>
            ${note === "" ? nothing : html`<p class="muted">counts are ${note}</p>`} ${choices.map(button)}
        </div>
    </details>`;
}

/**
 * When the list is open, Escape only closes it.
 * @param {KeyboardEvent} event
 */
function close(event) {
    const list = /** @type {HTMLDetailsElement} */ (event.currentTarget);
    if (event.key !== "Escape" || !list.open) return;
    event.preventDefault();
    event.stopPropagation();
    list.open = false;
    list.querySelector("summary")?.focus();
}

/**
 * The list closes when the focus leaves it.
 * @param {FocusEvent} event
 */
function leave({ currentTarget, relatedTarget }) {
    const list = /** @type {HTMLDetailsElement} */ (currentTarget);
    if (relatedTarget instanceof Node && !list.contains(relatedTarget)) list.open = false;
}
