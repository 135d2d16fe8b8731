// The search field in the bar, and its suggestions below it: a combo box. After ">" it finds commands, tabs and tracks, otherwise it searches
// the log.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { COMMAND } from "./mark.js";
import { commandsFor, completionsFor, recentFor, tracksFor } from "./suggestions.js";
import { clearSearch, searchFor, stepHit } from "./searching.js";
import { countText } from "./hits.js";
import { isPrint } from "../keys.js";
import { layoutMap } from "../keyboard.js";
import { drawerOf } from "../stage.js";
import { shownOf } from "../state.js";

/** @typedef {import("./suggestions.js").Suggestion} Suggestion */

export class LogSearch extends Part {
    static properties = { context: { attribute: false }, suggestions: { state: true }, at: { state: true }, open: { state: true } };

    /** Counts the questions for suggestions: of two answers, the newer one counts. */
    #asked = 0;
    /** @type {ReadonlyMap<string, string>} */
    #layout = new Map();

    constructor() {
        super();
        /** @type {import("../context.js").Context | null} */
        this.context = null;
        /** @type {Suggestion[]} */
        this.suggestions = [];
        /** The index of the active suggestion; -1 for none. */
        this.at = -1;
        /** Whether the suggestions are in sight. */
        this.open = false;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        if (!changed.has("context") || !this.context) return;
        this.watch(this.context.store, (state) => [state.shown, shownOf(state).search, shownOf(state).log !== null]);
    }

