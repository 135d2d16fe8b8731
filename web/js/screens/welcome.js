// The start screen: what this is, and how to begin.

import { html, nothing } from "lit";
import { HAS_EXAMPLE } from "../parts.js";
import { Part } from "../panels/part.js";
import { fileText } from "../words.js";

export class LogWelcome extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, ({ link }) => [link]);
    }

    /** The file that a link is about, or any. */
    #wanted() {
        const { link } = this.store?.value ?? {};
        if (!link) return html`<strong>Drop a .eventlog here</strong>`;
        return html`<strong id="linked-file">Drop ${fileText(link)} here to see what this link points to</strong>`;
    }

    render() {
        return html`
            <h2 id="start-title">See what your Haskell program did</h2>
            <p>Threads, capabilities and garbage collections of a program run with <code>+RTS -l</code>, on one time axis.</p>
            <label for="open-file" class="drop">
                ${this.#wanted()}
                <span>or choose ${this.store?.value.link ? "it" : "a file"}; .gz, .zst and .zip will do</span>
            </label>
            ${HAS_EXAMPLE ? html`<p class="actions"><button id="example" @click=${() => this.#context?.opener.example()}>Open an example</button></p>` : nothing}
            <p class="muted">Your file never leaves this page: it is read here, in your browser.</p>
            <p class="muted">To make one: <code>./program +RTS -l</code>; before GHC 9.4, link with <code>-eventlog</code>.</p>
        `;
    }
}

customElements.define("log-welcome", LogWelcome);
