// Chooses another log of the same program, for names that this one lacks, and says what came of it.

import { html } from "lit";
import { Part } from "./part.js";

export class LogNamesFrom extends Part {
    static properties = { namesFrom: { attribute: false }, said: { state: true } };

    /** The file that was chosen last. @type {File | null} */
    #file = null;

    constructor() {
        super();
        /** @type {NonNullable<import("./section.js").Shown["namesFrom"]>} */
        this.namesFrom = async () => null;
        this.said = "";
    }

    render() {
        return html`<p class="names-from muted">
            <button class="copy" title="Take names of info tables from another log of the same program" @click=${this.#choose}>Names from another log…</button>
            <input type="file" class="visually-hidden" tabindex="-1" aria-label="Another log of the same program" @change=${this.#take}>
            <span role="status">${this.said}</span>
        </p>`;
    }

    #choose() {
        this.querySelector("input")?.click();
    }

    /** @param {Event & { target: HTMLInputElement }} event */
    async #take({ target }) {
        const file = target.files?.[0];
        if (!file) return;
        this.#file = file;
        // The same file may be chosen again.
        target.value = "";
        this.said = "Reading…";
        const said = await this.namesFrom(file);
        // Another file may have been chosen meanwhile: then that one is being read.
        if (this.#file === file) this.said = said ?? "";
    }
}

customElements.define("log-names-from", LogNamesFrom);
