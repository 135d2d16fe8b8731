// Why the selected capability was idle, as a list below its details.

import { html, nothing } from "lit";
import { duration, visible } from "../format.js";
import { Reason } from "./reason.js";

/** @typedef {import("../state.js").OfLog<import("../protocol.js").Span>} Span */
/** @typedef {import("../protocol.js").IdleReason} IdleReason */

/** What begins a reason's name in the account, where it does not stand under "idle". */
const IDLE = /^Idle: /;

/** A reason is named in the title if it is the reason for at least this share of the time. */
const MAIN = 0.95;

/**
 * The one reason for an idle stretch, in words that continue "idle: "; empty if there are several.
 * @param {IdleReason[]} reasons
 */
export function mainReason(reasons) {
    const all = reasons.reduce((sum, { time }) => sum + time, 0);
    const main = reasons.find(({ time }) => all > 0 && time >= all * MAIN);
    const name = main?.name.replace(IDLE, "") ?? "";
    return name && name[0].toLowerCase() + name.slice(1);
}

/** @param {import("../protocol.js").Span} span */
const isIdle = ({ role, lane, track, thread }) => role === "idle" && !thread && (!lane || lane.track === track);

/** @extends {Reason<IdleReason[]>} */
export class LogIdle extends Reason {
    /** @param {Span} span */
    isAbout(span) {
        return isIdle(span);
    }

    /**
     * @param {Span} idle
     * @param {import("../context.js").Context} context
     */
    find({ log, track, start: from, end: to }, { client }) {
        return client.of(log).ask("whyIdle", { track, from, to });
    }

    /** The panel's title says the reason, too. */
    updated() {
        const reasons = this.found;
        this.dispatchEvent(new CustomEvent("reason", { detail: reasons ? mainReason(reasons) : "" }));
    }

    /**
     * @param {IdleReason[]} found
     * @param {Span} idle
     * @param {import("../context.js").Context} context
     */
    rendered(found, idle, context) {
        if (found.length === 0) return nothing;
        const rows = found.map(({ name, time, threads, cap }) => {
            const whose = cap === undefined ? nothing : html`, requested by capability ${cap}`;
            const links = threads.map(({ thread, label, track }, at) => {
                const text = label === undefined ? `thread ${thread}` : `${thread} ${visible(label)}`;
                const show = () => track !== undefined && context.selecting.selectAt({ log: idle.log, track, time: idle.start });
                return html`${at > 0 ? ", " : ": "}<button class="place" title="Show what it did then" @click=${show}>${text}</button>`;
            });
            // The account does not count that as idle.
            const counted = IDLE.test(name) ? nothing : html` <span class="muted">(not idle time in the account)</span>`;
            const reason = name.replace(IDLE, "");
            return html`<li>${reason}${whose}${links} <span class="muted">${duration(time)}</span>${counted}</li>`;
        });
        return html`<h3>Why it was idle</h3>
            <ul class="causes">${rows}</ul>`;
    }
}

customElements.define("log-idle", LogIdle);
