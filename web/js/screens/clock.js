// The switch of the times that are shown, beside the axis.

import { html } from "lit";
import { Part } from "../panels/part.js";
import { CLOCKS, CLOCK_KEY, NO_CLOCK, hasClock, nextClock } from "../clock.js";
import { shownOf } from "../state.js";

export class LogClock extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [state.clock, shownOf(state).log]);
    }

    render() {
        const state = this.store?.value;
        const has = state !== undefined && hasClock(state);
        const { name, what } = CLOCKS[has ? state.clock : "relative"];
        // It can be pressed without the time of day, too: then it says what the log lacks, also to users who cannot hover.
        return html`<button
            id="clock"
            aria-label="Times: ${name}"
            aria-disabled=${has ? "false" : "true"}
            title=${has ? `${what} (${CLOCK_KEY} changes that)` : NO_CLOCK}
            @click=${() => this.#context && nextClock(this.#context)}
        >
            ${name}
        </button>`;
    }
}

customElements.define("log-clock", LogClock);