    get #field() {
        return /** @type {HTMLElement} */ (this.querySelector("#search-field"));
    }

    get #text() {
        return (this.#field.textContent ?? "").replaceAll("\n", " ");
    }

    /**
     * Moves the focus here, with a text to go on with; without one, with the text that is searched for.
     * @param {string} [text]
     */
    show(text) {
        void layoutMap().then((layout) => (this.#layout = layout));
        const field = this.#field;
        if (text !== undefined) field.textContent = text;
        field.focus();
        const selection = getSelection();
        selection?.selectAllChildren(field);
        // What one goes on with is not replaced by the next key.
        if (text) selection?.collapseToEnd();
        void this.#suggest();
    }

    render() {
        const { search } = this.shown;
        const { suggestions, at, open } = this;
        const isOpen = open && suggestions.length > 0;
        // Not an `input`: for those, Chromium asks Google's server how to fill them in.
        return html`<div class="search-box" @focusout=${this.#left}>
            <div
                id="search-field"
                class="search"
                role="combobox"
                contenteditable="plaintext-only"
                spellcheck="false"
                tabindex="0"
                aria-label="Search the log; > for commands"
                aria-keyshortcuts="/"
                aria-expanded=${isOpen}
                aria-controls="suggestions"
                aria-autocomplete="list"
                aria-activedescendant=${isOpen && at >= 0 ? `suggestion-${at}` : nothing}
                aria-invalid=${search?.report?.fault ? "true" : nothing}
                aria-describedby="search-status"
                data-empty="Search  /"
                @input=${this.#typed}
                @keydown=${this.#pressed}
            ></div>
            <span id="search-status" class="muted" role="status">${search ? countText(search) : ""}</span>
            ${
                search?.report?.found?.total
                    ? html`<button class="hit-step" aria-label="Previous hit" title="Previous hit (Shift+Enter)" @click=${() => this.#step(-1)}>⌃</button
                      ><button class="hit-step" aria-label="Next hit" title="Next hit (Enter)" @click=${() => this.#step(1)}>⌄</button>`
                    : nothing
            }
            <ul id="suggestions" role="listbox" aria-label="Suggestions" ?hidden=${!isOpen}>
                ${isOpen ? suggestions.map((suggestion, index) => this.#suggestion(suggestion, index)) : nothing}
            </ul>
        </div>`;
    }

    /**
     * @param {Suggestion} suggestion
     * @param {number} index
     */
    #suggestion(suggestion, index) {
        const { text, about, keys } = suggestion;
        const names = keys.map((key) => html` <kbd>${key.replaceAll("_", " ")}</kbd>`);
        // Pressing the pointer must not take the focus from the field.
        return html`<li
            id="suggestion-${index}"
            role="option"
            aria-selected=${index === this.at}
            @pointerdown=${(/** @type {Event} */ event) => event.preventDefault()}
            @click=${() => this.#take(suggestion)}
        ><span class="text">${text}</span>${about ? html` <span class="muted">${about}</span>` : nothing}${names}</li>`;
    }

    updated() {
        this.querySelector(`#suggestion-${this.at}`)?.scrollIntoView({ block: "nearest" });
        const { search } = this.shown;
        // The text that is searched for, when another log is shown, or a link led here.
        if (!this.#hasFocus && this.isConnected && this.#text !== (search?.text ?? "")) this.#field.textContent = search?.text ?? "";
    }

    get #hasFocus() {
        return /** @type {ShadowRoot} */ (this.getRootNode()).activeElement === this.#field;
    }

    #typed() {
        void this.#suggest();
    }

    async #suggest() {
        const { context } = this;
        if (!context) return;
        const asked = ++this.#asked;
        const text = this.#text;
        const isCommand = text.trimStart().startsWith(COMMAND);
        const rest = text.trimStart().slice(COMMAND.length).trim();
        const known = isCommand ? [...recentFor(context, rest), ...commandsFor(rest, this.#layout, drawerOf(context.stage).exports)] : [];
        if (isCommand) this.#offer(known, 0);
        const more = isCommand ? await tracksFor(context, rest) : await completionsFor(context, text, caretIn(this.#field));
        if (asked !== this.#asked) return;
        this.#offer([...known, ...more], isCommand ? Math.max(this.at, 0) : -1);
    }

    /**
     * @param {Suggestion[]} suggestions
     * @param {number} at the active one
     */
    #offer(suggestions, at) {
        this.suggestions = suggestions;
        this.at = Math.min(at, suggestions.length - 1);
        this.open = this.#hasFocus;
    }

    /** @param {Suggestion} suggestion */
    #take({ run, put }) {
        const { context } = this;
        if (!context) return;
        if (run) {
            this.#leave();
            this.#field.textContent = this.shown.search?.text ?? "";
            void run(context);
            return;
        }
        if (!put) return;
        const text = this.#text;
        this.#field.textContent = `${text.slice(0, put.from)}${put.text}${text.slice(put.to)}`;
        setCaret(this.#field, put.from + put.text.length);
        // Until new suggestions come, those in sight are for the old text: another Enter must not put one in again.
        this.at = -1;
        void this.#suggest();
    }

    /** Closes the suggestions, and gives the focus back to the timeline. */
    #leave() {
        this.#close();
        this.context?.timeline.focus();
    }

    #close() {
        this.#asked++;
        this.open = false;
        this.at = -1;
    }

    /** @param {FocusEvent} event */
    #left({ relatedTarget }) {
        if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.#close();
    }

    /** @param {1 | -1} by */
    #step(by) {
        if (this.context) void stepHit(this.context, by);
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        // What is typed here must not reach the keys of the timeline.
        if (!isPrint(event)) event.stopPropagation();
        const { key, shiftKey, isComposing } = event;
        if (isComposing) return;
        const act = {
            ArrowDown: () => this.#move(1),
            ArrowUp: () => this.#move(-1),
            Escape: () => this.#escape(),
            Enter: () => this.#enter(shiftKey),
        }[key];
        if (!act) return;
        event.preventDefault();
        act();
    }

    /** @param {1 | -1} by */
    #move(by) {
        const { length } = this.suggestions;
        if (!this.open) return void this.#suggest();
        // Before the first one is the field itself, unless a command must be chosen.
        const least = this.#text.trimStart().startsWith(COMMAND) ? 0 : -1;
        if (length > 0) this.at = this.at + by < least ? length - 1 : this.at + by >= length ? least : this.at + by;
    }

    #escape() {
        if (this.open && this.suggestions.length > 0 && this.at >= 0 && !this.#text.startsWith(COMMAND)) return this.#close();
        if (this.#text.startsWith(COMMAND)) this.#field.textContent = this.shown.search?.text ?? "";
        this.#leave();
    }

    /** @param {boolean} back */
    #enter(back) {
        const { context } = this;
        if (!context) return;
        const chosen = this.open ? this.suggestions[this.at] : undefined;
        if (chosen) return this.#take(chosen);
        const text = this.#text.trim();
        if (text.startsWith(COMMAND)) return;
        this.#close();
        const { search } = this.shown;
        if (!text) return clearSearch(context);
        if (search?.text === text && !search.report?.fault) void stepHit(context, back ? -1 : 1);
        else void searchFor(context, text);
    }
}

/**
 * Where the caret is, in characters of the field's text.
 * @param {HTMLElement} field
 */
export function caretIn(field) {
    const root = /** @type {ShadowRoot & { getSelection?: () => Selection | null }} */ (field.getRootNode());
    // Only Chromium has a selection of a shadow tree; elsewhere the document's reaches into it.
    const selection = root.getSelection?.() ?? getSelection();
    const inField = selection?.focusNode && field.contains(selection.focusNode);
    return inField ? selection.focusOffset : (field.textContent ?? "").length;
}

/**
 * @param {HTMLElement} field
 * @param {number} at
 */
export function setCaret(field, at) {
    getSelection()?.collapse(field.firstChild ?? field, field.firstChild ? at : 0);
}

customElements.define("log-search", LogSearch);
