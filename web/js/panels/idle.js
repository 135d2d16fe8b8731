// Why the selected capability was idle, as a list below its details.

import { html, nothing } from "lit";
import { duration, visible } from "../format.js";
import { Part } from "./part.js";

/** @typedef {import("../state.js").OfLog<import("../protocol.js").Span>} Span */
/** @typedef {import("../protocol.js").IdleReason} IdleReason */

/** What begins a reason's name in the account, where it does not stand under "idle". */
const IDLE = /^Idle: /;

/** @param {import("../protocol.js").Span} span */
const isIdle = ({ role, lane, track, thread }) => role === "idle" && !thread && (!lane || lane.track === track);

export class LogIdle extends Part {
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

    /** The idle time that was asked about last. @type {Span | null} */
    #idle = null;
    /** @type {IdleReason[]} */
    #found = [];
    #asked = 0;

    willUpdate() {
        const { context, span, followed } = this;
        const idle = span && followed && isIdle(span) ? span : null;
        if (idle === this.#idle) return;
        this.#idle = idle;
        this.#found = [];
        if (idle && context) void this.#ask(idle, context);
    }

    /**
     * @param {Span} idle
     * @param {import("../context.js").Context} context
     */
    async #ask({ log, track, start: from, end: to }, { client }) {
        const mine = ++this.#asked;
        const found = await client.of(log).ask("whyIdle", { track, from, to });
        if (mine !== this.#asked || !found) return;
        this.#found = found;
        this.requestUpdate();
    }

    render() {
        const idle = this.#idle;
        const { context } = this;
        if (!idle || !context || this.#found.length === 0) return nothing;
        const rows = this.#found.map(({ name, time, threads, cap }) => {
            const whose = cap === undefined ? nothing : html`, requested by capability ${cap}`;
            const links = threads.map(({ thread, label, track }, at) => {
                const text = label === undefined ? `thread ${thread}` : `${thread} ${visible(label)}`;
                const show = () => track !== undefined && context.selecting.selectAt({ log: idle.log, track, time: idle.start });
                return html`${at > 0 ? ", " : ": "}<button class="place" title="Show what it did then" @click=${show}>${text}</button>`;
            });
            const reason = name.replace(IDLE, "");
            return html`<li>${reason}${whose}${links} <span class="muted">${duration(time)}</span></li>`;
        });
        return html`<h3>Why it was idle</h3>
            <ul class="causes">${rows}</ul>`;
    }
}

customElements.define("log-idle", LogIdle);
