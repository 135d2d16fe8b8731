// The list of an archive's logs, or of several files, to choose one.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { bytes, visible } from "../format.js";
import { choiceText, listText } from "../words.js";

/** Up to this many logs need no search field. */
const FEW = 10;

/** How long after the last key to ask for the list, in ms: one question for each word, not for each letter. */
const REST = 80;

export class LogChoice extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;
    /** @type {import("../protocol.js").Choice | null} */
    #offered = null;
    #typing = 0;

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, ({ next }) => [next?.choice]);
    }

    get #filter() {
        return /** @type {HTMLElement} */ (this.querySelector("#choose-filter"));
    }

    render() {
        const { next } = this.store?.value ?? {};
        const choice = next?.choice;
        // Not an `input` for the filter: for those, Chromium asks Google's server how to fill them in.
        return html`
            <h2 id="choose-title">${next && choice ? choiceText(next, choice) : nothing}</h2>
            <div
                id="choose-filter"
                class="search"
                role="searchbox"
                contenteditable="plaintext-only"
                aria-label="Part of a log's name"
                spellcheck="false"
                tabindex="0"
                ?hidden=${!choice || choice.logs <= FEW}
                @input=${this.#typed}
                @keydown=${this.#pressed}
            ></div>
            <p id="choose-text" class="muted" role="status">${choice ? listText(choice) : nothing}</p>
            <ul id="choose-list">
                ${choice?.entries.map(
                    ({ index, name, size }) =>
                        html`<li>
                            <button @click=${() => this.#context?.opener.choose(index)}>
                                <span>${visible(name)}</span><span class="muted">${bytes(size)}</span>
                            </button>
                        </li>`,
                )}
            </ul>
            <button id="choose-none" @click=${() => this.#context?.opener.cancel()}>Cancel</button>
        `;
    }

    /** Moves the focus, so that the user can type or choose at once. */
    updated() {
        const choice = this.store?.value.next?.choice ?? null;
        if (choice === this.#offered) return;
        this.#offered = choice;
        const filter = this.#filter;
        if (!choice) filter.textContent = "";
        // Not while the user types there.
        if (!choice || /** @type {ShadowRoot} */ (this.getRootNode()).activeElement === filter) return;
        if (filter.hidden) /** @type {HTMLElement | null} */ (this.querySelector("li button"))?.focus();
        else filter.focus();
    }

    #typed() {
        clearTimeout(this.#typing);
        this.#typing = window.setTimeout(() => this.#context?.logs.filter(this.#filter.textContent.replaceAll("\n", "")), REST);
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        if (event.key === "Enter") event.preventDefault();
        // What is typed here must not reach the keys of the timeline.
        event.stopPropagation();
    }
}

customElements.define("log-choice", LogChoice);
