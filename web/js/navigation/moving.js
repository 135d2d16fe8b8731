// Changes which part of the log is in view. All times are on the page's axis.

import { shownOf } from "../state.js";
import { panned, whole, within, zoomed } from "../viewport.js";
import { extentOnPage, spanOnPage } from "../page-time.js";

/** @typedef {import("../viewport.js").View} View */

/** Showing a moment shows at most this share of the log around it, so that its place is visible. */
const PLACE = 1 / 20;

export class Moving {
    #store;
    #timeline;

    /**
     * @param {import("../store.js").Store<import("../state.js").State>} store
     * @param {import("../timeline.js").Timeline} timeline
     */
    constructor(store, timeline) {
        this.#store = store;
        this.#timeline = timeline;
    }

    /** The first and last time of the log on the page's axis, as far as known. */
    get extent() {
        return extentOnPage(shownOf(this.#store.value));
    }

    /** The whole log as a view; null if there is nothing to see. */
    get limits() {
        const ends = this.extent;
        return ends ? whole(ends) : null;
    }

    /**
     * Shows a part of the log, or the nearest possible one.
     * @param {View} view
     */
    show(view) {
        const all = this.limits;
        if (!all) return;
        const next = within(view, all, this.#timeline.width);
        this.#store.set({ view: next, follows: next.from <= all.from && next.to >= all.to });
    }

    /** @param {(view: View) => View} change changes the time in view; nothing happens if there is none */
    change(change) {
        const { view } = this.#store.value;
        if (view) this.show(change(view));
    }

    /** @param {number} factor above 1 shows more time, below 1 less */
    zoomBy(factor) {
        this.change((view) => zoomed(view, this.#focus(view), factor));
    }

    /**
     * @param {number} x in CSS pixels from the timeline's left edge
     * @param {number} factor
     */
    zoomAt(x, factor) {
        const at = this.#timeline.pointing.scale?.time(x);
        if (at !== undefined) this.change((view) => zoomed(view, at, factor));
    }

    /** @param {number} share of the view's length */
    panBy(share) {
        this.change((view) => panned(view, share));
    }

    showAll() {
        this.change((view) => this.limits ?? view);
    }

    /**
     * Shows a time and its surroundings, at the same zoom.
     * @param {number} time
     */
    centre(time) {
        this.change(({ from, to }) => ({ from: time - (to - from) / 2, to: time + (to - from) / 2 }));
    }

    /**
     * Shows a time and its surroundings, zoomed in enough to see its place.
     * @param {number} time
     */
    showTime(time) {
        const view = this.viewAt(time);
        if (view) this.#store.set({ view, follows: false });
    }

    /**
     * The view that shows a time and its surroundings.
     * @param {number} time
     */
    viewAt(time) {
        const { view } = this.#store.value;
        const all = this.limits;
        if (!all || !view) return null;
        const half = Math.min(view.to - view.from, (all.to - all.from) * PLACE) / 2;
        return within({ from: time - half, to: time + half }, all, this.#timeline.width);
    }

    /**
     * The time at which a key zooms: at the pointer's place, however the view has moved; else the selection, if it is in view; else the
     * middle.
     * @param {View} view
     */
    #focus(view) {
        const { pointer, range, span } = this.#store.value;
        const selected = range ?? (span && spanOnPage(this.#store.value, span));
        const at = selected ? (selected.from + selected.to) / 2 : NaN;
        const middle = at >= view.from && at <= view.to ? at : (view.from + view.to) / 2;
        return (pointer && this.#timeline.pointing.timeAt(pointer.x)) ?? middle;
    }
}
