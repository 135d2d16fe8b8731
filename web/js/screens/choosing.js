// What dialogs have in common that choose rows of the timeline: buttons of which one is pressed, and what is seen at once behind them.

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

    /** Fields show what is chosen: it may have been changed elsewhere. */
    fill() {}

    /**
     * @param {string} id
     * @param {string} title
     * @param {unknown} content
     * @param {unknown} [buttons] beside the one that closes it
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
 * Has it chosen which rows a group of tracks has.
 * @param {import("../stage.js").Stage} stage
 * @param {string} group its key
 */
export function chooseRows(stage, group) {
    /** @type {RowsDialog} */ (part(stage, `rows-of-${group}`)).show();
}

/**
 * Buttons, and no lists: where a page has many fields, browsers ask their makers what forms like that are for.
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
 * Keys are the dialog's while it is open, and not the timeline's.
 * @param {KeyboardEvent} event
 */
function stay(event) {
    event.stopPropagation();
}
