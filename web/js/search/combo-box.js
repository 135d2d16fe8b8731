// A field with suggestions below it: a combo box. Each subclass says what is suggested, and what Enter does.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { isOfField } from "../keys.js";

/** @typedef {import("./suggestions.js").Suggestion} Suggestion */

export class ComboBox extends Part {
    /** @type {import("lit").PropertyDeclarations} */
    static properties = { suggestions: { state: true }, at: { state: true }, open: { state: true } };

    /** Counts the questions for suggestions: of two answers, the newer one counts. */
    #asked = 0;
    /** Settled when the newest question is answered. @type {Promise<void>} */
    #answered = Promise.resolve();
    /** The text that the suggestions in sight are for. */
    #for = "";
    /** How many steps wait for suggestions. */
    #steps = 0;

    constructor() {
        super();
        /** What the ids of its suggestions begin with. */
        this.listId = "suggestion";
        /** @type {Suggestion[]} */
        this.suggestions = [];
        /** The index of the active suggestion; -1 for none. */
        this.at = -1;
        /** Whether the suggestions are in sight. */
        this.open = false;
    }

    /** The element with the text. Not an `input`: for those, Chromium asks Google's server how to fill them in. */
    get field() {
        return /** @type {HTMLElement} */ (this.querySelector("[role=combobox]"));
    }

    get written() {
        return (this.field.textContent ?? "").replaceAll("\n", " ");
    }

    get isOpen() {
        return this.open && this.suggestions.length > 0;
    }

    /** The id of the active suggestion, for the field's `aria-activedescendant`. */
    get activeId() {
        return this.isOpen && this.at >= 0 ? `${this.listId}-${this.at}` : nothing;
    }

    /** The least index that the keys lead to: -1 is the field itself. */
    get least() {
        return -1;
    }

    /** The list of suggestions. */
    list() {
        return html`<ul id="${this.listId}s" class="suggestions" role="listbox" aria-label="Suggestions" ?hidden=${!this.isOpen}>
            ${this.isOpen ? this.suggestions.map((suggestion, index) => this.#item(suggestion, index)) : nothing}
        </ul>`;
    }

    /**
     * @param {Suggestion} suggestion
     * @param {number} index
     */
    #item(suggestion, index) {
        const { text, about, keys } = suggestion;
        const names = keys.map((key) => html` <kbd>${key.replaceAll("_", " ")}</kbd>`);
        // Pressing the pointer must not take the focus from the field.
        return html`<li
            id="${this.listId}-${index}"
            role="option"
            aria-selected=${index === this.at}
            @pointerdown=${(/** @type {Event} */ event) => event.preventDefault()}
            @click=${() => this.take(suggestion)}
        ><span class="text">${text}</span>${about ? html` <span class="muted">${about}</span>` : nothing}${names}</li>`;
    }

    /** @param {import("lit").PropertyValues} _changed */
    updated(_changed) {
        this.querySelector(`#${this.listId}-${this.at}`)?.scrollIntoView({ block: "nearest" });
    }

    /** Asks for suggestions, and offers them. */
    suggest() {
        const asked = ++this.#asked;
        this.#answered = this.find(() => asked === this.#asked);
    }

    /** Whether the suggestions in sight are for another text than what is written by now. */
    get #isOutdated() {
        return this.#for !== this.written;
    }

    /**
     * Offers suggestions for what is written.
     * @param {() => boolean} _isNewest whether nothing newer has been asked since
     * @returns {Promise<void>}
     */
    async find(_isNewest) {}

    /**
     * @param {Suggestion[]} suggestions
     * @param {number} [at] the active one
     */
    offer(suggestions, at = -1) {
        this.suggestions = suggestions;
        this.#for = this.written;
        this.at = Math.min(at, suggestions.length - 1);
        this.open = /** @type {ShadowRoot} */ (this.getRootNode()).activeElement === this.field;
    }

    /** @param {Suggestion} suggestion */
    take({ put }) {
        if (!put) return;
        const text = this.written;
        this.field.textContent = `${text.slice(0, put.from)}${put.text}${text.slice(put.to)}`;
        setCaret(this.field, put.from + put.text.length);
        // Until new suggestions come, those in sight are for the old text: another Enter must not insert one again.
        this.at = -1;
        this.suggest();
    }

    close() {
        this.#asked++;
        this.open = false;
        this.at = -1;
    }

    /** @param {FocusEvent} event */
    left({ relatedTarget }) {
        if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.close();
    }

    /** @param {KeyboardEvent} event */
    pressed(event) {
        // What is typed here must not reach the keys of the timeline.
        if (isOfField(event)) event.stopPropagation();
        const { key, shiftKey, isComposing } = event;
        if (isComposing) return;
        const act = {
            ArrowDown: () => void this.#move(1),
            ArrowUp: () => void this.#move(-1),
            Escape: () => this.escape(),
            Enter: () => void this.#enter(shiftKey),
        }[key];
        if (!act) return;
        event.preventDefault();
        act();
    }

    /** @param {1 | -1} by */
    async #move(by) {
        if (!this.open) return this.suggest();
        if (this.#isOutdated) {
            this.#steps++;
            await this.#answered;
            this.#steps--;
        }
        const { length } = this.suggestions;
        if (this.open && length > 0) this.at = this.at + by < this.least ? length - 1 : this.at + by >= length ? this.least : this.at + by;
    }

    /** @param {boolean} shift */
    async #enter(shift) {
        // After arrow keys that were faster than the suggestions, Enter waits for these, too.
        if (this.#steps > 0) await this.#answered;
        const chosen = this.open && !this.#isOutdated ? this.suggestions[this.at] : undefined;
        if (chosen) this.take(chosen);
        else this.enter(shift);
    }

    /** What Esc does. */
    escape() {}

    /**
     * What Enter does if no suggestion is active.
     * @param {boolean} _shift
     */
    enter(_shift) {}
}

/**
 * Where the caret is, in characters of the field's text.
 * @param {HTMLElement} field
 */
export function caretIn(field) {
    const root = /** @type {ShadowRoot & { getSelection?: () => Selection | null }} */ (field.getRootNode());
    // Only Chromium has a selection of a shadow tree; elsewhere the document's reaches into it.
    const selection = root.getSelection?.() ?? getSelection();
    const inField = selection?.focusNode && field.contains(selection.focusNode);
    return inField ? selection.focusOffset : (field.textContent ?? "").length;
}

/**
 * @param {HTMLElement} field
 * @param {number} at
 */
function setCaret(field, at) {
    getSelection()?.collapse(field.firstChild ?? field, field.firstChild ? at : 0);
}
