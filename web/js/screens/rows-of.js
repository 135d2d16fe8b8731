// The groups of tracks whose rows the user can choose: each dialog for that registers its group, and the group's heading has a button for
// it.

/** What can be chosen about a group's rows, by its key. @type {Map<string, string>} */
const CHOSEN = new Map();

/**
 * Registers a group: each dialog calls this. The id of its element is `rows-of-` and the key.
 * @param {string} group its key
 * @param {string} what can be chosen about its rows, for the button's title
 */
export function addRowsOf(group, what) {
    CHOSEN.set(group, what);
}

/**
 * @param {string} group its key
 * @returns {string | undefined} what can be chosen about its rows, if anything
 */
export function choiceOfRows(group) {
    return CHOSEN.get(group);
}
