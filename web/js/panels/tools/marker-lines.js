// Which of the program's markers have lines through all tracks: those with a text, all, or none.

import { html, nothing } from "lit";
import { Filter } from "../filter.js";
import { Part } from "../part.js";
import { TEXT_TABLE } from "../../marker-table.js";
import { addTools } from "./tools.js";
import { isOnByKey } from "../../overlays/overlay.js";

/**
 * @typedef {object} MarkerActs
 * @property {import("../../state.js").StateStore} store
 * @property {(text: string) => void} choose only markers with this text have lines
 * @property {() => void} turn hides the lines, or shows them again
 */

export class MarkerLines extends Part {
    static properties = { acts: { attribute: false } };

    #field = new Filter(
        (text) => this.acts?.choose(text),
        () => {},
        "Only markers with this text have lines",
    );

    constructor() {
        super();
        /** @type {MarkerActs | null} */
        this.acts = null;
    }

    firstUpdated() {
        if (this.acts) this.watch(this.acts.store, ({ overlaysOn }) => [overlaysOn]);
    }

    render() {
        const { acts } = this;
        if (!acts) return nothing;
        const text = isOnByKey("markers", acts.store.value) ? "hide the lines" : "show the lines";
        return html`<div class="table-tool marker-lines">
            <span aria-hidden="true">Lines for markers with</span> ${this.#field.render()}
            <button class="copy" title="Shift+M" @click=${() => acts.turn()}>${text}</button>
        </div>`;
    }
}

customElements.define("marker-lines", MarkerLines);

addTools(TEXT_TABLE, ({ acts }) => html`<marker-lines .acts=${acts.markers}></marker-lines>`);
