// The distance of the selected span from the one that is measured from, in the panel of the selection.

import { html, nothing } from "lit";
import { fieldList } from "../describe.js";
import { visible } from "../format.js";
import { measuredOf } from "../navigation/measuring.js";
import { showRange } from "../navigation/ranges.js";
import { Part } from "./part.js";
import { writeText } from "./copying.js";
import { tsvCell } from "./tsv.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../state.js").OfLog<import("../protocol.js").Span>} Span */

export class LogMeasured extends Part {
    static properties = { context: { attribute: false }, from: { attribute: false }, span: { attribute: false } };

    constructor() {
        super();
        /** @type {Context | null} */
        this.context = null;
        /** @type {Span | null} */
        this.from = null;
        /** @type {Span | null} */
        this.span = null;
    }

    render() {
        const { context, from } = this;
        if (!context || !from) return nothing;
        const measured = measuredOf(context.store.value);
        if (!measured) return html`<p class="muted">Measuring from ${visible(from.title)}: select another one.</p>`;
        return html`<h3>Measured</h3>
            ${fieldList(measured.fields)}
            <div class="steps">
                <button title="Zoom to the time between them (Enter)" @click=${() => this.#show(context, measured.range)}>zoom</button>
                <button title="Copy what was measured" @click=${() => this.#copy(context, measured.fields)}>copy</button>
            </div>`;
    }

    /**
     * @param {Context} context
     * @param {import("../viewport.js").View} range
     */
    #show(context, range) {
        // Another range may have been selected since.
        context.store.set({ range });
        showRange(context);
    }

    /**
     * @param {Context} context
     * @param {[string, string][]} fields
     */
    async #copy({ say }, fields) {
        say(await writeText(fields.map(([name, text]) => `${tsvCell(name)}\t${tsvCell(text)}\n`).join("")));
    }
}

customElements.define("log-measured", LogMeasured);
