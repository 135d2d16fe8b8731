// The menu of a row: all that can be done with it. By a click with the other button, by a long press, by the menu key, or by the button
// that stands at a row's name.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { hideRows, setHeight, showOnly, step, togglePicked, togglePins } from "../arranging/acts.js";
import { DENSITIES, DENSITY_NAMES } from "../arranging/choice.js";
import { headerOfRow } from "../arranging/target.js";
import { visible } from "../format.js";
import { shownOf } from "../state.js";

/** @typedef {import("../arranging/acts.js").Named} Named */

export class RowMenu extends Part {
    static properties = { named: { state: true } };

    /** @type {import("../context.js").Context | null} */
    #context = null;

    constructor() {
        super();
        /** The row that it is about. @type {Named | null} */
        this.named = null;
    }

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [shownOf(state).rows, shownOf(state).picked]);
    }

    /** @returns {HTMLDialogElement} */
    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    /** @returns {HTMLElement[]} */
    get #items() {
        return [.../** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[role^=menuitem]"))];
    }

    /**
     * @param {Named} named
     * @param {{ x: number, y: number }} point in the window
     */
    async open(named, { x, y }) {
        if (this.#dialog.open) return;
        this.named = named;
        await this.updateComplete;
        this.#dialog.showModal();
        const { width, height } = this.#dialog.getBoundingClientRect();
        this.#dialog.style.left = `${Math.max(Math.min(x, innerWidth - width - 4), 4)}px`;
        this.#dialog.style.top = `${Math.max(Math.min(y, innerHeight - height - 4), 4)}px`;
        this.#items[0]?.focus();
    }

    render() {
        const { named } = this;
        return html`<dialog class="row-menu" aria-label=${named ? `Row ${visible(named.name)}` : nothing} @keydown=${this.#pressed} @pointerdown=${this.#pointed}>
            ${named ? this.#menu(named) : nothing}
        </dialog>`;
    }

    /** @param {Named} named */
    #menu(named) {
        const { row, name } = named;
        const { rows, picked } = this.shown;
        const isTrack = typeof row === "number";
        const height = rows.heights.find(([other]) => other === row)?.[1] ?? null;
        const item = (
            /** @type {string} */ text,
            /** @type {string} */ key,
            /** @type {(context: import("../context.js").Context) => void} */ act,
        ) =>
            html`<button type="button" role="menuitem" @click=${() => this.#act(act)}>${text}${key ? html` <kbd>${key}</kbd>` : nothing}</button>`;
        const size = (/** @type {import("../arranging/choice.js").Density | null} */ density, /** @type {string} */ text) =>
            html`<button
                type="button"
                role="menuitemradio"
                aria-checked=${String(density === height)}
                @click=${() => this.#act((context) => setHeight(context, named, density))}
            >
                ${text}
            </button>`;
        return html`<p class="muted">${visible(name)}</p>
            <div role="menu" aria-label=${visible(name)}>
                ${
                    isTrack
                        ? item(rows.pinned.includes(/** @type {number} */ (row)) ? "Unpin" : "Pin at the top", "P", (context) =>
                              togglePins(context, [named]),
                          )
                        : nothing
                }
                ${item(isTrack ? "Hide" : "Hide the group", "H", (context) => hideRows(context, [named]))}
                ${item(isTrack ? "Show this row only" : "Show this group only", "O", (context) => showOnly(context, [named]))}
                ${item(picked.includes(row) ? "No longer pick it" : "Pick it, to act on several", "X", (context) => togglePicked(context, named))}
                ${item("Move up", "Alt+↑", (context) => void step(context, named, -1))}
                ${item("Move down", "Alt+↓", (context) => void step(context, named, 1))}
                <div role="group" aria-label="Height" class="sizes">
                    <span class="muted">Height</span>
                    ${size(null, "as all")} ${DENSITIES.map((density) => size(density, DENSITY_NAMES[density]))}
                </div>
            </div>`;
    }

    /** @param {(context: import("../context.js").Context) => void} act */
    #act(act) {
        const { named } = this;
        this.#dialog.close();
        if (!this.#context) return;
        act(this.#context);
        // The focus returns to where it was: to the row, or to the timeline if that is gone.
        if (named && !headerOfRow(this.#context, named.row)) this.#context.timeline.focus();
    }

    /** @param {KeyboardEvent} event */
    #pressed = (event) => {
        event.stopPropagation();
        const items = this.#items;
        const at = items.findIndex((item) => item.matches(":focus"));
        const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        const to = event.key === "Home" ? 0 : event.key === "End" ? items.length - 1 : by && (at + by + items.length) % items.length;
        if (to === undefined) return;
        event.preventDefault();
        items[to]?.focus();
    };

    /**
     * A press beside the menu closes it. Not a click: the finger that has opened it clicks when it is lifted.
     * @param {PointerEvent} event
     */
    #pointed = (event) => {
        if (event.target !== this.#dialog) return;
        const { left, right, top, bottom } = this.#dialog.getBoundingClientRect();
        const isInside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
        if (!isInside) this.#dialog.close();
    };
}

customElements.define("row-menu", RowMenu);
