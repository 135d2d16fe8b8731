// "Save as one HTML file": asks what to include, makes the file, and hands it to the browser as a download.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { loadViewer } from "../parts.js";
import { counted, plain } from "../words.js";
import { visible } from "../format.js";
import { download, nameFor } from "./download.js";
import { pageWith, paletteOf } from "./page.js";
import { shownOf } from "../state.js";
import { SAVING } from "../protocol.js";
import { notesText } from "../notes/notes.js";
import { textOf } from "../arranging/text.js";
import { NO_LINKS } from "../sources/link.js";
import { wordsText } from "../spans.js";

/** @typedef {import("../client.js").Client} Client */

/**
 * @param {import("../context.js").Context} context
 * @returns {(() => void) | null} opens the dialog; null in a page of one file, which has another module instead of this one
 */
export function startSaving(context) {
    const { root, signal } = context.stage;
    const dialog = /** @type {SavingDialog} */ (document.createElement("saving-dialog"));
    dialog.start(context);
    root.append(dialog);
    signal.addEventListener("abort", () => dialog.remove(), { once: true });
    return () => dialog.show();
}

export class SavingDialog extends Part {
    static properties = { env: { state: true }, share: { state: true }, error: { state: true } };

    /** @type {Client | null} */
    #client = null;
    /** The log that is being packed, or was packed last. @type {import("../log-handle.js").LogHandle | null} */
    #packed = null;
    /** The number of the current saving: one that was given up may end after the next has begun. */
    #saving = 0;

    constructor() {
        super();
        this.env = false;
        /** The share of the log that is packed; null if nothing is being saved. @type {number | null} */
        this.share = null;
        this.error = "";
    }

    /** @param {import("../context.js").Context} context */
    start({ store, client }) {
        this.#client = client;
        this.watch(store, (state) => [shownOf(state).log?.name, shownOf(state).notes]);
    }

    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    show() {
        // The choice was about another log's environment.
        [this.env, this.error] = [false, ""];
        this.#dialog.showModal();
        /** @type {HTMLElement | null} */ (this.querySelector("#saving-title"))?.focus();
    }

    render() {
        const { share } = this;
        return html`<dialog id="saving" aria-labelledby="saving-title" @close=${this.#giveUp} @keydown=${stay}>
            <h2 id="saving-title" tabindex="-1">Save as one HTML file</h2>
            <p>The viewer with ${visible(this.shown.log?.name ?? "")} in it${this.shown.notes.length > 0 ? `, and ${counted(this.shown.notes.length, "note")}` : ""}, for colleagues and issues. It opens from the disk and needs no network.</p>
            <p>
                <button id="saving-env" role="checkbox" aria-checked=${String(this.env)} ?disabled=${share !== null} @click=${this.#turnEnv}>
                    <span aria-hidden="true">${this.env ? "☑" : "☐"}</span> with the program's environment, which may tell secrets
                </button>
            </p>
            <p role="status">${this.error || (share === null ? nothing : `${Math.floor(share * 100)} % packed`)}</p>
            <form method="dialog">
                <button type="button" id="saving-start" ?disabled=${share !== null} @click=${this.#save}>Save</button>
                <button>Cancel</button>
            </form>
        </dialog>`;
    }

    #turnEnv() {
        this.env = !this.env;
    }

    async #save() {
        const [client, log] = [this.#client, this.shown.log];
        if (!client || !log) return this.#dialog.close();
        const saving = ++this.#saving;
        const isOver = () => saving !== this.#saving;
        [this.share, this.error] = [0, ""];
        try {
            const page = await this.#page(client, log, isOver, (share) => isOver() || (this.share = Math.min(share, 1)));
            if (isOver()) return;
            if (!page) throw new Error("the log was closed meanwhile");
            download(page, nameFor(log.name, "html"));
            this.share = null;
            this.#dialog.close();
        } catch (error) {
            if (!isOver()) this.error = `It cannot be saved: ${plain(/** @type {Error} */ (error).message)}`;
        } finally {
            if (!isOver()) this.share = null;
        }
    }

    /**
     * @param {Client} client
     * @param {import("../protocol.js").LogInfo} log
     * @param {() => boolean} isOver whether it is no longer wanted
     * @param {(share: number) => void} onProgress gets the share of the log that is packed
     * @returns {Promise<Blob | null>} null if it is no longer wanted, or another log is shown by now
     */
    async #page(client, log, isOver, onProgress) {
        const { number, notes, rows } = this.shown;
        const viewer = await loadViewer();
        if (isOver() || this.shown.number !== number) return null;
        const words = wordsText(this.store?.value.spanWords ?? []);
        this.#packed = client.of(number);
        const packed = await this.#packed.ask("pack", { env: this.env, words, name: log.name, palette: paletteOf(viewer) }, onProgress);
        if (isOver() || !packed) return null;
        if ("error" in packed) throw new Error(packed.error);
        const sources = this.store?.value.sources ?? NO_LINKS;
        const kept = { name: log.name, words, notes: notesText(notes), rows: textOf(rows), sources };
        return pageWith(viewer, kept, packed.article, packed.base64);
    }

    #giveUp() {
        if (this.share === null) return;
        this.#saving += 1;
        this.#packed?.giveUp(SAVING);
        this.share = null;
    }
}

/**
 * While the dialog is open, keys must not reach the timeline.
 * @param {KeyboardEvent} event
 */
function stay(event) {
    event.stopPropagation();
}

customElements.define("saving-dialog", SavingDialog);
