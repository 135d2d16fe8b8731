// What each figure, each column and each track is, in a sentence or two. They are at the fields, columns and kinds of tracks in the model; a test writes the JSON
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
 * @param {string} section the key of the figure's section
 * @param {string} key the figure's
 * @returns {string | undefined} what is usual; none if no rule is about it
 */
export function usualOf(section, key) {
    return ABOUT[`usual ${section}.${key}`];
}

/**
 * @param {string} table the key of the column's table
 * @param {string} key the column's
 * @returns {string | undefined} none if it is no column of the model
 */
export function aboutColumn(table, key) {
    return ABOUT[`${table}/${key}`];
}

/**
 * @param {string} kind a track's
 * @returns {string | undefined} none if the model has no such kind
 */
export function aboutTrack(kind) {
    return ABOUT[`track ${kind}`];
}
