// Tools above a table, or below a section's figures, by which the user chooses what is shown. A tool registers itself: one file, and one line in `index.js`.

/** @typedef {(shown: import("../section.js").Shown) => unknown} Tools renders them */

/** By the keys of their tables, or of their sections. @type {Map<string, Tools>} */
export const TOOLS = new Map();

/**
 * @param {string} key a table's, or one that `ofSection` gives
 * @param {Tools} tools
 */
export function addTools(key, tools) {
    TOOLS.set(key, tools);
}

/**
 * The key of tools that are below the figures of a section: sections and tables may have the same keys.
 * @param {string} section
 */
export const ofSection = (section) => `section ${section}`;
