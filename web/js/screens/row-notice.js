// Over the lowest rows of the timeline: what was done to rows, with a button that undoes it; and what can be done with the picked rows.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { hideRows, showOnly, togglePins, undo, unpick } from "../arranging/acts.js";
import { pickedRows } from "../arranging/target.js";
import { counted } from "../words.js";
import { shownOf } from "../state.js";

/** How long it can be undone by the button, in ms; the key undoes it later, too. */
const SHOWN = 8000;

export class RowNotice extends Part {
    static properties = { text: { state: true } };

    /** @type {import("../context.js").Context | null} */
    #context = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #ending;

    constructor() {
        super();
        this.text = "";
    }

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [shownOf(state).picked, state.shown]);
    }

    /** @param {string} text what was done */
    tell(text) {
        this.text = text;
        clearTimeout(this.#ending);
        this.#ending = setTimeout(() => (this.text = ""), SHOWN);
    }

    render() {
        const { picked } = this.shown;
        if (picked.length > 0) return this.#picks(picked.length);
        if (!this.text) return nothing;
        return html`<div class="row-notice" role="group" aria-label="Undo">
            <span>${this.text}</span>
            <button type="button" id="undo-rows" @click=${this.#undo}>Undo</button>
        </div>`;
    }

    /** @param {number} number */
    #picks(number) {
        const act = (/** @type {typeof showOnly} */ what) => () => this.#context && what(this.#context, pickedRows(this.#context));
        return html`<div class="row-notice" role="group" aria-label="Picked rows">
            <span>${counted(number, "row")}</span>
            <button type="button" id="picked-only" @click=${act(showOnly)}>Only these</button>
            <button type="button" id="picked-pin" @click=${act(togglePins)}>Pin</button>
            <button type="button" id="picked-hide" @click=${act(hideRows)}>Hide</button>
            <button type="button" id="picked-none" aria-label="Pick none" title="Pick none (Esc)" @click=${() => this.#context && unpick(this.#context)}>×</button>
        </div>`;
    }

    #undo = () => {
        const context = this.#context;
        if (!context) return;
        undo(context);
        context.timeline.focus();
    };
}

customElements.define("row-notice", RowNotice);
