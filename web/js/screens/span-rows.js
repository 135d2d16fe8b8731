// The dialog for the rows of the program's own spans, and for more words that begin and end them. The button on their heading opens it.

import { html, nothing } from "lit";
import { RowsDialog, choicesOf } from "./choosing.js";
import { addRowsOf } from "./rows-of.js";
import { MOST_PAIRS, rememberWords, wordsOf } from "../spans.js";
import { counted } from "../words.js";
import { changeShown, shownOf } from "../state.js";

const WHOSE = [
    { key: false, name: "each label" },
    { key: true, name: "each thread" },
];

const PLACES = [
    { key: false, name: "before the label" },
    { key: true, name: "after the label" },
];

/** The fields for the words, in order. */
const FIELDS = ["A span begins with", "and ends with"];

/** What is known without the user. */
const KNOWN = [
    "START label … STOP label or END label",
    "START:label … END:label",
    "GHC:started: … GHC:finished:",
    "trace-foreign-calls: call … return",
    "label started … label ended, if there are both",
    "opentelemetry-haskell",
];

addRowsOf("spans", "Rows by label or by thread, and the words that begin and end a span");

export class SpanRows extends RowsDialog {
    static properties = { wrong: { state: true }, isAfter: { state: true } };

    /** Whether the chosen words are remembered. */
    #remembers = false;

    constructor() {
        super();
        /** Why the typed words cannot be used. */
        this.wrong = "";
        /** Whether the typed words come after the label. */
        this.isAfter = false;
    }

    /** @param {import("../context.js").Context} context */
    start({ stage, store }) {
        this.#remembers = stage.own;
        this.watch(store, ({ spanWords, ...state }) => {
            const { spans, log } = shownOf(state);
            return [spans, spanWords, log?.groups, log?.following];
        });
    }

    render() {
        const { spans, log } = this.shown;
        const pairs = this.#pairs;
        const group = log?.groups.find(({ key }) => key === "spans");
        const rows = group && group.tracks > 0 ? counted(group.tracks, "row") : "No such span in this log";
        const content = html`
            ${choicesOf("Rows for", WHOSE, spans.byThread, (byThread) => this.store && changeShown(this.store, { spans: { ...spans, byThread } }))}
            <p class="muted">These words are known: ${KNOWN.map((words, at) => html`${at > 0 ? "; " : nothing}<code>${words}</code>`)}.</p>
            <div class="choices">${FIELDS.map((name) => this.#field(name))}</div>
            ${choicesOf("They are", PLACES, this.isAfter, (after) => (this.isAfter = after))}
            <div class="choices">
                <button type="button" id="look-for-words" @click=${this.#lookFor}>Look for these, too</button>
            </div>
            ${pairs.length === 0 ? nothing : html`<ul id="own-words" aria-label="Your words">${pairs.map((pair, at) => this.#pair(pair, at))}</ul>`}
            <p role="status">${this.wrong || (log?.following ? "Looking for spans…" : rows)}</p>
        `;
        return this.framed("span-rows", "Rows of spans", content);
    }

    get #pairs() {
        return this.store?.value.spanWords ?? [];
    }

    /** Not an `input`, as in filters. @param {string} name */
    #field(name) {
        return html`<span>${name}</span>
            <div
                class="search"
                role="textbox"
                contenteditable="plaintext-only"
                spellcheck="false"
                tabindex="0"
                aria-label=${name}
                @keydown=${this.#typed}
            ></div>`;
    }

    /** @param {import("../spans.js").SpanWords} pair @param {number} at */
    #pair({ begin, end, after }, at) {
        const [first, last] = [begin, end].map((word) => (after ? `label ${word}` : `${word} label`));
        return html`<li>
            <code>${first}</code> … <code>${last}</code>
            <button type="button" aria-label="Remove ${begin} and ${end}" @click=${() => this.#remove(at)}>Remove</button>
        </li>`;
    }

    /** @param {KeyboardEvent} event */
    #typed = (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.#lookFor();
    };

    #lookFor = () => {
        const [begin, end] = [...this.querySelectorAll("[role=textbox]")].map((field) => field.textContent ?? "");
        const words = wordsOf(begin, end, this.isAfter);
        const isFull = this.#pairs.length >= MOST_PAIRS;
        this.wrong = isFull ? "There is no room for more words" : words ? "" : "Enter two different words, without commas";
        if (!words || isFull) return;
        const others = this.#pairs.filter((pair) => JSON.stringify(pair) !== JSON.stringify(words));
        this.#take([...others, words]);
        this.fill();
    };

    /** @param {number} at */
    #remove(at) {
        this.#take(this.#pairs.filter((_, other) => other !== at));
        // The button goes, and it had the focus.
        /** @type {HTMLElement | null} */ (this.querySelector("h2"))?.focus();
    }

    /** @param {import("../spans.js").SpanWords[]} spanWords */
    #take(spanWords) {
        this.store?.set({ spanWords });
        if (this.#remembers) rememberWords(spanWords);
    }

    fill() {
        this.wrong = "";
        for (const field of this.querySelectorAll("[role=textbox]")) field.textContent = "";
    }
}

customElements.define("span-rows", SpanRows);
