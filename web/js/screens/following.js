// How far the threads of a log are followed, where that takes long; and what can be done meanwhile.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { percent } from "../format.js";

export class LogFollowing extends Part {
    /** @type {(on: boolean) => void} */
    #follow = () => {};

    /**
     * @param {import("../store.js").Store<import("../panels/part.js").State>} store
     * @param {(on: boolean) => void} follow follows them further, or no further
     */
    start(store, follow) {
        this.#follow = follow;
        this.watch(store, ({ log, finished }) => [log?.following?.share, log?.following?.stopped, finished]);
    }

    render() {
        const { log = null, finished = false } = this.store?.value ?? {};
        const { share = 0, stopped = false } = log?.following ?? {};
        // What is done within a second is not told.
        this.hidden = !finished || !log?.following || (share === 0 && !stopped);
        if (this.hidden) return nothing;
        const text = stopped ? `Threads were followed through ${percent(share)} of the log` : `Following the threads through the log: ${percent(share)}`;
        return html`
            <progress max="1" value=${share} aria-label="Following the threads"></progress>
            <p>${text}</p>
            <button id="follow" @click=${() => this.#follow(stopped)}>${stopped ? "Go on" : "Stop"}</button>
        `;
    }
}

customElements.define("log-following", LogFollowing);
