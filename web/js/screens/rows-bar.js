// At the head of the tracks' names: a field that shows only rows with a text in their names, and the button for arranging all rows. While
// only some rows are shown, it says so instead, and shows all again.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { Filter } from "../panels/filter.js";
import { filterRows, openArranging, widen } from "../arranging/acts.js";
import { counted } from "../words.js";
import { shownOf } from "../state.js";

export class RowsBar extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;
    #filter = new Filter(
        (text) => this.#context && filterRows(this.#context, text.trim()),
        () => this.#context?.timeline.focus(),
        "Filter the rows by name",
    );

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [shownOf(state).rows, shownOf(state).log !== null]);
    }

    /** Moves the focus to the field. */
    search() {
        /** @type {HTMLElement | null} */ (this.querySelector(".search"))?.focus();
    }

    render() {
        const { rows, log } = this.shown;
        if (!log) return nothing;
        const arrange = html`<button
            type="button"
            id="arrange-rows"
            aria-label="Arrange the rows"
            title="Heights, hidden rows, saved views"
            @click=${() => this.#context && openArranging(this.#context.stage)}
        >
            ⚙
        </button>`;
        if (!rows.only) return html`${this.#filter.render()}${arrange}`;
        return html`<button type="button" id="only-some" title="Show all rows (Esc)" @click=${() => this.#context && widen(this.#context)}>
                ${counted(rows.only.length, rows.only.length === 1 ? "row" : "row")} only ×</button
            >${arrange}`;
    }

    /** The text may have been changed elsewhere: by a link, or a saved view. */
    updated() {
        const field = this.querySelector(".search");
        const { text } = this.shown.rows;
        if (field && field.textContent?.trim() !== text && !field.matches(":focus")) field.textContent = text;
    }
}

customElements.define("rows-bar", RowsBar);
