// Finds rows for the user's arrangement of them: where tracks are, and which have a name.

/** @typedef {import("./opening.js").Opening} Opening */
/** @typedef {import("../wire").Tree} Tree */
/** @typedef {import("../wire").Track} Track */
/** @typedef {import("../wire").TrackSlot} TrackSlot */

/** Most runs of rows with a text in their names: the page splits a group's rows at each. */
const MOST_RUNS = 2000;

/** Of the tracks with a text in their names, this many are compared with a name. */
const COMPARED = 256;

/**
 * Where tracks are; without those that the log does not have, or that have no row.
 * @param {Opening} opening
 * @param {number[]} tracks
 * @returns {import("../protocol.js").PlacedTrack[]}
 */
export function placed({ log, arrangement }, tracks) {
    return tracks.flatMap((track) => {
        const { group, at, hidden } = /** @type {TrackSlot} */ (log.slot_of(arrangement, track));
        const [found] = hidden ? [] : /** @type {Track[]} */ (log.tracks_of(arrangement, group, at, 1));
        return found ? [{ group, at, track: found }] : [];
    });
}

/**
 * Which rows have a text in their names.
 * @param {Opening} opening
 * @param {{ text: string }} ask
 * @returns {import("../protocol.js").NamedRows}
 */
export function rowsNamed({ log, arrangement }, { text }) {
    const { groups } = /** @type {Tree} */ (log.tree(arrangement));
    /** One more than are used, to know whether there are more. @type {[string, number[]][]} */
    const runs = groups.map(({ key }) => [key, [...log.rows_named(arrangement, key, text, MOST_RUNS + 1)]]);
    const cut = runs.some(([, found]) => found.length > 2 * MOST_RUNS);
    const some = runs.filter(([, found]) => found.length > 0).map(([key, found]) => [key, found.slice(0, 2 * MOST_RUNS)]);
    return { text, runs: Object.fromEntries(some), cut };
}

/**
 * Tracks by their names. In another run of a program, a thread has another number: then it is found by its label.
 * @param {Opening} opening
 * @param {{ rows: [string, string][] }} ask
 * @returns {(number | null)[]}
 */
export function rowsCalled({ log, arrangement }, { rows }) {
    return rows.map(([group, name]) => {
        const label = labelOf(name);
        // Other names may have this one in them.
        const runs = log.rows_named(arrangement, group, label, COMPARED);
        /** @type {Track[]} */
        const tracks = [];
        for (let pair = 0; pair < runs.length && tracks.length < COMPARED; pair += 2) {
            const some = log.tracks_of(arrangement, group, runs[pair], Math.min(runs[pair + 1], COMPARED - tracks.length));
            tracks.push(.../** @type {Track[]} */ (some));
        }
        const same = tracks.find((track) => track.name === name) ?? tracks.find((track) => labelOf(track.name) === label);
        return same?.id ?? null;
    });
}

/**
 * The label in the name of a thread's row, which is after its number; other names as they are.
 * @param {string} name
 */
function labelOf(name) {
    return /^\d+ (.+)$/s.exec(name)?.[1] ?? name;
}
