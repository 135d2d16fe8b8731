// The causes of the selected wait, as a list below its details: each leads to what its thread did.

import { html, nothing } from "lit";
import { causesOf, didMeanwhile, isWait, withoutThread } from "../causes.js";
import { didOwn } from "../did.js";
import { duration, visible } from "../format.js";
import { logOf } from "../state.js";
import { timesOf } from "../page-time.js";
import { Reason } from "./reason.js";

/** @typedef {import("../state.js").OfLog<import("../protocol.js").Span>} Span */
/** @typedef {import("../causes.js").Causes} Causes */

/** What ends the list. */
const ENDS = {
    nobody: "No thread woke that one up: it had just begun, or the runtime, a timer, input or an exception did.",
    unknown: "What woke that one up is not known.",
    "ran before": "It was running before this wait began.",
    more: "There may be more: select the last one to go on.",
};

/** @extends {Reason<Causes>} */
export class LogCauses extends Reason {
    /** @param {Span} span */
    isAbout(span) {
        return isWait(span);
    }

    /**
     * @param {Span} wait
     * @param {import("../context.js").Context} context
     */
    find(wait, { client }) {
        return causesOf(wait, client.of(wait.log));
    }

    /**
     * @param {Causes} found
     * @param {Span} wait
     * @param {import("../context.js").Context} context
     */
    rendered({ causes, end }, wait, context) {
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
            const did = `${visible(didMeanwhile(span))} for ${duration(span.end - span.start)}`;
            return html`<li>
                <button class="place" title="Show what it did" @click=${show}>${visible(span.on)}</button>
                <span class="muted">woke it up at ${times.text(moment)}; ${did}</span>
            </li>`;
        });
        const own = didOwn(causes.at(-1)?.span.on);
        return html`<h3>Why it waited</h3>
            <ol class="causes">${rows}</ol>
            <p class="muted">${own && end === "nobody" ? `That is the runtime’s own thread: it ${own}.` : ENDS[end]}</p>`;
    }
}

customElements.define("log-causes", LogCauses);
