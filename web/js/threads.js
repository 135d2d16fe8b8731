// Which rows threads have on the timeline, as their reader chooses: of very many, those that he looks for.

/**
 * @typedef {object} ThreadsChoice
 * @property {string} order what comes first: a key of `ORDERS`
 * @property {string} text what their numbers or labels have in them; empty for all
 * @property {number | null} state which they were in, by its number among a thread's states; null for any
 * @property {string} presence whether they were there, or ran: a key of `PRESENCES`
 * @property {boolean} byLabel whether threads of one label share a row
 * @property {number[]} unfolded the rows of labels that are unfolded, by their tracks
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
    { key: "ran", name: "that ran" },
];

/** Those of a thread's track, in order. */
export const STATES = ["running", "runnable", "blocked", "in a foreign call"];

/** @returns {ThreadsChoice} as it is at first */
export function firstRows() {
    return { order: ORDERS[0].key, text: "", state: null, presence: PRESENCES[0].key, byLabel: false, unfolded: [] };
}

/**
 * Whether a choice leaves threads out by what they did, so that it matters whether a range is selected.
 * @param {ThreadsChoice} choice
 */
export function asksWhatTheyDid({ state, presence }) {
    return state !== null || presence !== PRESENCES[0].key;
}

/**
 * The same with a label's row unfolded, or folded again.
 * @param {ThreadsChoice} choice
 * @param {number} track
 */
export function turned(choice, track) {
    const others = choice.unfolded.filter((unfolded) => unfolded !== track);
    return { ...choice, unfolded: others.length < choice.unfolded.length ? others : [...others, track] };
}
