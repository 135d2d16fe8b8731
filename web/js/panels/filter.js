// The field that filters a table's rows, or searches a flame graph.

import { html } from "lit";
import { isOfField } from "../keys.js";

/** How long after the last key the rows are filtered, in ms. */
const REST = 150;

export class Filter {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #resting;
    #search;
    #leave;
    #label;

    /**
     * @param {(text: string) => void} search
     * @param {() => void} leave moves the focus to the rows
     * @param {string} [label]
     */
    constructor(search, leave, label = "Filter the rows") {
        this.#search = search;
        this.#leave = leave;
        this.#label = label;
    }

    render() {
        // Not an `input`: for those, Chromium asks Google's server how to fill them in.
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

    /** Typing has ended. */
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
        if (event.key === "Escape" && field.textContent) {
            // If it is in a dialog, that stays open.
            event.preventDefault();
            field.textContent = "";
            field.dispatchEvent(new Event("input"));
        } else if (["Enter", "ArrowDown", "Escape"].includes(event.key)) this.#leave();
        // What is typed here must not reach the keys of the timeline.
        if (isOfField(event)) event.stopPropagation();
    };
}
