// The details of the selection: a panel beside the timeline, which is there only while something is selected.

import { html, nothing } from "lit";
import { isFollowed } from "../causes.js";
import "./causes.js";
import "./idle.js";
import { Part } from "./part.js";
import { fieldsOf, swatch } from "../describe.js";
import { logOf, shownOf } from "../state.js";
import { visible } from "../format.js";
import { timesOf } from "../page-time.js";
import { linkOffer, placePart } from "../sources/part.js";
import { part } from "../stage.js";
import { writeText } from "./copying.js";
import { showLike } from "./each.js";
import { tsvCell } from "./tsv.js";
import { alongTrack } from "../navigation/steps.js";
import { fitSelected } from "../navigation/ranges.js";
import { copyLink } from "../link/making.js";
import { toggleMeasuring } from "../navigation/measuring.js";
import "./measured.js";

/** @typedef {import("../protocol.js").Span} Span */

/** @typedef {import("../context.js").Context} Context */

/** The group of the program's own spans. */
const SPANS = "spans";

/** The field with a place in the source. */
const SOURCE = "Source";

export class LogSelection extends Part {
    static properties = { reason: { state: true } };

    /** @type {Context | null} */
    #context = null;

    constructor() {
        super();
        /** Why the selected capability was idle, in a few words; empty if it was not, or if that is not known. */
        this.reason = "";
    }

    /** @param {Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [
            shownOf(state).log,
            shownOf(state).search?.chosen,
            state.span,
            state.measureFrom,
            state.clock,
            state.sources,
            isFollowed(state),
        ]);
    }

    /** If the panel goes away and has the focus, moves the focus. @param {Map<PropertyKey, unknown>} changed */
    update(changed) {
        const hadFocus = this.matches(":focus-within");
        super.update(changed);
        if (hadFocus && !this.store?.value.span) this.#context?.timeline.focus();
    }

    render() {
        const context = this.#context;
        const { span } = context?.store.value ?? {};
        const own = context && span ? logOf(context.store.value, span.log) : this.shown;
        if (!context || !span || !own.log) return nothing;
        const times = timesOf(context.store.value, own);
        const fields = [...hitFields(span, own.search?.chosen, times), ...selectionFields(span, times)];
        return html`
            <div class="title">
                <h2>${swatch(span.role)}${visible(span.title)}${this.reason ? `: ${this.reason}` : ""}</h2>
                <button aria-label="Clear the selection" title="Clear the selection (Esc)" @click=${this.#clear}>✕</button>
            </div>
            <log-measured .context=${context} .from=${context.store.value.measureFrom} .span=${span}></log-measured>
            ${this.#fields(fields, context)}
            ${this.#why(context, span)}
            <div class="steps">
                <button title="Previous span on the track (,)" @click=${() => context.selecting.step(alongTrack(false))}>‹ previous</button>
                <button title="Next span on the track (.)" @click=${() => context.selecting.step(alongTrack(true))}>next ›</button>
                <button title="Zoom to it (F)" @click=${() => fitSelected(context)}>zoom</button>
                <button
                    aria-pressed=${context.store.value.measureFrom !== null}
                    title="Measure from here to the next span that you select (I)"
                    @click=${() => toggleMeasuring(context)}
                >
                    measure
                </button>
                ${this.#compare(context, span)}
                <button title="Copy these details" @click=${() => this.#copy(span, fields)}>copy</button>
                ${context.stage.own && span.log === context.store.value.shown ? html`<button title="Copy a link to this (Y)" @click=${() => void copyLink(context)}>copy link</button>` : nothing}
            </div>
        `;
    }

    /**
     * Its fields, of which the place in the source may be a link.
     * @param {[string, string][]} fields
     * @param {Context} context
     */
    #fields(fields, { stage, store }) {
        const { sources } = store.value;
        const fieldOf = (/** @type {string} */ wanted) => fields.find(([name]) => name === wanted)?.[1] ?? "";
        const set = () => /** @type {import("../sources/dialog.js").LogSources} */ (part(stage, "sources-dialog")).show();
        const text = (/** @type {[string, string]} */ [name, text]) =>
            name === SOURCE
                ? html`${placePart(text, sources, fieldOf("Module"))} ${sources.template ? nothing : linkOffer(sources, set)}`
                : text;
        return html`<dl>${fields.map((field) => html`<dt>${field[0]}</dt><dd>${text(field)}</dd>`)}</dl>`;
    }

    /**
     * Why it waited, or was idle.
     * @param {Context} context
     * @param {import("../state.js").OfLog<Span>} span
     */
    #why(context, span) {
        const { clock } = context.store.value;
        const followed = isFollowed(context.store.value);
        return html`<log-causes .context=${context} .span=${span} .followed=${followed} .clock=${clock}></log-causes
            ><log-idle .context=${context} .span=${span} .followed=${followed} .clock=${clock} @reason=${this.#explain}></log-idle>`;
    }

    /**
     * Of the program's own spans: leads to all with its label, or one that differs only in numbers.
     * @param {Context} context
     * @param {import("../state.js").OfLog<Span>} span
     */
    #compare(context, span) {
        if (span.group !== SPANS || span.log !== context.store.value.shown) return nothing;
        const title = "Show how long spans like this take, and what their threads did meanwhile";
        return html`<button title=${title} @click=${() => void showLike(context, span.title)}>compare</button>`;
    }

    /** @param {CustomEvent<string>} event */
    #explain({ detail }) {
        this.reason = detail;
    }

    #clear() {
        this.#context?.selecting.deselect();
        // The button is gone, and it had the focus.
        this.#context?.timeline.focus();
    }

    /**
     * @param {Span} span
     * @param {[string, string][]} fields
     */
    async #copy(span, fields) {
        // As cells: it may be pasted into a spreadsheet.
        const lines = [tsvCell(span.title), ...fields.map(([name, text]) => `${name}\t${tsvCell(text)}`)];
        this.#context?.say(await writeText(`${lines.join("\n")}\n`));
    }
}

/**
 * The event that a search has found, if it is one of the selected span: on a capability, what runs there is selected.
 * @param {Span} span
 * @param {import("../protocol.js").Hit | null | undefined} hit the chosen one
 * @param {import("../times.js").Times} times
 * @returns {[string, string][]}
 */
function hitFields(span, hit, times) {
    const isOfIt = hit?.track === span.track && hit.length === undefined && hit.time >= span.start && hit.time <= span.end;
    return isOfIt ? [["Found", `${times.text(hit.time)}: ${visible(hit.text)}`]] : [];
}

/**
 * The fields of a span: its track first, its end after its start. A point has no end, nor has a span that goes on.
 * @param {Span} span
 * @param {import("../times.js").Times} times
 * @returns {[string, string][]}
 */
function selectionFields(span, times) {
    const fields = fieldsOf(span, times);
    const start = fields.findIndex(([name]) => name === "Start");
    const lasts = start >= 0 && span.end > span.start;
    if (lasts && !fields.some(([name]) => name === "End")) fields.splice(start + 1, 0, ["End", times.text(span.end)]);
    return span.on ? [["Track", visible(span.on)], ...fields] : fields;
}

customElements.define("log-selection", LogSelection);
