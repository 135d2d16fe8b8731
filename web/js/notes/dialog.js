// Writing a note, or changing one.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { LONGEST, changeNote, timeOfNote } from "./notes.js";
import { shownOf } from "../state.js";
import { timesOf } from "../page-time.js";

/** @typedef {import("./notes.js").Note} Note */

export class LogNoting extends Part {
    static properties = { note: { state: true }, isNew: { state: true }, trouble: { state: true } };

    /** @type {import("../context.js").Context | null} */
    #context = null;

    constructor() {
        super();
        /** The note as it was. @type {Note | null} */
        this.note = null;
        this.isNew = true;
        this.trouble = "";
    }

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [state.clock]);
    }

    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    get #field() {
        return /** @type {HTMLElement} */ (this.querySelector("#note-text"));
    }

    /**
     * @param {Note} note to change; or a new one, without a text
     */
    show(note) {
        this.note = note;
        this.isNew = !note.text;
        this.trouble = "";
        this.#field.textContent = note.text;
        this.#dialog.showModal();
        this.#field.focus();
        getSelection()?.selectAllChildren(this.#field);
    }

    render() {
        const { note, isNew } = this;
        return html`<dialog id="noting" aria-labelledby="noting-title" @keydown=${this.#pressed}>
            <h2 id="noting-title">${isNew ? "New note" : "Note"}</h2>
            <p class="muted">${note ? this.#timeText(note) : nothing}</p>
            <div
                id="note-text"
                class="search"
                role="textbox"
                aria-multiline="true"
                contenteditable="plaintext-only"
                aria-label="Note"
                aria-describedby="note-trouble"
                tabindex="0"
            ></div>
            <p id="note-trouble" role="status">${this.trouble || nothing}</p>
            <form method="dialog">
                <button type="button" id="note-keep" title="Save the note (Ctrl+Enter)" @click=${this.#keep}>Save</button>
                ${isNew ? nothing : html`<button type="button" id="note-remove" @click=${this.#remove}>Delete</button>`}
                <button>Cancel</button>
            </form>
        </dialog>`;
    }

    /** @param {Note} note */
    #timeText(note) {
        if (!this.store) return "";
        const { from, to } = timeOfNote(this.shown, note);
        const times = timesOf(this.store.value, this.shown);
        return to > from ? times.interval(from, to) : times.text(from);
    }

    #keep() {
        const [context, note] = [this.#context, this.note];
        if (!context || !note) return;
        const text = (this.#field.innerText ?? "").trim();
        if (!text) {
            this.trouble = "Write something first.";
            return this.#field.focus();
        }
        if (text.length > LONGEST) {
            this.trouble = `A note has at most ${LONGEST} characters; this one has ${text.length}.`;
            return;
        }
        // The log may have been closed meanwhile.
        const { log, notes } = shownOf(context.store.value);
        const trouble = log ? changeNote(context, this.isNew ? null : note, { ...note, text }) : "";
        // Without room for it, what was written is still here.
        if (trouble && shownOf(context.store.value).notes === notes) {
            this.trouble = trouble;
            return;
        }
        this.#leave(trouble || "The note is saved");
        if (trouble) context.note(trouble);
    }

    #remove() {
        const [context, note] = [this.#context, this.note];
        if (context && note) void changeNote(context, note, null);
        this.#leave("The note is deleted");
    }

    /** @param {string} said */
    #leave(said) {
        this.#dialog.close();
        this.#context?.say(said);
    }

    /** @param {KeyboardEvent} event what is typed here must not reach the keys of the timeline */
    #pressed(event) {
        event.stopPropagation();
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        this.#keep();
    }
}

customElements.define("log-noting", LogNoting);
