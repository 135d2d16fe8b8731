// The base class of dialogs that choose rows of the timeline: groups of buttons with one pressed. Choices take effect at once, visibly
// beside the dialog.

import { html } from "lit";
import { Part } from "../panels/part.js";
import { part } from "../stage.js";

export class RowsDialog extends Part {
    /** @returns {HTMLDialogElement} */
    get dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    show() {
        this.dialog.showModal();
        this.fill();
        /** @type {HTMLElement | null} */ (this.querySelector("h2"))?.focus();
    }

    /** Fills the fields with the current choice: it may have been changed elsewhere. */
    fill() {}

    /**
     * @param {string} id
     * @param {string} title
     * @param {unknown} content
     * @param {unknown} [buttons] besides the one that closes it
     */
    framed(id, title, content, buttons) {
        return html`<dialog id=${id} class="rows-dialog" aria-labelledby="${id}-title" @keydown=${stay}>
            <h2 id="${id}-title" tabindex="-1">${title}</h2>
            ${content}
            <form method="dialog">${buttons} <button>Close</button></form>
        </dialog>`;
    }
}

/**
 * Lets the user choose which rows a group of tracks has.
 * @param {import("../stage.js").Stage} stage
 * @param {string} group its key
 */
export function chooseRows(stage, group) {
    /** @type {RowsDialog} */ (part(stage, `rows-of-${group}`)).show();
}

/**
 * Buttons, not lists: if a page has many form fields, browsers ask their makers' servers what such a form is for.
 * @template Key
 * @param {string} name
 * @param {{ key: Key, name: string }[]} list
 * @param {Key} chosen
 * @param {(key: Key) => void} choose
 */
export function choicesOf(name, list, chosen, choose) {
    const button = (/** @type {{ key: Key, name: string }} */ { key, name }) =>
        html`<button type="button" aria-pressed=${String(key === chosen)} @click=${() => choose(key)}>${name}</button>`;
    return html`<div class="choices" role="group" aria-label=${name}><span>${name}</span> ${list.map(button)}</div>`;
}

/**
 * While the dialog is open, keys must not reach the timeline.
 * @param {KeyboardEvent} event
 */
function stay(event) {
    event.stopPropagation();
}
