// The rows of the timeline: their places, which are folded, and their tracks as far as they are known.

import { AXIS, NO_ROWS, layOut, pagesBetween, rowAt, rowOfTrack, rowsBetween, rowsInView, stuckHeading } from "../rows.js";
import { planOf } from "../arranging/plan.js";
import { isNarrowed } from "../arranging/choice.js";
import { Tracks } from "../tracks.js";
import { shownOf } from "../state.js";
import { rememberFolds, rememberedFolds } from "../folds.js";

/** @typedef {import("../headers.js").Shown} Row */

export class TrackRows {
    #store;
    #tracks;
    #remembers;
    /** @type {import("../folds.js").Folds} */
    #folds = {};
    /** The groups that were folded while only some rows are shown: at first, all of those are. @type {import("../folds.js").Folds} */
    #narrowFolds = {};
    /** For which question only some rows are shown. */
    #narrowed = "";
    #layout = NO_ROWS;
    /** What the layout was made from. @type {unknown[]} */
    #laidOut = [];
    /** The number of the log that the tracks belong to. */
    #number = 0;

    /**
     * @param {import("../store.js").Store<import("../state.js").State>} store
     * @param {import("../tracks.js").Ask} ask
     * @param {() => void} came called when tracks have come that were asked for
     * @param {boolean} remembers whether to remember which groups are folded
     */
    constructor(store, ask, came, remembers) {
        this.#store = store;
        this.#tracks = new Tracks(ask, came);
        this.#remembers = remembers;
        if (remembers) this.foldAs(rememberedFolds());
    }

    /** The groups that the user folded or unfolded. */
    get folds() {
        return this.#folds;
    }

    get layout() {
        return this.#layout;
    }

    /** The known tracks, among them those in view. */
    get tracks() {
        const { log, placed } = shownOf(this.#store.value);
        const pictures = (log?.groups ?? []).flatMap(({ picture }) => picture ?? []);
        return [...this.#tracks.all, ...placed.map(({ track }) => track), ...pictures];
    }

    /**
     * Folds a group, or unfolds it.
     * @param {string} key
     * @param {boolean} folded
     */
    fold(key, folded) {
        if (isNarrowed(shownOf(this.#store.value).rows)) this.#narrowFolds = { ...this.#narrowFolds, [key]: folded };
        else this.foldAs({ ...this.#folds, [key]: folded });
    }

    /** @param {import("../folds.js").Folds} folds all groups that are not as they are at first */
    foldAs(folds) {
        this.#folds = folds;
        if (this.#remembers) rememberFolds(folds);
    }

    /**
     * Lays the rows out again, if anything has changed that they depend on.
     * @param {number} room the height for rows
     * @returns {boolean} whether anything has changed
     */
    layOut(room) {
        const { log, number, finished } = shownOf(this.#store.value);
        if (!log) return false;
        if (this.#number !== number) this.#tracks.forget();
        this.#number = number;
        this.#tracks.take(log);
        const { rows: choice, placed, named, peek } = shownOf(this.#store.value);
        const on = [log.groups, finished, this.#folds, this.#narrowFolds, room, choice, placed, named, peek];
        if (this.#laidOut.length > 0 && on.every((value, at) => value === this.#laidOut[at])) return false;
        this.#laidOut = on;
        const isNarrow = isNarrowed(choice);
        const question = isNarrow ? JSON.stringify([number, choice.text, choice.only]) : "";
        if (question !== this.#narrowed) this.#narrowFolds = {};
        this.#narrowed = question;
        const isFolded = (/** @type {import("../protocol.js").Group} */ { key, open }) =>
            isNarrow ? (this.#narrowFolds[key] ?? false) : (this.#folds[key] ?? !open);
        this.#layout = layOut(log.groups, isFolded, finished, room, planOf(log.groups, { choice, placed, named, peek }));
        return true;
    }

    /** Forgets the log that was shown before. */
    forget() {
        this.#laidOut = [];
        this.#layout = NO_ROWS;
        this.#tracks.forget();
    }

    /**
     * The rows between two heights are in view: asks for their tracks.
     * @param {number} top
     * @param {number} bottom
     */
    show(top, bottom) {
        this.#tracks.show(pagesBetween(this.#layout, top, bottom));
    }

    /**
     * A track; the worker is asked for it if it is not known.
     * @param {import("../rows.js").Slot} slot
     */
    find(slot) {
        return this.#tracks.find(slot);
    }

    /**
     * Where a track is, if it is known.
     * @param {number} id
     */
    placeOf(id) {
        return this.#tracks.placeOf(id);
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
     * The row of a track.
     * @param {import("../rows.js").Slot} slot
     */
    of(slot) {
        return rowOfTrack(this.#layout, slot);
    }

    /**
     * All rows between two heights, each at its place among all rows: for paper.
     * @param {number} top
     * @param {number} bottom
     */
    between(top, bottom) {
        return rowsBetween(this.#layout, top, bottom).map((row) => this.#withTrack(row));
    }

    /**
     * The pinned rows, and others between two heights.
     * @param {number} top the height of the rows above the view
     * @param {number} from
     * @param {number} to
     */
    inView(top, from, to) {
        return rowsInView(this.#layout, top, from, to).map((row) => this.#withTrack(row));
    }

    /**
     * The row at a height of the view: a heading that stays in view covers the rows below it.
     * @param {number} y
     * @param {number} top the height of the rows above the view
     */
    at(y, top) {
        if (y < AXIS) return null;
        if (y < this.#layout.head) {
            const row = rowAt(this.#layout, y);
            return row && this.#withTrack({ ...row, y: row.y + top });
        }
        const stuck = this.stuck(top);
        if (stuck && y + top < stuck.y + stuck.height) return stuck;
        const row = rowAt(this.#layout, y + top);
        return row && this.#withTrack(row);
    }

    /**
     * The heading that stays in view.
     * @param {number} top the height of the rows above the view
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
        const [group] = row.groups;
        const own = row.kind === "tracks" ? this.#trackAt({ group: group.key, at: row.at }) : null;
        return { ...row, log: this.#number, track: row.kind === "heading" && row.folded ? (group.picture ?? null) : own };
    }

    /** @param {import("../rows.js").Slot} slot */
    #trackAt(slot) {
        const known = this.#tracks.at(slot);
        if (known) return known;
        // Pinned tracks come with each report.
        return shownOf(this.#store.value).placed.find(({ group, at }) => group === slot.group && at === slot.at)?.track ?? null;
    }
}
