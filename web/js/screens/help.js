// What one sees and where to read more; the keys and gestures; and the licences of what the viewer is built of.

import { html, nothing } from "lit";
import { swatch } from "../describe.js";
import { inline } from "../inline.js";
import { DOCUMENTS, loadLicences } from "../parts.js";
import { COMMANDS } from "../commands/index.js";
import { nameOnKeyboard } from "../pressed.js";
import { layoutMap } from "../keyboard.js";
import { Part } from "../panels/part.js";

/** What the lanes show: a role in the palette, its name, and what it means. @type {[string, string, string][]} */
const STATES = [
    [
        "running",
        "running",
        "a Haskell thread runs on the capability. A capability, also called HEC (Haskell execution context), runs one thread at a time. A thread in an `unsafe` foreign call looks like running Haskell",
    ],
    ["runnable", "runnable", "a thread could run, if a capability had time for it"],
    ["blocked", "blocked", "it waits: for an MVar, in STM, for a value that another thread is evaluating (a black hole), for time to pass"],
    ["foreign", "foreign call", "it is in a `safe` call of a foreign function, and needs no capability"],
    ["foreign-of-runtime", "foreign call of the runtime", "one of the runtime's own threads waits for input, output or timers"],
    ["gc-sync", "GC sync", "a collection was requested; the capability waits until all others have stopped"],
    ["gc-working", "GC working", "it takes part in the collection"],
    [
        "gc-wait",
        "GC wait",
        "the collection goes on, and it copies nothing: it waits for the others, or, if it leads the collection, cleans up at its end",
    ],
    ["census", "census", "it counts all live data for a heap profile, at the end of a collection"],
    ["gc-major", "major GC", "a collection of all generations, which is of all data; a minor one is of new data only"],
    [
        "nonmoving-mark",
        "non-moving mark",
        "the oldest generation, which has the oldest data, is collected while the program runs: what is in use is marked",
    ],
    ["nonmoving-sync", "non-moving sync", "the program is stopped to finish the marking"],
    ["nonmoving-sweep", "non-moving sweep", "what is not in use is given back"],
    ["idle", "idle", "there is no thread to run"],
    ["evidence", "evidence", "a frame around what the chosen finding is about; all else is paler meanwhile"],
    [
        "hatch",
        "hatched",
        "the log does not say, or the capability was disabled. Hatched over another colour: the runtime wrote the log to the file (an estimate), and the capability stood still",
    ],
];

export class LogHelp extends Part {
    /** None until somebody wants to read them. */
    #licences = "";

    /** The characters of the keyboard's keys; none where the browser does not tell. @type {ReadonlyMap<string, string>} */
    #layout = new Map();

    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    show() {
        this.#dialog.showModal();
        this.dispatchEvent(new CustomEvent("helpshown", { bubbles: true }));
        void this.#readKeyboard();
        // Not by an attribute: browsers would ask for it when the page begins, and complain in a frame.
        /** @type {HTMLElement | null} */ (this.querySelector("#help-title"))?.focus();
    }

    render() {
        return html`<dialog id="help" aria-labelledby="help-title" @keydown=${this.#pressed} @click=${this.#clicked}>
            <h2 id="help-title" tabindex="-1">Help</h2>
            ${DOCUMENTS ? documentLinks(DOCUMENTS) : nothing}
            <h3>What the colours mean</h3>
            <dl id="colours">${STATES.map(([role, name, what]) => html`<dt>${swatch(role)} ${name}</dt><dd>${inline(what)}</dd>`)}</dl>
            <h3>Keys and gestures</h3>
            <table id="keys">${COMMANDS.filter(({ keys }) => keys).map((command) => row(command, this.#layout))}</table>
            <details id="licences" @toggle=${this.#opened}>
                <summary>Licences</summary>
                ${this.#licences ? html`<pre tabindex="0">${this.#licences}</pre>` : nothing}
            </details>
            <form method="dialog"><button>Close</button></form>
        </dialog>`;
    }

    /** Reads it each time: the user may have changed the layout. */
    async #readKeyboard() {
        this.#layout = await layoutMap();
        this.requestUpdate();
    }

    async #opened() {
        if (this.#licences) return;
        this.#licences = await loadLicences().catch(({ message }) => `They could not be loaded (${message}).`);
        this.requestUpdate();
    }

    /** @param {KeyboardEvent} event */
    #pressed(event) {
        if (event.key !== "?") return;
        // It would open it again.
        event.stopPropagation();
        this.#dialog.close();
    }

    /**
     * A click on what the dialog covers closes it.
     * @param {MouseEvent} event
     */
    #clicked({ target, clientX, clientY }) {
        const { left, right, top, bottom } = this.#dialog.getBoundingClientRect();
        const beside = clientX < left || clientX > right || clientY < top || clientY > bottom;
        if (target === this.#dialog && beside) this.#dialog.close();
    }
}

/** @param {string} folder */
function documentLinks(folder) {
    const link = (/** @type {string} */ name, /** @type {string} */ text) =>
        html`<a href=${new URL(`${name}.html`, folder).href} target="_blank" rel="noopener">${text}</a>`;
    return html`<p id="documents">
        ${link("guide", "Guide")}: why a program is slow, by question. ${link("reading", "Reading the page")}: what every track, figure and
        table means.
    </p>`;
}

/**
 * @param {import("../commands/command.js").Command | import("../commands/command.js").Gesture} command
 * @param {ReadonlyMap<string, string>} layout
 */
function row(command, layout) {
    // What is no command of the page's, such as printing, has the browser's own keys.
    const own = (/** @type {string} */ key) => ("run" in command ? nameOnKeyboard(key, layout) : key);
    const names = command.keys.split(" ").map((key, at) => html`${at > 0 ? " " : ""}<kbd>${own(key).replaceAll("_", " ")}</kbd>`);
    return html`<tr><th scope="row">${names}</th><td>${command.name}</td></tr>`;
}

customElements.define("log-help", LogHelp);
