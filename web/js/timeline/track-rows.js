// The rows of the timeline: where each is, which are folded away, and the tracks that are in them, as far as they are known.

import { AXIS, layOut, pagesBetween, rowAt, rowOfTrack, rowsBetween, stuckHeading } from "../rows.js";
import { Tracks } from "../tracks.js";
import { shownOf } from "../state.js";
import { rememberFolds, rememberedFolds } from "../folds.js";

/** @typedef {import("../headers.js").Shown} Row */
/** @typedef {import("../rows.js").Layout} Layout */

/** @type {Layout} */
const NO_ROWS = { runs: [], height: AXIS, grown: 0 };

export class TrackRows {
    #store;
    #tracks;
    #remembers;
    /** @type {import("../folds.js").Folds} */
    #folds = {};
    #layout = NO_ROWS;
    /** What that was made of. @type {unknown[]} */
    #laidOut = [];
    /** The log that the tracks are of. */
    #number = 0;

    /**
     * @param {import("../store.js").Store<import("../state.js").State>} store
     * @param {import("../tracks.js").Ask} ask
     * @param {() => void} came is called when tracks have come that were asked for
     * @param {boolean} remembers what is folded
     */
    constructor(store, ask, came, remembers) {
        this.#store = store;
        this.#tracks = new Tracks(ask, came);
        this.#remembers = remembers;
        if (remembers) this.foldAs(rememberedFolds());
    }

    /** Whether a group is folded, where its user has said so. */
    get folds() {
        return this.#folds;
    }

    get layout() {
        return this.#layout;
    }

    /** The tracks that are known: those in view are among them. */
    get tracks() {
        return [...this.#tracks.all, ...(shownOf(this.#store.value).log?.groups ?? []).flatMap(({ picture }) => picture ?? [])];
    }

    /**
     * Folds a group, or unfolds it.
     * @param {string} key
     * @param {boolean} folded
     */
    fold(key, folded) {
        this.foldAs({ ...this.#folds, [key]: folded });
    }

    /** @param {import("../folds.js").Folds} folds all that are not as they are at first */
    foldAs(folds) {
        this.#folds = folds;
        if (this.#remembers) rememberFolds(folds);
    }

    /**
     * Finds where the rows are, if anything has changed that they depend on.
     * @param {number} room the height that there is for them
     * @returns {boolean} whether it has
     */
    layOut(room) {
        const { log, number, finished } = shownOf(this.#store.value);
        if (!log) return false;
        if (this.#number !== number) this.#tracks.forget();
        this.#number = number;
        this.#tracks.take(log);
        const on = [log.groups, finished, this.#folds, room];
        if (this.#laidOut.length > 0 && on.every((value, at) => value === this.#laidOut[at])) return false;
        this.#laidOut = on;
        this.#layout = layOut(log.groups, ({ key, open }) => this.#folds[key] ?? !open, finished, room);
        return true;
    }

    /** Nothing is left of a log that was shown before. */
    forget() {
        this.#laidOut = [];
        this.#layout = NO_ROWS;
        this.#tracks.forget();
    }

    /**
     * The rows between two heights are in view: their tracks are asked for.
     * @param {number} top
     * @param {number} bottom
     */
    show(top, bottom) {
        this.#tracks.show(pagesBetween(this.#layout, top, bottom));
    }

    /**
     * A track, asked for if it is not known.
     * @param {import("../rows.js").Slot} slot
     */
    find(slot) {
        return this.#tracks.find(slot);
    }

    /**
     * Waits until all tracks between two heights are known.
     * @param {number} top
     * @param {number} bottom
     */
    async load(top, bottom) {
        const pages = pagesBetween(this.#layout, top, bottom);
        await Promise.all(pages.map(({ group, from }) => this.#tracks.find({ group, at: from })));
    }

    /**
     * The row that a track is in.
     * @param {import("../rows.js").Slot} slot
     */
    of(slot) {
        return rowOfTrack(this.#layout, slot);
    }

    /**
     * @param {number} top
     * @param {number} bottom
     */
    between(top, bottom) {
        return rowsBetween(this.#layout, top, bottom).map((row) => this.#withTrack(row));
    }

    /**
     * The row that is seen at a height of the view: a heading that stays in sight covers what is below it.
     * @param {number} y
     * @param {number} top what is above the view
     */
    at(y, top) {
        if (y < AXIS) return null;
        const stuck = this.stuck(top);
        if (stuck && y + top < stuck.y + stuck.height) return stuck;
        const row = rowAt(this.#layout, y + top);
        return row && this.#withTrack(row);
    }

    /**
     * The heading that stays in sight.
     * @param {number} top what is above the view
     */
    stuck(top) {
        const row = stuckHeading(this.#layout, top);
        return row && this.#withTrack(row);
    }

    /**
     * @param {import("../rows.js").Row} row
     * @returns {Row}
     */
    #withTrack(row) {
        const [{ key, picture }] = row.groups;
        const own = row.kind === "tracks" ? this.#tracks.at({ group: key, at: row.at }) : null;
        return { ...row, log: this.#number, track: row.kind === "heading" && row.folded ? (picture ?? null) : own };
    }
}
