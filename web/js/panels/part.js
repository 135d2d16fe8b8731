// What the parts around the timeline have in common.

import { LitElement } from "lit";
import { follow } from "../store.js";
import { NO_LOG, shownOf } from "../state.js";

/** @typedef {import("../state.js").State} State */

/**
 * A part of the viewer that shows some of its state. It stands in the viewer's own tree, so that one style sheet serves all
 * parts, and labels reach from one to another.
 */
export class Part extends LitElement {
    createRenderRoot() {
        return this;
    }

    /**
     * Is called once for each part of the frame, before it is rendered first.
     * @param {import("../context.js").Context} _context
     */
    start(_context) {}

    /** The viewer's height, in CSS pixels: the window's, where the page is its own. */
    get room() {
        return /** @type {ShadowRoot} */ (this.getRootNode()).host.clientHeight;
    }

    /** The log that the reader sees. */
    get shown() {
        return this.store ? shownOf(this.store.value) : NO_LOG;
    }

    /**
     * @param {import("../store.js").Store<State>} store
     * @param {(state: State) => unknown[]} on what it shows of the state: it is rendered again when that changes
     */
    watch(store, on) {
        this.store = store;
        follow(store, on, () => this.requestUpdate());
    }
}
