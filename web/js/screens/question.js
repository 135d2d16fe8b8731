// Whether a log may be asked for of another server than the page's own.

import { html, nothing } from "lit";
import { visible } from "../format.js";
import { Part } from "../panels/part.js";

/** @typedef {{ allow: () => void, cancel: () => void }} QuestionActs */

export class LogQuestion extends Part {
    /** @type {QuestionActs | null} */
    #acts = null;
    /** @type {string | null} */
    #asked = null;

    /**
     * @param {import("../store.js").Store<import("../panels/part.js").State>} store
     * @param {QuestionActs} acts
     * @param {AbortSignal} signal
     */
    start(store, acts, signal) {
        this.#acts = acts;
        this.watch(store, ({ next }) => [next?.asks]);
        // Wherever the focus is: only a viewer whose page is its own asks.
        addEventListener("keydown", (event) => this.#pressed(event), { signal });
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        // The help may be open above it, and then it is what Escape closes.
        const isElsewhere = event.composedPath().some((part) => part instanceof HTMLDialogElement);
        if (this.#asked && event.key === "Escape" && !isElsewhere) this.#acts?.cancel();
    }

    render() {
        const { next } = this.store?.value ?? {};
        if (!next?.asks) return nothing;
        return html`
            <h2 id="question-title" tabindex="-1">Open a log from ${next.asks}?</h2>
            <p>The address of this page leads to a log on that server, ${visible(next.file.name)}. That server sees your computer's address and where this viewer comes from; no cookies or passwords are sent, and nothing of your logs.</p>
            <p class="actions">
                <button id="question-yes" @click=${() => this.#acts?.allow()}>Open it</button>
                <button id="question-no" @click=${() => this.#acts?.cancel()}>Do not open it</button>
            </p>
        `;
    }

    /** It is read out, and answered by no key that was meant for what stood here before. */
    updated() {
        const asks = this.store?.value.next?.asks ?? null;
        if (asks !== this.#asked) /** @type {HTMLElement | null} */ (this.querySelector("h2"))?.focus();
        this.#asked = asks;
    }
}

customElements.define("log-question", LogQuestion);
