// The field of a query that a list is filtered by, with the completions of the search field below it: a combo box.

import { html, nothing } from "lit";
import { Part } from "./part.js";
import { caretIn, setCaret } from "../search/field.js";
import { isPrint } from "../keys.js";

/** @typedef {import("../search/suggestions.js").Suggestion} Suggestion */

export class LogQuery extends Part {
    static properties = {
        text: { attribute: false },
        wrong: { type: Boolean },
        suggestions: { state: true },
        at: { state: true },
        open: { state: true },
    };

    /** Counts the questions for suggestions: of two answers, the newer one counts. */
    #asked = 0;

    constructor() {
        super();
        /** What the list is filtered by. */
        this.text = "";
        /** Whether the last text was no query. */
        this.wrong = false;
        /** @type {(text: string, caret: number) => Promise<Suggestion[]>} */
        this.complete = async () => [];
        /** @type {Suggestion[]} */
        this.suggestions = [];
        /** The index of the active suggestion; -1 for none. */
        this.at = -1;
        this.open = false;
    }

    get #field() {
        return /** @type {HTMLElement} */ (this.querySelector(".search"));
    }

    get #written() {
        return (this.#field.textContent ?? "").replaceAll("\n", " ");
    }

    render() {
        const { suggestions, at, open } = this;
        const isOpen = open && suggestions.length > 0;
        // Not an `input`: for those, Chromium asks Google's server how to fill them in.
        return html`<div class="query-box" @focusout=${this.#left}>
            <div
                class="search"
                role="combobox"
                contenteditable="plaintext-only"
                spellcheck="false"
                tabindex="0"
                aria-label="Filter the events by a query"
                aria-expanded=${isOpen}
                aria-controls="query-suggestions"
                aria-autocomplete="list"
                aria-activedescendant=${isOpen && at >= 0 ? `query-suggestion-${at}` : nothing}
                aria-invalid=${this.wrong ? "true" : nothing}
                aria-describedby="events-status"
                title="type:GC_START, thread:12, cap:0, text:&quot;a b&quot;, from:1.5s or a word of what an event says; Enter filters"
                data-empty="Filter, as in the search field"
                @input=${this.#suggest}
                @keydown=${this.#pressed}
            ></div>
            <ul id="query-suggestions" class="suggestions" role="listbox" aria-label="Suggestions" ?hidden=${!isOpen}>
                ${isOpen ? suggestions.map((suggestion, index) => this.#suggestion(suggestion, index)) : nothing}
            </ul>
        </div>`;
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        this.querySelector(`#query-suggestion-${this.at}`)?.scrollIntoView({ block: "nearest" });
        if (changed.has("text") && this.#written !== this.text && !this.wrong) this.#field.textContent = this.text;
    }

    /**
     * @param {Suggestion} suggestion
     * @param {number} index
     */
    #suggestion(suggestion, index) {
        const { text, about } = suggestion;
        // Pressing the pointer must not take the focus from the field.
        return html`<li
            id="query-suggestion-${index}"
            role="option"
            aria-selected=${index === this.at}
            @pointerdown=${(/** @type {Event} */ event) => event.preventDefault()}
            @click=${() => this.#take(suggestion)}
        ><span class="text">${text}</span>${about ? html` <span class="muted">${about}</span>` : nothing}</li>`;
    }

    async #suggest() {
        const asked = ++this.#asked;
        const found = await this.complete(this.#written, caretIn(this.#field));
        if (asked !== this.#asked) return;
        this.suggestions = found;
        this.at = -1;
        this.open = true;
    }

    /** @param {Suggestion} suggestion */
    #take({ put }) {
        if (!put) return;
        const text = this.#written;
        this.#field.textContent = `${text.slice(0, put.from)}${put.text}${text.slice(put.to)}`;
        setCaret(this.#field, put.from + put.text.length);
        // Until new suggestions come, those in sight are for the old text: another Enter must not put one in again.
        this.at = -1;
        void this.#suggest();
    }

    #close() {
        this.#asked++;
        this.open = false;
        this.at = -1;
    }

    /** @param {FocusEvent} event */
    #left({ relatedTarget }) {
        if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.#close();
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        // What is typed here must not reach the keys of the timeline.
        if (!isPrint(event)) event.stopPropagation();
        if (event.isComposing) return;
        const act = {
            ArrowDown: () => this.#move(1),
            ArrowUp: () => this.#move(-1),
            Escape: () => this.#escape(),
            Enter: () => this.#enter(),
        }[event.key];
        if (!act) return;
        event.preventDefault();
        act();
    }

    /** @param {1 | -1} by */
    #move(by) {
        const { length } = this.suggestions;
        if (!this.open) return void this.#suggest();
        // Before the first one is the field itself.
        if (length > 0) this.at = this.at + by < -1 ? length - 1 : this.at + by >= length ? -1 : this.at + by;
    }

    #escape() {
        if (this.open && this.suggestions.length > 0 && this.at >= 0) return this.#close();
        this.#close();
        if (this.#written === "") return this.dispatchEvent(new CustomEvent("leave"));
        this.#field.textContent = "";
        this.#filter();
    }

    #enter() {
        const chosen = this.open ? this.suggestions[this.at] : undefined;
        if (chosen) return this.#take(chosen);
        this.#close();
        this.#filter();
    }

    #filter() {
        this.dispatchEvent(new CustomEvent("filter", { detail: this.#written.trim() }));
    }
}

customElements.define("log-query", LogQuery);
