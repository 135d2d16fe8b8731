// Selects something on a track. The worker is asked what to select; of two questions, the newer one counts.

import { around } from "../viewport.js";
import { changeLog, changeShown, logOf, shownOf } from "../state.js";
import { firstRows } from "../threads.js";
import { spokenSpan } from "../describe.js";
import { spanOnPage } from "../page-time.js";
import { spanAt, spanIn } from "./asking.js";
import { measuredOf, spokenDistance } from "./measuring.js";

/** @typedef {import("../state.js").OfLog<import("../protocol.js").Span>} Span */
/** @typedef {import("../state.js").OfLog<import("../wishes.js").Pixel>} Pixel */
/**
 * @typedef {Pick<import("../context.js").Context, "store" | "timeline" | "client" | "moving" | "say" | "note">} Around the parts that selecting
 *     works with
 */

/**
 * A step from the selection to something else.
 * @typedef {object} Step
 * @property {(around: Around) => Promise<Span | null>} find
 * @property {(from: Span | null) => string} [missing] the note if nothing is found
 * @property {boolean} [unhides] whether it may lead to a track that the user has hidden; its row is then shown again
 */

/** Most steps that wait for their answers. */
const MOST_STEPS = 3;

export class Selecting {
    #around;
    /** Counts the selections, to recognise an answer that comes too late. */
    #selections = 0;
    /** Settled when all questions about what to select have been answered. @type {Promise<unknown>} */
    #settled = Promise.resolve();
    #waiting = 0;

    /** @param {Around} around */
    constructor(around) {
        this.#around = around;
    }

    /**
     * Does something with the selection, once that is known; not if something else is selected meanwhile.
     * @param {() => void | Promise<void>} act
     */
    whenKnown(act) {
        const mine = this.#selections;
        const settled = this.#settled.then(() => (mine === this.#selections ? act() : undefined)).catch(() => {});
        this.#settled = settled;
        return settled;
    }

    /**
     * Selects what is drawn in a pixel; nothing if there is none.
     * @param {Pixel | null} pixel
     */
    click(pixel) {
        this.#settled = Promise.allSettled([this.#settled, this.#selectAt(pixel)]);
    }

    /**
     * Selects what is drawn in a pixel, and measures from what has been selected before.
     * @param {Pixel | null} pixel
     */
    measureTo(pixel) {
        const { store } = this.#around;
        void this.whenKnown(() => {
            const { span, measureFrom } = store.value;
            if (!pixel) return;
            this.#settled = Promise.allSettled([this.#settled, this.#selectAt(pixel, measureFrom ?? span)]);
        });
    }

    /**
     * Selects what a track shows at a time, and brings it into view.
     * @param {import("../state.js").OfLog<import("../wishes.js").Point>} point
     */
    selectAt({ time, ...track }) {
        this.#settled = Promise.allSettled([this.#settled, this.#selectShown({ ...track, from: time, to: time + 1 })]);
        return this.#settled;
    }

    /**
     * Steps wait for each other, since each begins where the one before ended; but a key held down does not queue more than a few.
     * @param {Step} step
     */
    step(step) {
        if (this.#waiting >= MOST_STEPS) return;
        this.#waiting += 1;
        void this.whenKnown(() => this.#take(step)).finally(() => (this.#waiting -= 1));
    }

    /** Clears the selection on a track; the range stays. */
    deselect() {
        this.#selections += 1;
        this.#around.store.set({ measureFrom: null });
        this.#select(null);
    }

    /** Clears everything: also the range, and the choice of a single band. */
    clear() {
        const { store } = this.#around;
        this.#selections += 1;
        store.set({ range: null, measureFrom: null });
        changeShown(store, { bands: { ...shownOf(store.value).bands, only: null } });
        this.#select(null);
    }

    /** @param {Span | null} span */
    #select(span) {
        const { store, say } = this.#around;
        const distance = measuredOf({ ...store.value, span });
        store.set(distance ? { span, range: distance.range } : { span });
        say([span ? spokenSpan(span, span.on) : "", distance ? spokenDistance(distance) : ""].filter(Boolean).join(". "));
    }

    /** @param {Span} span */
    #reveal(span) {
        const { store, timeline, moving } = this.#around;
        const { view } = store.value;
        timeline.reveal(span);
        const { from, to } = spanOnPage(store.value, span);
        if (view && (to < view.from || from > view.to)) moving.centre((from + to) / 2);
    }

    /** @param {Step} step */
    async #take({ find, missing, unhides }) {
        const { store, note } = this.#around;
        const { shown, span } = store.value;
        const mine = this.#selections;
        const isOver = () => mine !== this.#selections || store.value.shown !== shown;
        const found = await find(this.#around);
        if (isOver()) return;
        if (!found) return missing && note(missing(span));
        const seen = unhides ? await this.#unhidden(found) : found;
        if (isOver()) return;
        this.#select(seen);
        this.#reveal(seen);
    }

    /**
     * The span, if its track is not hidden by the user.
     * @param {Span} span
     */
    async #unhidden(span) {
        if (!span.hidden) return span;
        const { store, client, note } = this.#around;
        const { log, track, start: time } = span;
        changeLog(store, log, { threads: { ...firstRows(), order: logOf(store.value, log).threads.order } });
        note("All threads are shown again");
        return (await spanAt(client, { log, track, time })) ?? span;
    }

    /**
     * @param {Pixel | null} pixel
     * @param {Span | null} [measureFrom] the span from which to measure. Without one, a click after two spans were measured begins anew
     */
    async #selectAt(pixel, measureFrom) {
        const { store, client } = this.#around;
        const { shown } = store.value;
        const mine = ++this.#selections;
        if (pixel?.part !== undefined) this.#choose(pixel.log, pixel.part);
        const span = pixel && (await spanIn(client, pixel));
        // Meanwhile, something else may have been selected, or another log opened.
        if (mine !== this.#selections || store.value.shown !== shown) return;
        if (measureFrom && span) store.set({ measureFrom });
        else if (measureFrom === undefined && measuredOf(store.value)) store.set({ measureFrom: null });
        // Where there is nothing to measure to, the selection stays.
        if (span || !measureFrom) this.#select(span);
    }

    /**
     * A click on a band draws it alone; another click draws all bands again.
     * @param {number} log
     * @param {number} part
     */
    #choose(log, part) {
        const { store } = this.#around;
        const { bands } = logOf(store.value, log);
        changeLog(store, log, { bands: { ...bands, only: bands.only === part ? null : part } });
    }

    /**
     * Selects a span that may be out of view, or too long to be seen as a whole.
     * @param {Pixel} pixel
     */
    async #selectShown(pixel) {
        const { store, moving } = this.#around;
        await this.#selectAt(pixel);
        const { span, view, shown } = store.value;
        const mine = this.#selections;
        if (!span || span.log !== pixel.log || span.track !== pixel.track) return;
        const seen = await this.#unhidden(span);
        if (mine !== this.#selections || store.value.shown !== shown) return;
        if (seen !== span) this.#select(seen);
        const { from, to } = spanOnPage(store.value, seen);
        if (view && (from < view.from || to > view.to)) moving.show(around({ from, to }));
        this.#reveal(seen);
    }
}
