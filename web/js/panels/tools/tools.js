// Tools above a table, by which the user chooses what it shows. A tool registers itself: one file, and one line in `index.js`.

/** @typedef {(shown: import("../section.js").Shown) => unknown} Tools renders them */

/** By the keys of their tables. @type {Map<string, Tools>} */
export const TOOLS = new Map();

/**
 * @param {string} table
 * @param {Tools} tools
 */
export function addTools(table, tools) {
    TOOLS.set(table, tools);
}
