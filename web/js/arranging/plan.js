// Which rows there are, from the groups of a log and the user's arrangement: still without a list of them. Of a group with 100 000 tracks,
// the arrangement names a few; between those, the tracks follow each other as in the log.
//
//     group      0 1 2 3 4 5 6 7 8 …
//     hidden 2, moved 6 before 1, pinned 7
//     pieces     0 · 6 · 1 · 3 4 5 · 8 …        each a number of tracks that follow each other

import { isNarrowed } from "./choice.js";

/** @typedef {import("../protocol.js").Group} Group */
/** @typedef {import("../protocol.js").PlacedTrack} PlacedTrack */
/** @typedef {import("./choice.js").RowsChoice} RowsChoice */
/** @typedef {import("./choice.js").RowName} RowName */
/** @typedef {import("./choice.js").Density} Density */

/**
 * Tracks that follow each other in the log, and in the rows.
 * @typedef {{ from: number, count: number, density: Density | null }} Piece
 */

/**
 * @typedef {object} PlannedGroup
 * @property {Group} group
 * @property {Piece[]} pieces its rows from top to bottom
 * @property {number} shown the number of these rows
 * @property {number} left how many of its tracks are not among them: hidden, pinned, or not asked for
 */

/**
 * @typedef {object} Plan
 * @property {PlannedGroup[]} groups from top to bottom, without hidden ones
 * @property {{ group: Group, at: number, track: number, density: Density | null }[]} pinned from top to bottom
 * @property {number} hidden how many tracks and groups the user has hidden, of those that the log has
 * @property {boolean} narrowed whether only some rows are shown, for one question
 */

/**
 * What a plan depends on besides the groups.
 * @typedef {object} Arranged
 * @property {RowsChoice} choice
 * @property {readonly PlacedTrack[]} placed where the tracks are that the choice names; those that are not there have no row
 * @property {Named | null} named which tracks have the text in their names, once that is known
 * @property {Peek | null} peek a row that is shown for the moment, although it is hidden
 */

/** @typedef {{ text: string, runs: Record<string, readonly number[]>, cut?: boolean }} Named pairs of a first track and a number of tracks, by group */
/** @typedef {{ track: number, group: string, at: number }} Peek */

/**
 * All rows, in the order of the log.
 * @param {Group[]} groups
 * @returns {Plan}
 */
export function plainPlan(groups) {
    const all = (/** @type {Group} */ group) => {
        const pieces = group.tracks > 0 ? [{ from: 0, count: group.tracks, density: null }] : [];
        return { group, pieces, shown: group.tracks, left: 0 };
    };
    return { groups: groups.map(all), pinned: [], hidden: 0, narrowed: false };
}

/**
 * @param {Group[]} groups
 * @param {Arranged} arranged
 * @returns {Plan}
 */
export function planOf(groups, arranged) {
    const { choice, peek } = arranged;
    const places = placesOf(arranged);
    const heights = new Map(choice.heights);
    const plan = new Planner(arranged, places, heights);
    const byKey = new Map(groups.map((group) => [group.key, group]));
    const pinned = choice.pinned.flatMap((track) => {
        const place = places.get(track);
        const group = place && byKey.get(place.group);
        if (!place || !group || !plan.isWanted(track, place.group)) return [];
        return [{ group, at: place.at, track, density: heights.get(track) ?? heights.get(place.group) ?? choice.height }];
    });
    const hidden = choice.hidden.filter((row) => (typeof row === "number" ? places.has(row) && row !== peek?.track : byKey.has(row)));
    const order = sequence(
        groups.map(({ key }) => key),
        choice,
    );
    const planned = order.flatMap((key) => plan.group(/** @type {Group} */ (byKey.get(key))) ?? []);
    return { groups: planned, pinned, hidden: hidden.length, narrowed: isNarrowed(choice) };
}

/**
 * @param {Arranged} arranged
 * @returns {Map<number, Peek>}
 */
function placesOf({ placed, peek }) {
    const places = new Map(placed.map(({ group, at, track }) => [track.id, { track: track.id, group, at }]));
    if (peek && !places.has(peek.track)) places.set(peek.track, peek);
    return places;
}

/**
 * The keys of the groups in the user's order.
 * @param {string[]} keys
 * @param {RowsChoice} choice
 */
function sequence(keys, { moved }) {
    const away = new Set(moved.filter(({ beside }) => keys.includes(String(beside))).flatMap(({ rows }) => rows));
    const beside = (/** @type {string} */ key, /** @type {boolean} */ after) => {
        const rows = moved.find((one) => one.beside === key && one.after === after)?.rows ?? [];
        return rows.filter((row) => typeof row === "string" && keys.includes(row));
    };
    return keys.flatMap((key) => /** @type {string[]} */ ([...beside(key, false), ...(away.has(key) ? [] : [key]), ...beside(key, true)]));
}

/** Plans one group after the other. */
class Planner {
    #arranged;
    #places;
    #heights;
    #pinned;
    #hidden;
    #only;

