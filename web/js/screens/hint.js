// The hint of a first visit, at the lower edge of the timeline, or on the start screen.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { closeHint, hintOf, hintText } from "../hints.js";

export class LogHint extends Part {
    static properties = { first: { attribute: false } };

    /** @type {import("../context.js").Context | null} */
    #context = null;

    constructor() {
        super();
        /** Whether it is the one on the start screen. */
        this.first = false;
    }

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [hintOf(state)]);
    }

    render() {
        const context = this.#context;
        const next = context && hintOf(context.store.value);
        const hint = (next === "open") === this.first ? next : null;
        // The live region is there before its text, or some screen readers would not read that.
        return html`<div class="hint" role="status" ?data-shown=${hint !== null}>
            ${
                hint
                    ? html`<span>${hintText(hint)}</span> <button aria-label="Close this hint" title="Close (Esc)" @click=${() => this.#close(hint)}>✕</button>`
                    : nothing
            }
        </div>`;
    }

    /** @param {import("../hints.js").Hint} hint */
    #close(hint) {
        if (!this.#context) return;
        closeHint(this.#context, hint);
        if (this.shown.log) this.#context.timeline.focus();
    }
}

customElements.define("log-hint", LogHint);
