// Why a file cannot be shown.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { plain, stillOpen } from "../words.js";
import { visible } from "../format.js";
import { shownOf } from "../state.js";

export class LogError extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [state.error, !shownOf(state).log]);
    }

    render() {
        const { several = [] } = this.store?.value.wrong ?? {};
        return html`<p id="error" role="alert">${this.#text()}</p>
            ${several.length > 1 ? html`<button id="error-others" @click=${() => this.#context?.opener.chooseAgain(several)}>Choose another one of the ${several.length} files</button>` : nothing}
            <button id="error-close" aria-label="Dismiss" title="Dismiss" @click=${() => this.#context?.logs.dismiss()}>✕</button>`;
    }

    #text() {
        const state = this.store?.value;
        if (!state?.error) return nothing;
        const { error, wrong } = state;
        const what = wrong ? html`<strong>${visible(wrong.name)} cannot be shown. </strong>` : nothing;
        return html`${what}${`${plain(error)} ${stillOpen(this.shown)}`.trim()}`;
    }
}

customElements.define("log-error", LogError);
