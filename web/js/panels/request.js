// A table that is shown only on request: it may contain secrets.

import { html, nothing } from "lit";
import { Part } from "./part.js";

export class LogRequest extends Part {
    static properties = { label: { attribute: false }, table: { attribute: false }, asked: { state: true } };

    constructor() {
        super();
        this.label = "";
        /** Makes the table. @type {() => unknown} */
        this.table = () => nothing;
        this.asked = false;
    }

    render() {
        if (this.asked) return this.table();
        return html`<button class="request" @click=${() => (this.asked = true)}>${this.label}</button>`;
    }
}

customElements.define("log-request", LogRequest);
