// The header of the overview strip: how long the log is.

import { html } from "lit";
import { Part } from "../panels/part.js";
import { duration } from "../format.js";
import { shownOf } from "../state.js";

export class LogWhole extends Part {
    /** @param {import("../context.js").Context} context */
    start({ store }) {
        this.watch(store, (state) => [shownOf(state).log]);
    }

    render() {
        const [first, last] = this.shown.log?.status.extent ?? [0, 0];
        return html`<span>Whole log</span><span>${duration(last - first)}</span>`;
    }
}

customElements.define("log-whole", LogWhole);
