// The dialog for the rows of the program's own spans, and for the words that begin and end them. The button on their heading opens it.

import { html, nothing } from "lit";
import { RowsDialog, choicesOf } from "./choosing.js";
import { addRowsOf } from "./rows-of.js";
import { FIRST_WORDS } from "../protocol.js";
import { isFirst, rememberWords, wordsOf } from "../spans.js";
import { counted } from "../words.js";
import { changeShown, shownOf } from "../state.js";

const WHOSE = [
    { key: false, name: "each label" },
    { key: true, name: "each thread" },
];

/** The fields for the words, in order. */
const FIELDS = ["A span begins with", "and ends with"];

addRowsOf("spans", "Rows by label or by thread, and the words that begin and end a span");

export class SpanRows extends RowsDialog {
    static properties = { wrong: { state: true } };

    /** Whether the chosen words are remembered. */
    #remembers = false;

    constructor() {
        super();
        /** Why the typed words cannot be used. */
        this.wrong = "";
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
        const { spanWords = FIRST_WORDS } = this.store?.value ?? {};
        const group = log?.groups.find(({ key }) => key === "spans");
        const rows = group && group.tracks > 0 ? counted(group.tracks, "row") : "No such span in this log";
        const content = html`
            ${choicesOf("Rows for", WHOSE, spans.byThread, (byThread) => this.store && changeShown(this.store, { spans: { ...spans, byThread } }))}
            <div class="choices">${FIELDS.map((name) => this.#field(name))}</div>
            <div class="choices">
                <button type="button" id="look-for-words" @click=${this.#lookFor}>Look for these</button>
                ${isFirst(spanWords) ? nothing : html`<button type="button" id="first-words" @click=${this.#useFirst}>Use ${FIRST_WORDS.begin} and ${FIRST_WORDS.end}</button>`}
            </div>
            <p class="muted">In the program’s messages, each comes before the span’s label: <code>traceEventIO "${spanWords.begin} label"</code></p>
            <p role="status">${this.wrong || (log?.following ? "Looking for spans…" : rows)}</p>
        `;
        return this.framed("span-rows", "Rows of spans", content);
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

    /** @param {KeyboardEvent} event */
    #typed = (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.#lookFor();
    };

    #lookFor = () => {
        const [begin, end] = [...this.querySelectorAll("[role=textbox]")].map((field) => field.textContent ?? "");
        const words = wordsOf(begin, end);
        this.wrong = words ? "" : "Enter two different words, without commas";
        if (words) this.#take(words);
    };

    #useFirst = () => {
        this.#take(FIRST_WORDS);
        this.fill();
        // The button goes, and it had the focus.
        /** @type {HTMLElement | null} */ (this.querySelector("h2"))?.focus();
    };

    /** @param {import("../spans.js").SpanWords} spanWords */
    #take(spanWords) {
        this.store?.set({ spanWords });
        if (this.#remembers) rememberWords(spanWords);
    }

    fill() {
        const { begin, end } = this.store?.value.spanWords ?? FIRST_WORDS;
        this.wrong = "";
        [...this.querySelectorAll("[role=textbox]")].forEach((field, at) => (field.textContent = [begin, end][at]));
    }
}

customElements.define("span-rows", SpanRows);
