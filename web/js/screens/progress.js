// The progress of reading a log, with buttons to stop or cancel.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { progressText } from "../words.js";
import { shownOf } from "../state.js";

export class LogProgress extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;
    /** What it shows; unchanged after reading has ended. */
    #shown = { share: /** @type {number | null} */ (0), text: "", opening: true };

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [shownOf(state).log, state.phase, state.next, state.retryIn]);
    }

    willUpdate() {
        const { log } = this.shown;
        const { phase, next = null, retryIn = null } = this.store?.value ?? {};
        if (phase !== "loading") return;
        const [read, size] = next ? [next.read, next.file.size] : [log?.read ?? 0, log?.size ?? 0];
        // Nothing of the log being opened has been read yet, so nothing could be kept.
        this.#shown = { share: shareOf(read, size), text: progressText({ log, next, retryIn }), opening: next !== null };
    }

    render() {
        const { share, text, opening } = this.#shown;
        return html`
            <progress id="progress" max="1" value=${share ?? nothing} aria-label="Reading the log"></progress>
            <p id="progress-text" .textContent=${text}></p>
            <button id="stop" title="Keep what has been read" ?hidden=${opening} @click=${() => this.#context?.log.send("stop", null)}>Stop here</button>
            <button id="cancel" @click=${() => this.#context?.opener.cancel()}>Cancel</button>
        `;
    }
}

/**
 * The share that has been read; null if not known.
 * @param {number} read
 * @param {number} size
 */
function shareOf(read, size) {
    return size > 0 ? read / size : null;
}

customElements.define("log-progress", LogProgress);
