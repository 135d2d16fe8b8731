// The base class of the parts around the timeline.

import { LitElement } from "lit";
import { follow } from "../store.js";
import { NO_LOG, shownOf } from "../state.js";

/** @typedef {import("../state.js").State} State */

/**
 * A part of the viewer that shows some of its state. It has no shadow tree of its own, so that one style sheet serves all parts, and labels
 * can refer to other parts.
 */
export class Part extends LitElement {
    createRenderRoot() {
        return this;
    }

    /**
     * Called once for each part of the frame, before its first rendering.
     * @param {import("../context.js").Context} _context
     */
    start(_context) {}

    /** The viewer's height, in CSS pixels; the window's if the viewer fills the page. */
    get room() {
        return /** @type {ShadowRoot} */ (this.getRootNode()).host.clientHeight;
    }

    /** The log on the screen. */
    get shown() {
        return this.store ? shownOf(this.store.value) : NO_LOG;
    }

    /**
     * @param {import("../store.js").Store<State>} store
     * @param {(state: State) => unknown[]} on gives the state that it shows: it is rendered again when that changes
     */
    watch(store, on) {
        this.store = store;
        follow(store, on, () => this.requestUpdate());
    }
}
