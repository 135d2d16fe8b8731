// An export: a button above the summary that saves or copies everything known about a log. Formats for other tools belong to single
// sections: a section lists its own (`Section.exports`), and the worker writes them, so they need nothing here.

/**
 * @typedef {object} Export
 * @property {string} id its button's
 * @property {string} name on the button
 * @property {string} title of the button
 * @property {boolean} [needsAll] whether reading the log must have ended
 * @property {(context: import("../context.js").Context) => (() => void) | null} start called once for each viewer; returns what the button
 *     does, or null if that is not possible there
 */

/**
 * All exports, from left to right, in the order of `index.js`.
 * @type {Export[]}
 */
export const EXPORTS = [];

/**
 * Registers an export: each export's file calls this. Only `index.js` imports those files, so it sets their order.
 * @param {Export} way
 */
export function addExport(way) {
    EXPORTS.push(way);
}
