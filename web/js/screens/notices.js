// The notices of losses in a log, and the troubles with it: the first is shown, the others can be unfolded.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import { noticeText, plain } from "../words.js";
import { timesOf } from "../page-time.js";
import { shownOf } from "../state.js";
import { onPage } from "../page-time.js";

/** @typedef {import("../protocol.js").Notice} Notice */
/** @typedef {import("../protocol.js").LogInfo} LogInfo */

export class LogNotices extends Part {
    static properties = { open: { state: true } };

    /** @type {import("../context.js").Context | null} */
    #context = null;

    constructor() {
        super();
        this.open = false;
    }

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => {
            const { log, troubles } = shownOf(state);
            return [log?.notices.length, log?.read, log?.name, troubles, state.clock];
        });
    }

    render() {
        const { log, troubles } = this.shown;
        const all = log ? [...troubles.map(plain), ...log.notices.map((notice) => this.#notice(notice, log))] : [];
        const [first, ...others] = all;
        const open = this.open && others.length > 0;
        // Not a <details>: its heading is a button, and the first notice has a button of its own, which may not be within another one.
        const more = html` <button id="notices-more" class="more" aria-expanded=${open} aria-controls="notices-list" @click=${this.#turn}>
            and ${others.length} more ${open ? "▾" : "▸"}</button>`;
        return html`<div
            id="notices"
            class=${`notices${log?.notices[0]?.first ? " grave" : ""}`}
            role="region"
            aria-label="What is missing"
            ?hidden=${all.length === 0}
        >
            <p id="notices-summary">${first}${others.length > 0 ? more : nothing}</p>
            <ul id="notices-list" ?hidden=${!open}>${others.map((notice) => html`<li>${notice}</li>`)}</ul>
        </div>`;
    }

    #turn() {
        this.open = !this.open;
    }

    /**
     * @param {Notice} notice
     * @param {LogInfo} log
     */
    #notice(notice, log) {
        const text = noticeText(notice, log);
        const { time: at } = notice;
        if (at === undefined) return text;
        const times = this.store ? timesOf(this.store.value, this.shown) : null;
        const go = () => {
            this.#context?.moving.showTime(onPage(this.shown, at));
            this.#context?.timeline.focus();
        };
        return html`${text} <button class="place" title="Show this time" @click=${go}>at ${times?.text(at)}</button>`;
    }
}

customElements.define("log-notices", LogNotices);
