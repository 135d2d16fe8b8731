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
    /** @type {import("../context.js").Context | null} */
    #context = null;

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
        const classes = `notices${all.length === 1 ? " single" : ""}${log?.notices[0]?.first ? " grave" : ""}`;
        return html`<details id="notices" class=${classes} ?hidden=${all.length === 0}>
            <summary id="notices-summary">${first}${others.length > 0 ? ` And ${others.length} more` : nothing}</summary>
            <ul id="notices-list">${others.map((notice) => html`<li>${notice}</li>`)}</ul>
        </details>`;
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
        /** @param {Event} event */
        const go = (event) => {
            // The link is in the list's heading, and a click there would fold the list.
            event.preventDefault();
            this.#context?.moving.showTime(onPage(this.shown, at));
            this.#context?.timeline.focus();
        };
        return html`${text} <button class="place" title="Show this time" @click=${go}>at ${times?.text(at)}</button>`;
    }
}

customElements.define("log-notices", LogNotices);
