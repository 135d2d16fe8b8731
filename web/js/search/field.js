// The search field in the bar, and its suggestions below it: a combo box. After ">" it finds commands, tabs and tracks, otherwise it searches
// the log.

import { html, nothing } from "lit";
import { ComboBox, caretIn } from "./combo-box.js";
import { COMMAND } from "./mark.js";
import { commandsFor, completionsFor, recentFor, tracksFor, viewsFor } from "./suggestions.js";
import { clearSearch, findFirst, searchFor, stepHit } from "./searching.js";
import { countText } from "./hits.js";
import { layoutMap } from "../keyboard.js";
import { drawerOf } from "../stage.js";
import { shownOf } from "../state.js";
import { follow } from "../store.js";

/** @typedef {import("./suggestions.js").Suggestion} Suggestion */

export class LogSearch extends ComboBox {
    static properties = { context: { attribute: false }, fitsNothing: { state: true } };

    /** @type {ReadonlyMap<string, string>} */
    #layout = new Map();

    constructor() {
        super();
        /** @type {import("../context.js").Context | null} */
        this.context = null;
        /** Whether the text is of a command, and nothing has its words. */
        this.fitsNothing = false;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        const { context } = this;
        if (!changed.has("context") || !context) return;
        this.watch(context.store, (state) => [state.shown, shownOf(state).search, shownOf(state).log !== null]);
        // What a link with a query finds before threads have been followed lacks spans. Once: a log that nobody follows lacks them always.
        follow(
            context.store,
            (state) => [state.shown, !shownOf(state).log?.following],
            (state) => {
                const { log, search } = shownOf(state);
                if (log && !log.following && search?.report?.found?.waitsForReplay !== false && search)
                    void searchFor(context, search.text, { opens: false });
            },
        );
    }

    /** A command must be chosen. */
    get least() {
        return this.#isCommand ? 0 : -1;
    }

    get #isCommand() {
        return this.written.trimStart().startsWith(COMMAND);
    }

    /**
     * Moves the focus here. A given text is put in, with the caret at its end; otherwise the text in the field is selected.
     * @param {string} [text]
     */
    show(text) {
        void layoutMap().then((layout) => (this.#layout = layout));
        const { field } = this;
        if (text !== undefined) field.textContent = text;
        field.focus();
        const selection = getSelection();
        selection?.selectAllChildren(field);
        // The next key must not replace the given text.
        if (text) selection?.collapseToEnd();
        this.suggest();
    }

    render() {
        const { search } = this.shown;
        return html`<div class="search-box" @focusout=${this.left}>
            <div
                id="search-field"
                class="search"
                role="combobox"
                contenteditable="plaintext-only"
                spellcheck="false"
                tabindex="0"
                aria-label="Search the log; > for commands"
                aria-keyshortcuts="/"
                aria-expanded=${this.isOpen}
                aria-controls="suggestions"
                aria-autocomplete="list"
                aria-activedescendant=${this.activeId}
                aria-invalid=${search?.report?.fault ? "true" : nothing}
                aria-describedby="search-status"
                data-empty="Search  /"
                @input=${this.suggest}
                @keydown=${this.pressed}
            ></div>
            <span id="search-status" class="muted" role="status">${this.#status(search)}</span>
            ${
                search?.report?.found?.total
                    ? html`<button class="hit-step" aria-label="Previous hit" title="Previous hit (Shift+Enter)" @click=${() => this.#step(-1)}>⌃</button
                      ><button class="hit-step" aria-label="Next hit" title="Next hit (Enter)" @click=${() => this.#step(1)}>⌄</button>`
                    : nothing
            }
            ${this.list()}
        </div>`;
    }

    /** @param {import("../state.js").LogState["search"]} search */
    #status(search) {
        if (this.fitsNothing && this.#isCommand) return "no command, tab or track has that";
        return search ? countText(search) : "";
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        super.updated(changed);
        const text = this.shown.search?.text ?? "";
        const hasFocus = /** @type {ShadowRoot} */ (this.getRootNode()).activeElement === this.field;
        // The text that is searched for, when another log is shown, or a link led here.
        if (!hasFocus && this.isConnected && this.written !== text) this.field.textContent = text;
    }

    /** @param {() => boolean} isNewest */
    async find(isNewest) {
        const { context, written: text } = this;
        if (!context) return;
        const isCommand = this.#isCommand;
        const rest = text.trimStart().slice(COMMAND.length).trim();
        const known = isCommand
            ? [...recentFor(context, rest), ...viewsFor(context, rest), ...commandsFor(rest, this.#layout, drawerOf(context.stage).exports)]
            : [];
        if (isCommand) this.offer(known, 0);
        const more = isCommand ? await tracksFor(context, rest) : await completionsFor(context, text, caretIn(this.field));
        if (!isNewest()) return;
        this.offer([...known, ...more], isCommand ? Math.max(this.at, 0) : -1);
        this.fitsNothing = isCommand && known.length + more.length === 0;
    }

    /** @param {Suggestion} suggestion */
    take(suggestion) {
        const { context } = this;
        if (!context || !suggestion.run) return super.take(suggestion);
        this.#leave();
        this.field.textContent = this.shown.search?.text ?? "";
        void suggestion.run(context);
    }

    /** Closes the suggestions, and gives the focus back to the timeline. */
    #leave() {
        this.close();
        this.context?.timeline.focus();
    }

    /** @param {1 | -1} by */
    #step(by) {
        if (this.context) void stepHit(this.context, by);
    }

    escape() {
        if (this.isOpen && this.at >= 0 && !this.#isCommand) return this.close();
        if (this.#isCommand) this.field.textContent = this.shown.search?.text ?? "";
        this.#leave();
    }

    /** @param {boolean} back */
    enter(back) {
        const { context } = this;
        const text = this.written.trim();
        if (!context || text.startsWith(COMMAND)) return;
        this.close();
        const { search } = this.shown;
        if (!text) clearSearch(context);
        else if (search?.text === text && !search.report?.fault) void stepHit(context, back ? -1 : 1);
        else void findFirst(context, text);
    }
}

customElements.define("log-search", LogSearch);
