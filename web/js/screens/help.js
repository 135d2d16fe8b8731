// The list of keys and gestures.

import { html } from "lit";
import { Part } from "../panels/part.js";

/** @typedef {import("../keys.js").Binding} Binding */

export class LogHelp extends Part {
    /** @type {Binding[]} */
    #bindings = [];

    /** @param {Binding[]} bindings */
    start(bindings) {
        this.#bindings = bindings;
        this.requestUpdate();
    }

    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    show() {
        this.#dialog.showModal();
        // Not by an attribute: browsers would ask for it when the page begins, and complain in a frame.
        /** @type {HTMLElement | null} */ (this.querySelector("#help-title"))?.focus();
    }

    render() {
        return html`<dialog id="help" aria-labelledby="help-title" @keydown=${this.#pressed} @click=${this.#clicked}>
            <h2 id="help-title" tabindex="-1">Keys and gestures</h2>
            <table id="keys">${this.#bindings.map(row)}</table>
            <form method="dialog"><button>Close</button></form>
        </dialog>`;
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        if (event.key !== "?") return;
        // It would open it again.
        event.stopPropagation();
        this.#dialog.close();
    }

    /**
     * A click on what the dialog covers closes it.
     * @param {MouseEvent} event
     */
    #clicked({ target, clientX, clientY }) {
        const { left, right, top, bottom } = this.#dialog.getBoundingClientRect();
        const beside = clientX < left || clientX > right || clientY < top || clientY > bottom;
        if (target === this.#dialog && beside) this.#dialog.close();
    }
}

/** @param {Binding} binding */
function row({ keys, what }) {
    const names = keys.split(" ").map((key, at) => html`${at > 0 ? " " : ""}<kbd>${key.replaceAll("_", " ")}</kbd>`);
    return html`<tr><th scope="row">${names}</th><td>${what}</td></tr>`;
}

customElements.define("log-help", LogHelp);
