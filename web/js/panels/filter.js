// The field that filters a table's rows, or finds what has a text in it.

import { html } from "lit";
import { isPrint } from "../keys.js";

/** How long typing rests before the rows are filtered, in ms. */
const REST = 150;

export class Filter {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #resting;
    #search;
    #leave;
    #label;

    /**
     * @param {(text: string) => void} search
     * @param {() => void} leave for the rows
     * @param {string} [label]
     */
    constructor(search, leave, label = "Filter the rows") {
        this.#search = search;
        this.#leave = leave;
        this.#label = label;
    }

    render() {
        // No input: for one of those, Chromium asks a server of its own how to fill it.
        return html`<div
            class="search"
            role="searchbox"
            contenteditable="plaintext-only"
            spellcheck="false"
            tabindex="0"
            aria-label=${this.#label}
            @input=${this.#read}
            @keydown=${this.#typed}
        ></div>`;
    }

    /** Nobody types any more. */
    rest() {
        clearTimeout(this.#resting);
    }

    /** @param {Event} event */
    #read = ({ currentTarget }) => {
        const text = /** @type {HTMLElement} */ (currentTarget).textContent ?? "";
        clearTimeout(this.#resting);
        this.#resting = setTimeout(() => this.#search(text.replaceAll("\n", "")), REST);
    };

    /** @param {KeyboardEvent} event */
    #typed = (event) => {
        const field = /** @type {HTMLElement} */ (event.currentTarget);
        if (event.key === "Enter") event.preventDefault();
        if (event.key === "ArrowDown") this.#leave();
        if (event.key === "Escape" && field.textContent) {
            // A dialog that it stands in stays open.
            event.preventDefault();
            field.textContent = "";
            field.dispatchEvent(new Event("input"));
        }
        // What is typed here is no key of the timeline's.
        if (!isPrint(event)) event.stopPropagation();
    };
}