    /**
     * @param {Arranged} arranged
     * @param {Map<number, Peek>} places
     * @param {Map<RowName, Density>} heights
     */
    constructor(arranged, places, heights) {
        const { pinned, hidden, only } = arranged.choice;
        this.#arranged = arranged;
        this.#places = places;
        this.#heights = heights;
        this.#pinned = new Set(pinned);
        this.#hidden = new Set(hidden);
        this.#only = only && new Set(only);
    }

    /**
     * Whether a row is among those that alone are shown.
     * @param {number} track
     * @param {string} group
     */
    isWanted(track, group) {
        return !this.#only || this.#only.has(track) || this.#only.has(group);
    }

    /**
     * @param {Group} group
     * @returns {PlannedGroup | null} null if it has no rows because of the arrangement
     */
    group(group) {
        const { choice, named, peek } = this.#arranged;
        if (group.tracks === 0)
            return choice.only || choice.text || this.#hidden.has(group.key) ? null : { group, pieces: [], shown: 0, left: 0 };
        const special = [...this.#places.values()].filter((place) => place.group === group.key && place.at < group.tracks);
        const runs = this.#runsOf(group, named);
        /** @type {Piece[]} */
        const pieces = [];
        const ofGroup = this.#heights.get(group.key) ?? choice.height;
        const add = (/** @type {number} */ from, /** @type {number} */ count, /** @type {Density | null} */ density) => {
            const last = pieces.at(-1);
            if (last && last.density === density && last.from + last.count === from) last.count += count;
            else if (count > 0) pieces.push({ from, count, density });
        };
        const isAll = !this.#hidden.has(group.key) && (!this.#only || this.#only.has(group.key));
        for (const { from, count, track } of ordered(special, group.tracks, choice)) {
            if (track === null) {
                if (isAll) for (const [first, size] of within(runs, from, count)) add(first, size, ofGroup);
            } else if (track === peek?.track || this.#shows(track, from, group, runs)) add(from, 1, this.#heights.get(track) ?? ofGroup);
        }
        const shown = pieces.reduce((sum, { count }) => sum + count, 0);
        return shown > 0 ? { group, pieces, shown, left: group.tracks - shown } : null;
    }

    /**
     * Whether a track that the arrangement names is among its group's rows.
     * @param {number} track
     * @param {number} at
     * @param {Group} group
     * @param {readonly number[] | null} runs
     */
    #shows(track, at, { key }, runs) {
        if (this.#pinned.has(track)) return false;
        if (within(runs, at, 1).length === 0) return false;
        if (this.#only?.has(track)) return true;
        return this.isWanted(track, key) && !this.#hidden.has(track) && !this.#hidden.has(key);
    }

    /**
     * The tracks of a group that have the text in their names: pairs of a first one and a number; null for all.
     * @param {Group} group
     * @param {Named | null} named
     */
    #runsOf({ key, name }, named) {
        const { text } = this.#arranged.choice;
        if (!text || !named || name.toLowerCase().includes(named.text.toLowerCase())) return null;
        return named.runs[key] ?? [];
    }
}

/**
 * The tracks of a group in the user's order, each that the arrangement names alone.
 * @param {Peek[]} special those
 * @param {number} count of all tracks
 * @param {RowsChoice} choice
 * @returns {{ from: number, count: number, track: number | null }[]}
 */
function ordered(special, count, { moved }) {
    const at = new Map(special.map((place) => [place.track, place.at]));
    const here = moved.filter(({ beside }) => at.has(/** @type {number} */ (beside)));
    const rowsOf = (/** @type {import("./choice.js").Moved} */ { rows }) => rows.filter((row) => at.has(/** @type {number} */ (row)));
    const away = new Set(here.flatMap(rowsOf));
    const one = (/** @type {number} */ track) => ({ from: at.get(track) ?? 0, count: 1, track });
    const beside = (/** @type {number} */ track, /** @type {boolean} */ after) =>
        here
            .filter((moved) => moved.beside === track && moved.after === after)
            .flatMap((moved) => rowsOf(moved).map((row) => one(Number(row))));
    /** @type {{ from: number, count: number, track: number | null }[]} */
    const all = [];
    let next = 0;
    for (const place of special.toSorted((a, b) => a.at - b.at)) {
        if (place.at > next) all.push({ from: next, count: place.at - next, track: null });
        all.push(...beside(place.track, false), ...(away.has(place.track) ? [] : [one(place.track)]), ...beside(place.track, true));
        next = place.at + 1;
    }
    if (next < count) all.push({ from: next, count: count - next, track: null });
    return all;
}

/**
 * The parts of some tracks that follow each other which are in some runs.
 * @param {readonly number[] | null} runs pairs of a first track and a number, in order; null for all
 * @param {number} from
 * @param {number} count
 * @returns {[number, number][]} pairs of a first track and a number
 */
function within(runs, from, count) {
    if (!runs) return [[from, count]];
    /** @type {[number, number][]} */
    const found = [];
    for (let pair = 0; pair < runs.length; pair += 2) {
        const [first, end] = [Math.max(runs[pair], from), Math.min(runs[pair] + runs[pair + 1], from + count)];
        if (first < end) found.push([first, end - first]);
        if (runs[pair] >= from + count) break;
    }
    return found;
}
