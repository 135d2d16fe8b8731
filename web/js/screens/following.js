// The progress of following the threads of a log, if that takes long, with buttons to stop and resume.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { percent } from "../format.js";
import { shownOf } from "../state.js";

/** Work that ends within this many ms is not shown. */
const SOON = 900;

export class LogFollowing extends Part {
    /** When it was last not under way. */
    #since = 0;
    /** @type {import("../context.js").Context | null} */
    #context = null;

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => {
            const { log, finished } = shownOf(state);
            return [log?.following?.share, log?.following?.stopped, finished];
        });
    }

    render() {
        const { log, finished } = this.shown;
        const { share = 0, stopped = false } = log?.following ?? {};
        if (!log?.following) this.#since = performance.now();
        this.hidden = !finished || !log?.following || (performance.now() - this.#since < SOON && !stopped);
        if (this.hidden) return nothing;
        const text = stopped
            ? `What the threads did is known of ${percent(share)} of the log`
            : `Finding out what each thread did: ${percent(share)}`;
        return html`
            <progress max="1" value=${share} aria-label="Finding out what each thread did"></progress>
            <p>${text}</p>
            <button id="follow" @click=${() => this.#context?.log.send("follow", stopped)}>${stopped ? "Continue" : "Stop"}</button>
        `;
    }
}

customElements.define("log-following", LogFollowing);
