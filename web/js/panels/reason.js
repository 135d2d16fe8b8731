// A part of the selection's panel that says why the selected span is as it is. Its log is asked once for each span.

import { nothing } from "lit";
import { Part } from "./part.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../state.js").OfLog<import("../protocol.js").Span>} Span */

/** @template Found */
export class Reason extends Part {
    static properties = {
        context: { attribute: false },
        span: { attribute: false },
        followed: { attribute: false },
        clock: { attribute: false },
    };

    constructor() {
        super();
        /** @type {Context | null} */
        this.context = null;
        /** The selected span. @type {Span | null} */
        this.span = null;
        /** Whether the threads of its log have been followed: before that, nothing is known. */
        this.followed = false;
        /** How moments are written: only to render again. */
        this.clock = "";
    }

    /** The span that was asked about last. @type {Span | null} */
    #asked = null;
    /** @type {Found | null} */
    #found = null;

    willUpdate() {
        const { context, span, followed } = this;
        const about = span && followed && this.isAbout(span) ? span : null;
        if (about === this.#asked) return;
        this.#asked = about;
        this.#found = null;
        if (about && context) void this.#ask(about, context);
    }

    /**
     * @param {Span} span
     * @param {Context} context
     */
    async #ask(span, context) {
        const found = await this.find(span, context);
        if (span !== this.#asked || !found) return;
        this.#found = found;
        this.requestUpdate();
    }

    render() {
        const [span, found, { context }] = [this.#asked, this.#found, this];
        return context && span && found !== null ? this.rendered(found, span, context) : nothing;
    }

    /** What was found of the span; null if that is not known, or not yet. */
    get found() {
        return this.#found;
    }

    /**
     * Whether it has anything to say of such a span.
     * @param {Span} _span
     * @returns {boolean}
     */
    isAbout(_span) {
        return false;
    }

    /**
     * Asks the log.
     * @param {Span} _span
     * @param {Context} _context
     * @returns {Promise<Found | null>} null if there is no answer
     */
    async find(_span, _context) {
        return null;
    }

    /**
     * @param {Found} _found
     * @param {Span} _span
     * @param {Context} _context
     * @returns {unknown}
     */
    rendered(_found, _span, _context) {
        return nothing;
    }
}
