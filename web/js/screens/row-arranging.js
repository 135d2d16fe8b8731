// The dialog for arranging all rows: their height, the hidden and the pinned ones, and saved views. Choices take effect at once.

import { html, nothing } from "lit";
import { RowsDialog, choicesOf } from "./choosing.js";
import { restore, setHeight, showRows, togglePins, undo } from "../arranging/acts.js";
import { DENSITIES, DENSITY_NAMES } from "../arranging/choice.js";
import { LONGEST, presentView, putView, showView, viewsOf } from "../arranging/views.js";
import { visible } from "../format.js";
import { shownOf } from "../state.js";

/** @typedef {import("../arranging/views.js").Listed} Listed */
/** @typedef {import("../arranging/choice.js").RowName} RowName */

/** @type {{ key: import("../arranging/choice.js").Density | null, name: string }[]} */
const HEIGHTS = [{ key: null, name: "as there is room" }, ...DENSITIES.map((key) => ({ key, name: DENSITY_NAMES[key] }))];

const WHOSE = [
    { key: false, name: "this log" },
    { key: true, name: "all logs, by the rows' names" },
];

const TIMES = [
    { key: false, name: "rows" },
    { key: true, name: "rows and the time in view" },
];

export class RowArranging extends RowsDialog {
    static properties = { ofAll: { state: true }, withTime: { state: true }, wrong: { state: true }, renaming: { state: true } };

    /** @type {import("../context.js").Context | null} */
    #context = null;

