// What an export is: a way in which all that a log says is given away, by a button above the summary. What can be written of a single section
// for other tools, the section names itself (`Section.exports`), and the worker makes it: that takes nothing here.

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
 * Each file of an export calls this.
 * @param {Export} way
 */
export function addExport(way) {
    EXPORTS.push(way);
}
