// Chooses another log of the same program, for names that this one lacks, and says what came of it.

import { html } from "lit";
import { Part } from "./part.js";

export class LogNamesFrom extends Part {
    static properties = { namesFrom: { attribute: false }, said: { state: true } };

    constructor() {
        super();
        /** @type {import("./acts.js").MoreActs["namesFrom"]} */
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
        this.said = "Reading…";
        const said = await this.namesFrom(file);
        this.said = said ?? "";
        // The same file may be chosen again.
        target.value = "";
    }
}

customElements.define("log-names-from", LogNamesFrom);
