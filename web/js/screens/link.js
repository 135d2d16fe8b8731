// Between bar and timeline: that the page's link is about another log than the one on the screen; or that the log is shown as it was left.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { changeShown, shownOf } from "../state.js";
import { followLinkTo } from "../link/following.js";
import { fileText } from "../words.js";
import { follow } from "../store.js";

/** @typedef {import("../context.js").Context} Context */

export class LogLink extends Part {
    /** @type {Context | null} */
    #context = null;

    /** @param {Context} context */
    start(context) {
        this.#context = context;
        const { store } = context;
        this.watch(store, (state) => [state.link, shownOf(state).finished, shownOf(state).returned, state.shown]);
        // The whole log is in view, or something else is: the user has found the way.
        follow(
            store,
            ({ view, shown }) => [view, shown],
            (state) => {
                if (shownOf(state).returned && state.follows) changeShown(store, { returned: false });
            },
        );
    }

    render() {
        const context = this.#context;
        if (!context) return nothing;
        const { link } = context.store.value;
        const { finished, returned } = this.shown;
        if (link && finished) {
            return html`<div class="about-link" role="status">
                <p>The link is about ${fileText(link)}. This is another log.</p>
                <button @click=${() => this.#act(() => followLinkTo(context, link))}>Show it here all the same</button>
                <button @click=${() => this.#act(() => context.store.set({ link: null }))}>Forget the link</button>
            </div>`;
        }
        if (!returned || !finished) return nothing;
        return html`<div class="about-link" role="status">
            <p>Shown as you left it.</p>
            <button title="Show the whole log, with nothing selected" @click=${() => this.#act(() => this.#showAll(context))}>Whole log</button>
            <button aria-label="Close this line" title="Close" @click=${() => this.#act(() => changeShown(context.store, { returned: false }))}>✕</button>
        </div>`;
    }

    /** @param {() => void} act what a button does, which is gone then, and had the focus */
    #act(act) {
        act();
        this.#context?.timeline.focus();
    }

    /** @param {Context} context */
    #showAll({ moving, selecting, store }) {
        selecting.clear();
        store.set({ finding: null });
        moving.showAll();
        changeShown(store, { returned: false });
    }
}

customElements.define("log-link", LogLink);
