// The bar at the top: what the log is of, and what can be done with the viewer.

import { html } from "lit";
import { Part } from "../panels/part.js";
import { date, visible } from "../format.js";
import { factTexts } from "../describe.js";

/** @typedef {import("../theme-switch.js").Choice} Choice */

/**
 * @typedef {object} BarActs
 * @property {(file: File) => void} open
 * @property {() => void} close
 * @property {() => void} help
 * @property {() => void} recolour goes through the choices of colours
 */

/** @type {Record<Choice, string>} */
const SIGNS = { system: "◐", light: "☀", dark: "☾" };

/**
 * What the log is of: its program, or its file as long as that is not known.
 * @param {Pick<import("../panels/part.js").State, "log" | "file" | "next">} state
 */
export function programOf({ log, file, next }) {
    return visible(log?.process.args[0] ?? log?.name ?? file?.name ?? next?.file.name ?? "GHC Eventlog Viewer");
}

export class LogBar extends Part {
    static properties = { colours: { state: true } };

    /** @type {BarActs | null} */
    #acts = null;

    constructor() {
        super();
        /** @type {Choice} */
        this.colours = "system";
    }

    /**
     * @param {import("../store.js").Store<import("../panels/part.js").State>} store
     * @param {BarActs} acts
     */
    start(store, acts) {
        this.#acts = acts;
        this.watch(store, ({ log, file, next }) => [log, file, next?.opening]);
    }

    render() {
        const { log = null, file = null, next = null } = this.store?.value ?? {};
        const texts = log ? factTexts(log, date) : [];
        return html`
            <h1
                id="program"
                title=${visible(log?.process.args.join(" ") ?? "")}
                .textContent=${programOf({ log, file, next })}
            ></h1>
            <ul id="facts" aria-label="About this log">${texts.map((text) => html`<li title=${text}>${text}</li>`)}</ul>
            <div class="tools">
                <input type="file" id="open-file" class="visually-hidden" aria-label="Open an eventlog" @change=${this.#open}>
                <label for="open-file" class="button" title="Open a file">Open…</label>
                <button id="close" class="for-log" title="Close this log" @click=${this.#close}>Close</button>
                <button id="theme" aria-label="Colours" title="Colours: ${this.colours}" @click=${() => this.#acts?.recolour()}>${SIGNS[this.colours]}</button>
                <button id="help-button" aria-label="Help" title="Keys and gestures (?)" @click=${() => this.#acts?.help()}>?</button>
            </div>
        `;
    }

    /** @param {Event & { currentTarget: HTMLInputElement }} event */
    #open({ currentTarget: input }) {
        const file = input.files?.[0];
        // The same file can be chosen again, once it has changed.
        if (file) this.#acts?.open(file);
        input.value = "";
    }

    #close() {
        this.#acts?.close();
        // The button is gone with the log.
        /** @type {HTMLElement | null} */ (this.querySelector("#open-file"))?.focus();
    }
}

customElements.define("log-bar", LogBar);
