// What an export is: a button above the summary that saves or copies all that is said of a log. What a single section can be written as for
// other tools, it names itself (`Section.exports`), and the worker writes it: that takes nothing here.

/**
 * @typedef {object} Export
 * @property {string} id its button's
 * @property {string} name on the button
 * @property {string} title of the button
 * @property {boolean} [needsAll] whether the log must have been read as far as it will be
 * @property {(context: import("../context.js").Context) => (() => void) | null} start is called once for each viewer, and gives what the button
 *     does; null where that cannot be had
 */

/**
 * All of them, from left to right: as `index.js` has them.
 * @type {Export[]}
 */
export const EXPORTS = [];

/**
 * Each file of an export calls this. Only `index.js` imports those files: it has their order.
 * @param {Export} way
 */
export function addExport(way) {
    EXPORTS.push(way);
}
