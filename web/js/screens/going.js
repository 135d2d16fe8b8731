// Going to a moment that the user writes.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { extentOnPage, timesAsWritten, timesOnPage } from "../page-time.js";
import { hasClock } from "../clock.js";
import { momentIn } from "../moment.js";
import { shownOf } from "../state.js";

export class LogGoing extends Part {
    static properties = { trouble: { state: true } };

    /** @type {import("../context.js").Context | null} */
    #context = null;

    constructor() {
        super();
        /** Why there is no such moment. */
        this.trouble = "";
    }

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [state.clock, shownOf(state).log]);
    }

    get #dialog() {
        return /** @type {HTMLDialogElement} */ (this.querySelector("dialog"));
    }

    get #field() {
        return /** @type {HTMLElement} */ (this.querySelector("#go-time"));
    }

    show() {
        this.trouble = "";
        this.#field.textContent = "";
        this.#dialog.showModal();
        this.#field.focus();
    }

    render() {
        const state = this.store?.value;
        const byClock = state && hasClock(state) ? ", or by the clock, such as 14:03:12.5" : "";
        // Not an `input` for the time: for those, Chromium asks Google's server how to fill them in.
        return html`<dialog id="go" aria-labelledby="go-title" @keydown=${this.#pressed}>
            <h2 id="go-title">Go to a moment</h2>
            <p class="muted">Since the start, such as 1.284 s or 2 min 5 s${byClock}.</p>
            <div
                id="go-time"
                class="search"
                role="textbox"
                contenteditable="plaintext-only"
                aria-label="Moment"
                aria-describedby="go-trouble"
                spellcheck="false"
                tabindex="0"
            ></div>
            <p id="go-trouble" role="status">${this.trouble || nothing}</p>
            <form method="dialog"><button type="button" @click=${this.#go}>Go</button> <button>Cancel</button></form>
        </dialog>`;
    }

    #go() {
        const context = this.#context;
        if (!context) return;
        const { store, moving, timeline, say } = context;
        const log = shownOf(store.value);
        const extent = extentOnPage(log);
        if (!extent) return;
        const clock = timesAsWritten(store.value, log);
        const found = momentIn(this.#field.textContent, extent, clock);
        if (found.at === null) {
            this.trouble = found.isMoment
                ? `That is not in the log: it is from ${clock.text(extent[0])} to ${clock.text(extent[1])}.`
                : "This is not a moment that can be read.";
            return;
        }
        moving.showTime(found.at);
        this.#dialog.close();
        timeline.focus();
        say(`At ${timesOnPage(store.value, log).text(found.at)}`);
    }

    /** @param {KeyboardEvent} event what is typed here must not reach the keys of the timeline */
    #pressed(event) {
        event.stopPropagation();
        if (event.key !== "Enter" || event.target !== this.#field) return;
        event.preventDefault();
        this.#go();
    }
}

customElements.define("log-going", LogGoing);
