// What each figure and each column is, in a sentence or two. They stand at the fields and columns of the model; a test writes the JSON
// (`tests/conformance/tests/all/documents.rs`).

import explained from "./explained.json" with { type: "json" };

/** @type {Partial<Record<string, string>>} */
const ABOUT = explained;

/**
 * @param {string} section the key of the figure's section
 * @param {string} key the figure's
 * @returns {string | undefined} none if it is no figure of the model
 */
export function aboutFigure(section, key) {
    return ABOUT[`${section}.${key}`];
}

/**
 * @param {string} table the key of the column's table
 * @param {string} key the column's
 * @returns {string | undefined} none if it is no column of the model
 */
export function aboutColumn(table, key) {
    return ABOUT[`${table}/${key}`];
}
