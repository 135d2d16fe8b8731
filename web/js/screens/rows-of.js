// The groups of tracks whose rows the reader can choose: each dialog that does so registers its group, and headings have a button for it.

/** What can be chosen of a group's rows, by its key. @type {Map<string, string>} */
const CHOSEN = new Map();

/**
 * Each dialog calls this; its element has the id `rows-of-` and the key.
 * @param {string} group its key
 * @param {string} what can be chosen of its rows, as the button's title has it
 */
export function addRowsOf(group, what) {
    CHOSEN.set(group, what);
}

/**
 * @param {string} group its key
 * @returns {string | undefined} what can be chosen of its rows, if anything
 */
export function choiceOfRows(group) {
    return CHOSEN.get(group);
}
