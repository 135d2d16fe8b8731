// What a cell of the timeline's grid says: the track, the time, and what is drawn there, in one sentence. It is read from a picture that
// has one pixel for each cell, so it says what the eye sees.

import { count, percent, valueText, visible } from "../format.js";
import { titleOf, spokenSpan } from "../describe.js";

/** @typedef {import("../protocol.js").Strip} Strip */
/** @typedef {import("../protocol.js").Track} Track */
/** @typedef {import("../protocol.js").Found} Found */

/** States with a smaller share of a cell's time are left out. */
const LITTLE = 0.005;

/** Most bands of a profile that are named. */
const MOST_BANDS = 3;

/** What is said where nothing is known. */
const UNKNOWN = "not in the log";

/** A share of all of a cell's time, as in `Strip.shares`. */
const ALL = 255;

/**
 * A state's name within a sentence: "running", but "GC working".
 * @param {{ name: string }} state
 */
const within = ({ name }) => name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/**
 * What a track's states were in a cell, the longest first.
 * @param {Strip} strip
 * @param {number} cell
 * @param {Track["states"]} states
 */
function statesText({ shares, states: number }, cell, states) {
    const all = states.slice(0, number).map((state, at) => ({ name: within(state), share: shares[cell * number + at] / ALL }));
    const parts = all.filter(({ share }) => share >= LITTLE).toSorted((one, other) => other.share - one.share);
    if (parts.length === 0) return "nothing";
    if (parts[0].share > 1 - LITTLE) return parts[0].name;
    return parts.map(({ name, share }) => `${name} ${percent(share)}`).join(", ");
}

/**
 * How high a level was, of what it can be.
 * @param {Strip} strip
 * @param {number} cell
 * @param {Track["states"]} states the first one is what the level shows
 */
function levelText({ shares, states: number }, cell, states) {
    const own = shares.subarray(cell * number, (cell + 1) * number);
    const known = own.reduce((sum, share) => sum + share, 0);
    return known === 0 ? UNKNOWN : `${within(states[0])} ${percent(own[0] / known)}`;
}

/**
 * The least and the largest value of a line.
 * @param {Strip} strip
 * @param {number} cell
 * @param {Track} track
 */
function lineText({ values, counts }, cell, { scale }) {
    const unit = scale?.unit ?? "count";
    const [, least, most] = values.subarray(cell * 4, cell * 4 + 4);
    if (counts[cell] > 0 && !(most >= least)) return momentsText(counts[cell]);
    if (!(most >= least)) return UNKNOWN;
    const [low, high] = [least, most].map((value) => valueText(unit, value, 0));
    return low === high ? high : `${low} to ${high}`;
}

/** @param {number} number */
function momentsText(number) {
    return number === 0 ? "none" : number === 1 ? "1 event" : `${count(number)} events`;
}

/**
 * The largest bands of a profile, and their sum.
 * @param {Strip} strip
 * @param {number} cell
 * @param {Track} track
 * @param {(strip: Strip) => { name: string }[]} bandsIn names the bands of a strip, in their order
 */
function bandsText(strip, cell, { scale }, bandsIn) {
    const unit = scale?.unit ?? "bytes";
    const number = strip.counts.length;
    const values = [...strip.values.subarray(cell * number, (cell + 1) * number)];
    if (number === 0 || values.every(Number.isNaN)) return UNKNOWN;
    const named = bandsIn(strip).map(({ name }, at) => ({ name: visible(name), value: values[at] || 0 }));
    const sum = named.reduce((sum, { value }) => sum + value, 0);
    const largest = named.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
    const parts = largest.slice(0, MOST_BANDS).map(({ name, value }) => `${name} ${valueText(unit, value, 0)}`);
    return [`${valueText(unit, sum, 0)} in all`, ...parts].join(", ");
}

/**
 * What is drawn of a track in a cell.
 * @param {Track} track
 * @param {Strip} strip
 * @param {number} cell
 * @param {(strip: Strip) => { name: string }[]} bandsIn
 */
export function drawnText(track, strip, cell, bandsIn) {
    switch (track.shape) {
        case "states":
            return statesText(strip, cell, track.states);
        case "level":
            return levelText(strip, cell, track.states);
        case "line":
            return lineText(strip, cell, track);
        case "points":
            return momentsText(strip.counts[cell] ?? 0);
        case "bands":
            return bandsText(strip, cell, track, bandsIn);
        case "names": {
            // The names' numbers begin with 1; each has its module beside it.
            const name = strip.counts[cell];
            return name ? visible(strip.texts[2 * name - 2]) : "nothing";
        }
    }
}

/** The shapes whose drawings have spans: those of a line would only repeat its values. @type {Track["shape"][]} */
const SPANNED = ["states", "names"];

/**
 * The span that a cell has, or how many it has and the longest of them; empty where there is no more to say.
 * @param {Track} track
 * @param {Found | null} found
 */
export function foundText({ shape }, found) {
    // `drawnText` has said how many points there are, but not what a single one is.
    if (!SPANNED.includes(shape) && !(shape === "points" && found?.kind === "span")) return "";
    if (found?.kind === "span") return spokenSpan(found.span);
    return found?.kind === "many" ? `${titleOf(found)}: ${spokenSpan(found.span)}` : "";
}
