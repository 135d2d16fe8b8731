// How far a log is read, and what can be done meanwhile.

import { html } from "lit";
import { Part } from "../panels/part.js";
import { progressText } from "../words.js";

/** @typedef {{ stop: () => void, cancel: () => void }} ProgressActs `stop` keeps what has been read */

export class LogProgress extends Part {
    /** @type {ProgressActs | null} */
    #acts = null;
    /** What it shows: it stays so once nothing is read any more. */
    #shown = { share: 0, text: "", opening: true };

    /**
     * @param {import("../store.js").Store<import("../panels/part.js").State>} store
     * @param {ProgressActs} acts
     */
    start(store, acts) {
        this.#acts = acts;
        this.watch(store, ({ log, phase, next }) => [log, phase, next]);
    }

    willUpdate() {
        const { log = null, phase, next = null } = this.store?.value ?? {};
        if (phase !== "loading") return;
        const [read, size] = next ? [next.read, next.file.size] : [log?.read ?? 0, log?.size ?? 0];
        // Nothing has been read yet of what is being opened that could be kept.
        this.#shown = { share: read / Math.max(size, 1), text: progressText({ log, next }), opening: next !== null };
    }

    render() {
        const { share, text, opening } = this.#shown;
        return html`
            <progress id="progress" max="1" .value=${share} aria-label="Reading the log"></progress>
            <p id="progress-text" .textContent=${text}></p>
            <button id="stop" title="Keep what has been read" ?hidden=${opening} @click=${() => this.#acts?.stop()}>Stop here</button>
            <button id="cancel" @click=${() => this.#acts?.cancel()}>Cancel</button>
        `;
    }
}

customElements.define("log-progress", LogProgress);
