// The causes of the selected wait, as a list below its details: each leads to what its thread did.

import { html, nothing } from "lit";
import { causesOf, didText, isWait, withoutThread } from "../causes.js";
import { duration, visible } from "../format.js";
import { logOf } from "../state.js";
import { timesOf } from "../page-time.js";
import { Part } from "./part.js";

/** @typedef {import("../state.js").OfLog<import("../protocol.js").Span>} Span */
/** @typedef {import("../causes.js").Causes} Causes */

/** What ends the list. */
const ENDS = {
    nobody: "No thread woke that one up: it had just begun, or the runtime, a timer or input did.",
    unknown: "What woke that one up is not known.",
    "ran before": "It was running before this wait began.",
    more: "There may be more: select the last one to go on.",
};

export class LogCauses extends Part {
    static properties = {
        context: { attribute: false },
        span: { attribute: false },
        followed: { attribute: false },
        clock: { attribute: false },
    };

    constructor() {
        super();
        /** @type {import("../context.js").Context | null} */
        this.context = null;
        /** The selected span. @type {Span | null} */
        this.span = null;
        /** Whether the threads of its log have been followed: before that, nothing is known. */
        this.followed = false;
        /** How moments are written: only to render again. */
        this.clock = "";
    }

    /** The wait that was asked about last. @type {Span | null} */
    #wait = null;
    /** @type {Causes | null} */
    #found = null;
    #asked = 0;

    willUpdate() {
        const { context, span, followed } = this;
        const wait = span && followed && isWait(span) ? span : null;
        if (wait === this.#wait) return;
        this.#wait = wait;
        this.#found = null;
        if (wait && context) void this.#ask(wait, context);
    }

    /**
     * @param {Span} wait
     * @param {import("../context.js").Context} context
     */
    async #ask(wait, { client }) {
        const mine = ++this.#asked;
        const found = await causesOf(wait, client.of(wait.log));
        if (mine !== this.#asked || !found) return;
        this.#found = found;
        this.requestUpdate();
    }

    render() {
        const { context } = this;
        const wait = this.#wait;
        if (!context || !wait || !this.#found) return nothing;
        const { causes, end } = this.#found;
        if (causes.length === 0) {
            const why = end === "nobody" ? withoutThread(wait) : null;
            if (!why) return nothing;
            return html`<h3>Why it waited</h3>
                <p class="muted">${why}</p>`;
        }
        const times = timesOf(context.store.value, logOf(context.store.value, wait.log));
        const rows = causes.map(({ span, moment }) => {
            const time = Math.min(Math.max(moment, span.start), span.end);
            const show = () => context.selecting.selectAt({ log: wait.log, track: span.track, time });
            const did = `${visible(didText(span))} for ${duration(span.end - span.start)}`;
            return html`<li>
                <button class="place" title="Show what it did" @click=${show}>${visible(span.on)}</button>
                <span class="muted">woke it up at ${times.text(moment)}; ${did}</span>
            </li>`;
        });
        return html`<h3>Why it waited</h3>
            <ol class="causes">${rows}</ol>
            <p class="muted">${ENDS[end]}</p>`;
    }
}

customElements.define("log-causes", LogCauses);
