// The dialog for the rows of threads. The button on their heading opens it; choices take effect at once.

import { html, nothing } from "lit";
import { RowsDialog, choicesOf } from "./choosing.js";
import { addRowsOf } from "./rows-of.js";
import { Filter } from "../panels/filter.js";
import { count } from "../format.js";
import { ORDERS, PRESENCES, STATES, firstRows } from "../threads.js";
import { changeShown, shownOf } from "../state.js";

/** @typedef {import("../threads.js").ThreadsChoice} ThreadsChoice */

const LABELS = [
    { key: false, name: "each in its own row" },
    { key: true, name: "together in one row that unfolds" },
];

addRowsOf("threads", "Sort, filter and group the rows of threads");

export class ThreadRows extends RowsDialog {
    #search = new Filter(
        (text) => this.#choose({ text }),
        () => {},
        "Number or label",
    );

    /** @param {import("../context.js").Context} context */
    start({ store }) {
        this.watch(store, ({ range, ...state }) => {
            const { threads, log } = shownOf(state);
            return [threads, log?.groups, !log?.following, range === null];
        });
    }

    render() {
        const { threads, log } = this.shown;
        const { range = null } = this.store?.value ?? {};
        const shown = log?.groups.find(({ shown }) => shown)?.shown;
        const { order, state, presence, byLabel } = threads;
        const when = range ? "in the selection" : "at any time";
        const states = [{ key: null, name: "any" }, ...STATES.map((name, key) => ({ key, name }))];
        const content = html`
            ${choicesOf("Sorted by", ORDERS, order, (order) => this.#choose({ order }))}
            <div class="choices"><span>Number or label</span> ${this.#search.render()}</div>
            ${choicesOf(`State ${when}`, states, state, (state) => this.#choose({ state }))}
            ${choicesOf(`Present ${when}`, PRESENCES, presence, (presence) => this.#choose({ presence }))}
            ${choicesOf("Threads of one label", LABELS, byLabel, (byLabel) => this.#choose({ byLabel, unfolded: [] }))}
            ${log?.following ? html`<p class="muted">Rows are sorted once it is known what each thread did.</p>` : nothing}
            <p role="status">${shown ? `${count(shown[0])} of ${count(shown[1])} threads are shown` : nothing}</p>
        `;
        const all = html`<button type="button" id="rows-all" @click=${this.#showAll}>Show all</button>`;
        return this.framed("thread-rows", "Rows of threads", content, all);
    }

    #showAll() {
        this.#choose(firstRows());
        this.fill();
    }

    /** The search may have been cleared elsewhere. */
    fill() {
        const field = this.querySelector(".search");
        if (field) field.textContent = this.shown.threads.text;
    }

    /** @param {Partial<ThreadsChoice>} change */
    #choose(change) {
        if (this.store) changeShown(this.store, { threads: { ...this.shown.threads, ...change } });
    }
}

customElements.define("thread-rows", ThreadRows);
