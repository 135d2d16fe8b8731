// The question whether the page may request a log from another server than its own.

import { html, nothing } from "lit";
import { visible } from "../format.js";
import { Part } from "../panels/part.js";

/** @typedef {import("../protocol.js").Question} Question */

export class LogQuestion extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;
    /** @type {Question | null} */
    #asked = null;

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, ({ next }) => [next?.question]);
        // On the whole window, wherever the focus is: only a viewer that owns its page asks.
        addEventListener("keydown", (event) => this.#pressed(event), { signal: context.stage.signal });
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        // The help may be open above it: then Escape closes that.
        const isElsewhere = event.composedPath().some((part) => part instanceof HTMLDialogElement);
        if (this.#asked && event.key === "Escape" && !isElsewhere) this.#cancel();
    }

    render() {
        const { next } = this.store?.value ?? {};
        if (!next?.question) return nothing;
        const { title, text, yes } = wordsOf(next.question, visible(next.file.name));
        return html`
            <h2 id="question-title" tabindex="-1">${title}</h2>
            <p>${text}</p>
            <p class="actions">
                <button id="question-yes" @click=${(/** @type {MouseEvent} */ event) => this.#agreed(event)}>${yes}</button>
                <button id="question-no" @click=${this.#cancel}>Do not open it</button>
            </p>
        `;
    }

    /** @param {MouseEvent} event the second click of a double click would answer the next question */
    #agreed({ detail }) {
        if (detail >= 2) return;
        this.#context?.logs.allow();
        this.#context?.timeline.focus();
    }

    #cancel() {
        this.#context?.opener.cancel();
        // The button is gone, and it had the focus.
        this.#context?.timeline.focus();
    }

    /** Moves the focus to the text: screen readers read it out, and no key that was meant for what was here before answers it. */
    updated() {
        const question = this.store?.value.next?.question ?? null;
        if (question !== this.#asked) /** @type {HTMLElement | null} */ (this.querySelector("h2"))?.focus();
        this.#asked = question;
    }
}

/**
 * @param {Question} question
 * @param {string} name of the log
 */
function wordsOf({ host, follows }, name) {
    const sees =
        "sees your computer's address and the address of this viewer; it gets no cookies, no passwords and nothing from your logs.";
    if (!follows) {
        return {
            title: `Open a log from ${host}?`,
            text: `This page's address links to a log on that server, ${name}. That server ${sees}`,
            yes: "Open it",
        };
    }
    const why = `${host ?? "This page's server"} redirects to another server for this log, ${name}. The browser says which one only after contacting it.`;
    return {
        title: `Let ${host ?? "this page's server"} redirect to another server?`,
        text: `${why} That server may redirect again, without asking you. Each server ${sees} You will be asked again, with the server's name, before its answer is read.`,
        yes: "Contact that server",
    };
}

customElements.define("log-question", LogQuestion);
