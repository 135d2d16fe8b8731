// Exports a section for other tools: a button for each format, and the progress.

import { html } from "lit";
import { Part } from "./part.js";

/**
 * Saves a profile in another tool's format; `tell` gets the progress.
 * @typedef {(format: string, name: string, tell: (text: string) => void) => void} ExportAs
 */

export class LogExports extends Part {
    static properties = { forms: { attribute: false }, exportAs: { attribute: false }, progress: { state: true } };

    constructor() {
        super();
        /** @type {[string, string][]} formats and their names */
        this.forms = [];
        /** @type {ExportAs} */
        this.exportAs = () => {};
        this.progress = "";
    }

    render() {
        const buttons = this.forms.map(
            ([format, name]) =>
                html` <button class="copy" data-export=${format} title=${`Save the whole log's profile: ${name}`} @click=${() => this.exportAs(format, name, (text) => (this.progress = text))}>${name}</button>`,
        );
        return html`<p class="exports muted">Save as ${buttons} <span role="status">${this.progress}</span></p>`;
    }
}

customElements.define("log-exports", LogExports);
