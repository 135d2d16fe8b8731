// The dialog that sets where places in the source lead.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { NO_LINKS, addressOf, faultOf } from "./link.js";
import { setLinks } from "./setting.js";

/** An example of a place, and of a template. */
const PLACE = "src/Main.hs:12:3-20";
const MODULE = "Main";
const EXAMPLE = "https://example.org/me/program/blob/{commit}/{file}#L{line}";

export class LogSources extends Part {
    static properties = { template: { state: true }, commit: { state: true }, isAsked: { state: true } };

    /** @type {import("../context.js").Context | null} */
    #context = null;

    constructor() {
        super();
        this.template = "";
        this.commit = "";
        /** Whether the user has tried to save: before that, no fault is shown of a template that is half written. */
        this.isAsked = false;
    }

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
    }

    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    /** @param {"template" | "commit"} which */
    #field(which) {
        return /** @type {HTMLElement} */ (this.querySelector(`#sources-${which}`));
    }

    show() {
        const { template, commit } = this.#context?.store.value.sources ?? NO_LINKS;
        Object.assign(this, { template, commit, isAsked: false });
        this.#field("template").textContent = template;
        this.#field("commit").textContent = commit;
        this.#dialog.showModal();
        this.#field("template").focus();
    }

    render() {
        const { template, commit } = this;
        const links = { template, commit };
        const fault = faultOf(links);
        const address = addressOf(links, PLACE, MODULE);
        return html`<dialog id="sources" aria-labelledby="sources-title" @keydown=${this.#pressed}>
            <h2 id="sources-title">Link to your sources</h2>
            <p>Places such as <code>${PLACE}</code> become links to a page or to your editor. They open in a new tab.</p>
            ${this.#line("template", "Address", "sources-help sources-fault")}
            <p id="sources-help" class="muted">
                <code>{file}</code>, <code>{line}</code>, <code>{column}</code>, <code>{module}</code> and <code>{commit}</code> stand for the
                place, as in <code>${EXAMPLE}</code> or <code>vscode://file/home/me/program/{file}:{line}</code>
            </p>
            ${this.#line("commit", "Commit", "")}
            <p id="sources-fault" role="status">${this.isAsked && fault ? fault : address ? html`For example: <span class="address">${address}</span>` : nothing}</p>
            <form method="dialog">
                <button type="button" id="sources-keep" @click=${this.#keep}>Save</button>
                ${this.#context?.store.value.sources.template ? html`<button type="button" id="sources-remove" @click=${this.#remove}>No links</button>` : nothing}
                <button>Cancel</button>
            </form>
        </dialog>`;
    }

    /**
     * @param {"template" | "commit"} which
     * @param {string} label
     * @param {string} described
     */
    #line(which, label, described) {
        // Not an `input`: for those, Chromium asks Google's server how to fill them in.
        return html`<div class="sources-line">
            <span id=${`sources-${which}-label`}>${label}</span>
            <div
                id=${`sources-${which}`}
                class="search"
                role="textbox"
                contenteditable="plaintext-only"
                spellcheck="false"
                tabindex="0"
                aria-labelledby=${`sources-${which}-label`}
                aria-describedby=${described || nothing}
                @input=${this.#read}
            ></div>
        </div>`;
    }

    #read() {
        const text = (/** @type {"template" | "commit"} */ which) => (this.#field(which).textContent ?? "").trim();
        [this.template, this.commit] = [text("template"), text("commit")];
    }

    #keep() {
        this.#read();
        const { template, commit } = this;
        this.isAsked = true;
        if (!template) return this.#remove();
        if (faultOf({ template, commit })) return this.#field("template").focus();
        this.#set({ template, commit }, "Places in the source are links now");
    }

    #remove() {
        this.#set(NO_LINKS, "Places in the source are no longer links");
    }

    /**
     * @param {import("./link.js").SourceLinks} links
     * @param {string} said
     */
    #set(links, said) {
        if (this.#context) setLinks(this.#context, links);
        this.#dialog.close();
        this.#context?.say(said);
    }

    /** @param {KeyboardEvent} event what is typed here must not reach the keys of the timeline */
    #pressed(event) {
        event.stopPropagation();
        if (event.key !== "Enter" || !(/** @type {Element} */ (event.target).matches(".search"))) return;
        event.preventDefault();
        this.#keep();
    }
}

customElements.define("log-sources", LogSources);
