// The notes of a log, in order of time.

import { html } from "lit";
import { Part } from "./part.js";
import { visible } from "../format.js";
import { timeOfNote } from "../notes/notes.js";

/** @typedef {import("../notes/notes.js").Note} Note */

/**
 * @typedef {object} NoteActs
 * @property {(note: Note) => void} go shows its time
 * @property {(note: Note) => void} edit
 * @property {((note: Note) => void) | null} link copies a link to its time; null where there are no links
 * @property {() => void} take writes a new one
 */

export class LogNotes extends Part {
    static properties = { shownWith: { attribute: false } };

    constructor() {
        super();
        /** @type {import("./section.js").Shown | null} */
        this.shownWith = null;
    }

    render() {
        const { notes = [], acts, printed } = this.shownWith ?? {};
        const add = printed
            ? ""
            : html`<p class="muted">Press <kbd>M</kbd>, or <button class="copy" @click=${() => acts?.notes.take()}>write a note</button> at what is selected. Notes are kept in this browser and in saved pages; short ones are in the link, too.</p>`;
        return html`${notes.length > 0 ? html`<ol class="notes">${notes.map((note) => this.#note(note))}</ol>` : ""} ${add}`;
    }

    /** @param {Note} note */
    #note(note) {
        const { times, acts, log, printed } = this.shownWith ?? {};
        if (!times || !log) return "";
        const { from, to } = timeOfNote({ log }, note);
        const time = to > from ? times.interval(from, to) : times.text(from);
        if (printed) return html`<li><span class="time">${time}</span> <span class="text">${visible(note.text)}</span></li>`;
        return html`<li>
            <button class="place time" title="Show this time" @click=${() => acts?.notes.go(note)}>${time}</button>
            <span class="text">${note.text.split("\n").map((line, at) => html`${at > 0 ? html`<br>` : ""}${visible(line)}`)}</span>
            <button class="copy" aria-label="Change the note ${visible(note.text.slice(0, 40))}" @click=${() => acts?.notes.edit(note)}>Change</button>
            ${acts?.notes.link ? html`<button class="copy" aria-label="Copy link to the note ${visible(note.text.slice(0, 40))}" @click=${() => acts.notes.link?.(note)}>Copy link</button>` : ""}
        </li>`;
    }
}

customElements.define("log-notes", LogNotes);
