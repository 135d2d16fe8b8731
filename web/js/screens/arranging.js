// Which rows threads have on the timeline: asked for by the button on their heading, and seen at once behind the dialog.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { Filter } from "../panels/filter.js";
import { count } from "../format.js";
import { ORDERS, PRESENCES, STATES, firstRows } from "../threads.js";

/** @typedef {import("../threads.js").ThreadsChoice} ThreadsChoice */

const LABELS = [
    { key: false, name: "each in a row" },
    { key: true, name: "together in one that unfolds" },
];

export class ThreadRows extends Part {
    #search = new Filter((text) => this.#choose({ text }), () => {}, "Number or label");

    /** @param {import("../store.js").Store<import("../panels/part.js").State>} store */
    start(store) {
        this.watch(store, ({ threads, log, range }) => [threads, log?.groups, range === null]);
    }

    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    show() {
        this.#dialog.showModal();
        this.#fill();
        /** @type {HTMLElement | null} */ (this.querySelector("#arranging-title"))?.focus();
    }

    render() {
        const { threads = firstRows(), log = null, range = null } = this.store?.value ?? {};
        const shown = log?.groups.find(({ shown }) => shown)?.shown;
        const { order, state, presence, byLabel } = threads;
        const when = range ? "in the selection" : "at any time";
        const states = [{ key: null, name: "any" }, ...STATES.map((name, key) => ({ key, name }))];
        return html`<dialog id="thread-rows" aria-labelledby="arranging-title" @keydown=${stay}>
            <h2 id="arranging-title" tabindex="-1">Rows of threads</h2>
            ${this.#choices("Sorted by", ORDERS, order, (order) => ({ order }))}
            <div class="choices"><span>Number or label</span> ${this.#search.render()}</div>
            ${this.#choices(`State ${when}`, states, state, (state) => ({ state }))}
            ${this.#choices(`Present ${when}`, PRESENCES, presence, (presence) => ({ presence }))}
            ${this.#choices("Threads of one label", LABELS, byLabel, (byLabel) => ({ byLabel, unfolded: [] }))}
            <p role="status">${shown ? `${count(shown[0])} of ${count(shown[1])} threads are shown` : nothing}</p>
            <form method="dialog">
                <button type="button" id="rows-all" @click=${this.#showAll}>Show all</button>
                <button>Close</button>
            </form>
        </dialog>`;
    }

    /**
     * Buttons, and no lists: where a page has many fields, browsers ask their makers what forms like that are for.
     * @template Key
     * @param {string} name
     * @param {{ key: Key, name: string }[]} list
     * @param {Key} chosen
     * @param {(key: Key) => Partial<ThreadsChoice>} change
     */
    #choices(name, list, chosen, change) {
        const button = (/** @type {{ key: Key, name: string }} */ { key, name }) =>
            html`<button type="button" aria-pressed=${String(key === chosen)} @click=${() => this.#choose(change(key))}>${name}</button>`;
        return html`<div class="choices" role="group" aria-label=${name}><span>${name}</span> ${list.map(button)}</div>`;
    }

    #showAll() {
        this.#choose(firstRows());
        this.#fill();
    }

    /** What was searched for may have been given up elsewhere. */
    #fill() {
        const field = this.querySelector(".search");
        if (field) field.textContent = this.store?.value.threads.text ?? "";
    }

    /** @param {Partial<ThreadsChoice>} change */
    #choose(change) {
        const { store } = this;
        store?.set({ threads: { ...store.value.threads, ...change } });
    }
}

/**
 * Keys are the dialog's while it is open, and not the timeline's.
 * @param {KeyboardEvent} event
 */
function stay(event) {
    event.stopPropagation();
}

customElements.define("thread-rows", ThreadRows);
