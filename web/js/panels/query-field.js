// The field of a query that a list is filtered by, with the completions of the search field below it: a combo box.

import { html, nothing } from "lit";
import { ComboBox, caretIn } from "../search/combo-box.js";

/** @typedef {import("../search/suggestions.js").Suggestion} Suggestion */

export class LogQuery extends ComboBox {
    static properties = { text: { attribute: false }, wrong: { type: Boolean } };

    constructor() {
        super();
        /** What the list is filtered by. */
        this.text = "";
        /** Whether the last text was no query. */
        this.wrong = false;
        /** @type {(text: string, caret: number) => Promise<Suggestion[]>} */
        this.complete = async () => [];
        this.listId = "query-suggestion";
    }

    render() {
        return html`<div class="query-box" @focusout=${this.left}>
            <div
                class="search"
                role="combobox"
                contenteditable="plaintext-only"
                spellcheck="false"
                tabindex="0"
                aria-label="Filter the events by a query"
                aria-expanded=${this.isOpen}
                aria-controls="query-suggestions"
                aria-autocomplete="list"
                aria-activedescendant=${this.activeId}
                aria-invalid=${this.wrong ? "true" : nothing}
                aria-describedby="events-status"
                title="type:GC_START, thread:12, cap:0, text:&quot;a b&quot;, from:1.5s or a word of what an event says; Enter filters"
                data-empty="Filter by a query"
                @input=${this.suggest}
                @keydown=${this.pressed}
            ></div>
            ${this.list()}
        </div>`;
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        super.updated(changed);
        if (changed.has("text") && this.written !== this.text && !this.wrong) this.field.textContent = this.text;
    }

    /** @param {() => boolean} isNewest */
    async find(isNewest) {
        const found = await this.complete(this.written, caretIn(this.field));
        if (isNewest()) this.offer(found);
    }

    escape() {
        const isActive = this.isOpen && this.at >= 0;
        this.close();
        if (isActive) return;
        if (this.written === "") return void this.dispatchEvent(new CustomEvent("leave"));
        this.field.textContent = "";
        this.#filter();
    }

    enter() {
        this.close();
        this.#filter();
    }

    #filter() {
        this.dispatchEvent(new CustomEvent("filter", { detail: this.written.trim() }));
    }
}

customElements.define("log-query", LogQuery);
