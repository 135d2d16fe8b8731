// The start screen: what this is, and how to begin.

import { html, nothing } from "lit";
import { HAS_EXAMPLE } from "../parts.js";
import { Part } from "../panels/part.js";

export class LogWelcome extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
    }

    render() {
        return html`
            <h2 id="start-title">See what your Haskell program did</h2>
            <p>Threads, capabilities and garbage collections of a program run with <code>+RTS -l</code>, on one time axis.</p>
            <label for="open-file" class="drop">
                <strong>Drop a .eventlog here</strong>
                <span>or choose a file; .gz, .zst and .zip will do</span>
            </label>
            ${HAS_EXAMPLE ? html`<p class="actions"><button id="example" @click=${() => this.#context?.opener.example()}>Open an example</button></p>` : nothing}
            <p class="muted">Your file never leaves this page: it is read here, in your browser.</p>
            <p class="muted">To make one: <code>./program +RTS -l</code>; before GHC 9.4, link with <code>-eventlog</code>.</p>
        `;
    }
}

customElements.define("log-welcome", LogWelcome);
