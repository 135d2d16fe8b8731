// Which rows threads have on the timeline: asked for by the button on their heading, and seen at once behind the dialog.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { count } from "../format.js";
import { ORDERS, PRESENCES, STATES, firstRows } from "../threads.js";

/** @typedef {import("../threads.js").ThreadsChoice} ThreadsChoice */

export class ThreadRows extends Part {
    /** @param {import("../store.js").Store<import("../panels/part.js").State>} store */
    start(store) {
        this.watch(store, ({ threads, log, range }) => [threads, log?.groups, range === null]);
    }

    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    show() {
        this.#dialog.showModal();
        /** @type {HTMLElement | null} */ (this.querySelector("#arranging-title"))?.focus();
    }

    render() {
        const { threads = firstRows(), log = null, range = null } = this.store?.value ?? {};
        const shown = log?.groups.find(({ shown }) => shown)?.shown;
        const { order, text, state, presence, byLabel } = threads;
        const option = (/** @type {string} */ value, /** @type {string} */ name, /** @type {boolean} */ chosen) =>
            html`<option value=${value} ?selected=${chosen}>${name}</option>`;
        const present = (/** @type {string} */ name) => (name === "all" ? name : `${name} ${range ? "in the selection" : "at any time"}`);
        return html`<dialog id="thread-rows" aria-labelledby="arranging-title" @keydown=${stay}>
            <h2 id="arranging-title" tabindex="-1">Rows of threads</h2>
            <div class="fields">
                <label for="rows-order">Sorted by</label>
                <select id="rows-order" @change=${this.#with((order) => ({ order }))}>${ORDERS.map(({ key, name }) => option(key, name, key === order))}</select>
                <label for="rows-text">Number or label</label>
                <input id="rows-text" type="search" .value=${text} @input=${this.#with((text) => ({ text }))} />
                <label for="rows-state">State</label>
                <select id="rows-state" @change=${this.#with((state) => ({ state: state === "" ? null : Number(state) }))}>
                    ${option("", "any", state === null)} ${STATES.map((name, at) => option(String(at), `${name} ${range ? "in the selection" : "at any time"}`, at === state))}
                </select>
                <label for="rows-presence">Present</label>
                <select id="rows-presence" @change=${this.#with((presence) => ({ presence }))}>
                    ${PRESENCES.map(({ key, name }) => option(key, present(name), key === presence))}
                </select>
                <span></span>
                <label><input id="rows-by-label" type="checkbox" .checked=${byLabel} @change=${this.#turn} /> Threads of one label share a row, which unfolds</label>
            </div>
            <p role="status">${shown ? `${count(shown[0])} of ${count(shown[1])} threads have rows` : nothing}</p>
            <form method="dialog">
                <button type="button" id="rows-all" @click=${() => this.#choose(firstRows())}>Show all</button>
                <button>Close</button>
            </form>
        </dialog>`;
    }

    /** @param {(value: string) => Partial<ThreadsChoice>} change */
    #with(change) {
        return (/** @type {Event} */ { target }) => this.#choose(change(/** @type {HTMLInputElement | HTMLSelectElement} */ (target).value));
    }

    /** @param {Event} event */
    #turn({ target }) {
        this.#choose({ byLabel: /** @type {HTMLInputElement} */ (target).checked, unfolded: [] });
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