    constructor() {
        super();
        /** Whether the next view is saved for all logs. */
        this.ofAll = false;
        /** Whether the next view is saved with the time. */
        this.withTime = false;
        this.wrong = "";
        /** The view that gets another name. @type {Listed | null} */
        this.renaming = null;
    }

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [shownOf(state).rows, shownOf(state).placed, shownOf(state).rowsBefore, state.shown]);
    }

    render() {
        const { rows, rowsBefore } = this.shown;
        const content = html`
            ${choicesOf("Height of all rows", HEIGHTS, rows.height, (height) => this.#context && setHeight(this.#context, null, height))}
            ${this.#list("hidden-rows", "Hidden", rows.hidden, "Show", (named) => this.#context && showRows(this.#context, [named]))}
            ${
                rows.hidden.length > 1
                    ? html`<p><button type="button" id="show-all-hidden" @click=${() => this.#context && showRows(this.#context, null)}>Show all hidden</button></p>`
                    : nothing
            }
            ${this.#list("pinned-rows", "Pinned", rows.pinned, "Unpin", (named) => this.#context && togglePins(this.#context, [named]))}
            ${this.#views()}
            <p class="muted" id="arranging-keys">
                On a row's name: P pins, H hides, O shows it only, Alt+↑, Alt+↓ move it, Shift+D changes its height, X picks it.
            </p>
            <p role="status">${this.wrong}</p>
        `;
        const buttons = html`<button type="button" id="rows-undo" ?disabled=${rowsBefore.length === 0} @click=${() => this.#context && undo(this.#context)}>
                Undo
            </button>
            <button type="button" id="rows-restore" @click=${() => this.#context && restore(this.#context)}>All as at first</button>`;
        return this.framed("row-arranging", "Arrange the rows", content, buttons);
    }

    /**
     * @param {string} id
     * @param {string} title
     * @param {readonly RowName[]} rows
     * @param {string} act
     * @param {(named: import("../arranging/acts.js").Named) => void} run
     */
    #list(id, title, rows, act, run) {
        if (rows.length === 0) return nothing;
        const item = (/** @type {RowName} */ row) => {
            const { name, group } = this.#nameOf(row);
            return html`<li>
                <span class="name">${name}</span> <span class="muted">${group}</span>
                <button type="button" aria-label="${act} ${name}" @click=${() => run({ row, name })}>${act}</button>
            </li>`;
        };
        return html`<h3>${title}</h3>
            <ul id=${id} class="row-list" aria-label=${title}>${rows.map(item)}</ul>`;
    }

    /** @param {RowName} row */
    #nameOf(row) {
        const { log, placed } = this.shown;
        const groupOf = (/** @type {unknown} */ key) => log?.groups.find((group) => group.key === key)?.name;
        if (typeof row === "string") return { name: groupOf(row) ?? row, group: groupOf(row) ? "a group" : "not in this log" };
        const place = placed.find(({ track }) => track.id === row);
        return place ? { name: visible(place.track.name), group: groupOf(place.group) ?? "" } : { name: "a row", group: "not in this log" };
    }

    #views() {
        if (!this.#context) return nothing;
        const { stage } = this.#context;
        const views = viewsOf(this.#context);
        // The browser's storage belongs to the page.
        if (!stage.own) return nothing;
        return html`<h3>Saved views</h3>
            ${views.length > 0 ? html`<ul id="saved-views" class="row-list" aria-label="Saved views">${views.map((view) => this.#view(view))}</ul>` : nothing}
            <div class="choices">
                <span>${this.renaming ? `Another name for ${visible(this.renaming.name)}` : "Save what is shown as"}</span>
                <div
                    id="view-name"
                    class="search"
                    role="textbox"
                    contenteditable="plaintext-only"
                    spellcheck="false"
                    tabindex="0"
                    aria-label=${this.renaming ? "New name of the view" : "Name of the view"}
                    @keydown=${this.#typed}
                ></div>
                <button type="button" id="save-view" @click=${this.#save}>${this.renaming ? "Rename" : "Save"}</button>
                ${this.renaming ? html`<button type="button" @click=${() => this.#rename(null)}>Cancel</button>` : nothing}
            </div>
            ${
                this.renaming
                    ? nothing
                    : html`${choicesOf("For", WHOSE, this.ofAll, (ofAll) => (this.ofAll = ofAll))}
                      ${choicesOf("With", TIMES, this.withTime, (withTime) => (this.withTime = withTime))}`
            }`;
    }

    /** @param {Listed} view */
    #view(view) {
        const { name, ofAll, time } = view;
        const about = [ofAll ? "for all logs" : "", time ? "with its time" : ""].filter(Boolean).join(", ");
        return html`<li>
            <button type="button" class="view" @click=${() => this.#show(view)}>${visible(name)}</button> <span class="muted">${about}</span>
            <button type="button" aria-label="Rename ${visible(name)}" @click=${() => this.#rename(view)}>Rename</button>
            <button type="button" aria-label="Delete ${visible(name)}" @click=${() => this.#change(view, null)}>Delete</button>
        </li>`;
    }

    /** @returns {HTMLElement | null} */
    get #field() {
        return this.querySelector("#view-name");
    }

    /** @param {KeyboardEvent} event */
    #typed = (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.#save();
    };

    #save = () => {
        const context = this.#context;
        const name = (this.#field?.textContent ?? "").replaceAll("\n", " ").trim().slice(0, LONGEST);
        if (!context || !this.#field) return;
        if (!name) {
            this.wrong = "Give the view a name first";
            this.#field.focus();
            return;
        }
        this.#field.textContent = "";
        if (this.renaming) {
            const { renaming } = this;
            this.#change(renaming, { ...renaming, name });
            this.wrong = `${visible(renaming.name)} is now ${visible(name)}`;
        } else {
            const isKept = this.#change({ name, ofAll: this.ofAll }, presentView(context, name, this.withTime));
            this.wrong = isKept ? `${visible(name)} is saved` : `${visible(name)} cannot be saved: the browser has no room for it`;
        }
    };

    /**
     * @param {Parameters<typeof putView>[1]} old
     * @param {import("../arranging/views.js").SavedView | null} view
     * @returns {boolean} whether it is kept
     */
    #change(old, view) {
        const isKept = this.#context !== null && putView(this.#context, old, view);
        if (!view) this.wrong = `${visible(old.name)} is deleted`;
        this.renaming = null;
        this.requestUpdate();
        return isKept;
    }

    /** @param {Listed | null} view */
    #rename(view) {
        this.renaming = view;
        if (this.#field) this.#field.textContent = view?.name ?? "";
        this.#field?.focus();
    }

    /** @param {Listed} view */
    #show(view) {
        this.dialog.close();
        if (this.#context) void showView(this.#context, view);
        this.#context?.timeline.focus();
    }

    fill() {
        this.wrong = "";
        this.renaming = null;
        if (this.#field) this.#field.textContent = "";
        this.requestUpdate();
    }
}

customElements.define("row-arranging", RowArranging);
