// The user's choice of the threads' rows on the timeline: out of very many threads, those of interest.

/**
 * @typedef {object} ThreadsChoice
 * @property {string} order the key to sort by, out of `ORDERS`
 * @property {string} text only threads with this text in their number or label; empty for all
 * @property {number | null} state only threads that were in this state, by its index in `STATES`; null for all
 * @property {string} presence only threads that existed, or only those that ran: a key of `PRESENCES`
 * @property {boolean} byLabel whether threads with the same label share a row
 * @property {number[]} unfolded the tracks of labels whose rows are unfolded
 */

export const ORDERS = [
    { key: "first", name: "first appearance" },
    { key: "running", name: "time running" },
    { key: "blocked", name: "time blocked" },
    { key: "lifetime", name: "lifetime" },
    { key: "label", name: "label" },
];

export const PRESENCES = [
    { key: "any", name: "all" },
    { key: "alive", name: "alive" },
    { key: "ran", name: "ran" },
];

/** The states of a thread's track, in order. */
export const STATES = ["running", "runnable", "blocked", "in a foreign call"];

/** @returns {ThreadsChoice} the choice at first */
export function firstRows() {
    return { order: ORDERS[0].key, text: "", state: null, presence: PRESENCES[0].key, byLabel: false, unfolded: [] };
}

/**
 * Whether a choice filters threads by what they did, so that the selected range matters.
 * @param {ThreadsChoice} choice
 */
export function asksWhatTheyDid({ state, presence }) {
    return state !== null || presence !== PRESENCES[0].key;
}

/**
 * The choice with a label's row unfolded, or folded again.
 * @param {ThreadsChoice} choice
 * @param {number} track
 */
export function turned(choice, track) {
    const others = choice.unfolded.filter((unfolded) => unfolded !== track);
    return { ...choice, unfolded: others.length < choice.unfolded.length ? others : [...others, track] };
}
