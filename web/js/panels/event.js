// All of one event: when and where it was, its fields, its whole text, and its bytes.

import { html, nothing } from "lit";
import { Part } from "./part.js";
import { copyText } from "./copying.js";
import { hexDump } from "./hex.js";
import { Times } from "../times.js";
import { bytes as size, count, valueText, visible } from "../format.js";

/** @typedef {import("../protocol.js").WholeEvent} WholeEvent */

/** Most bytes that are shown, in lines of this many. */
const MOST_BYTES = 2048;
const IN_LINE = 8;

/** Most letters of the text that are shown: a message has 64 KiB at most. */
const MOST_TEXT = 1 << 16;

export class LogEvent extends Part {
    static properties = { event: { attribute: false }, times: { attribute: false } };

    constructor() {
        super();
        /** @type {WholeEvent | null} */
        this.event = null;
        /** How moments are written. */
        this.times = new Times(0);
        /** Announces a text. @type {(text: string) => void} */
        this.say = () => {};
    }

    render() {
        const { event } = this;
        if (!event) return nothing;
        const { about, text, bytes, offset, json } = event;
        const shown = bytes.subarray(0, MOST_BYTES);
        const isCut = shown.length < bytes.length;
        return html`
            <div class="title">
                <h3 id="event-title">Event ${count(event.number)}: ${visible(event.type)}</h3>
                <button aria-label="Close the details" title="Close the details" @click=${() => this.dispatchEvent(new CustomEvent("leave"))}>✕</button>
            </div>
            ${about ? html`<p class="muted">${about}.</p>` : nothing}
            <dl>${this.#facts(event).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
            <h4>Text</h4>
            <pre class="whole-text" tabindex="0" aria-label="Text">${visible(text.slice(0, MOST_TEXT))}</pre>
            <h4>Bytes <span class="muted">${isCut ? `the first ${count(shown.length)} of ${size(bytes.length)}` : size(bytes.length)}, from byte ${count(offset)} on</span></h4>
            <pre class="bytes" tabindex="0" aria-label="Bytes">${hexDump(shown, offset, IN_LINE)}</pre>
            <div class="steps">
                <button title="Copy the event as ghc-eventlog find --json prints it" @click=${() => this.#copy(json, "Event")}>copy as JSON</button>
                <button title="Copy the whole text" @click=${() => this.#copy(text, "Text")}>copy text</button>
                <button title="Copy all bytes of the event, with their places in the file" @click=${() => this.#copy(hexDump(bytes, offset), "Bytes")}>copy bytes</button>
            </div>
        `;
    }

    /**
     * What is known of it besides its text: names and values.
     * @param {WholeEvent} event
     * @returns {[string, string][]}
     */
    #facts({ time, cap, ran, label, fields }) {
        /** @type {[string, string | undefined][]} */
        const known = [
            ["Time", this.times.text(time)],
            ["Capability", cap === undefined ? undefined : `cap ${cap}`],
            ["Thread that ran", ran === undefined ? undefined : [String(ran), visible(label ?? "")].join(" ").trim()],
        ];
        const own = known.filter(([, value]) => value !== undefined);
        // The text is shown whole below.
        const ofType = fields.filter(({ name }) => name !== "text");
        return /** @type {[string, string][]} */ ([
            ...own,
            ...ofType.map(({ name, kind, value }) => [name, valueText(kind, value, this.times)]),
        ]);
    }

    /**
     * @param {string} text
     * @param {string} name
     */
    async #copy(text, name) {
        this.say(await copyText(Promise.resolve(text), name));
    }
}

customElements.define("log-event", LogEvent);
