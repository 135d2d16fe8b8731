// Why there is nothing to show: it was not logged, or it did not happen. Some logs leave open which of the two.

import { sentence } from "./format.js";

/**
 * @typedef {object} Why
 * @property {string} [flag] what the program has to be run with for its log to have it: `-lg`
 * @property {string} [none] a sentence: it may not have happened
 */

/** In the place of a number. */
export const NOT_LOGGED = "not logged";

/**
 * In a few words.
 * @param {Why} why
 */
export function briefly({ flag, none }) {
    if (flag === undefined) return "none";
    return none === undefined ? NOT_LOGGED : `none, or ${NOT_LOGGED}`;
}

/**
 * As one text: what the log needs for it, or what did not happen.
 * @param {Why} why
 */
export function asText({ flag, none }) {
    const needs = flag === undefined ? "" : needsText(flag);
    if (none === undefined) return needs || "none";
    return needs ? `${none} Or ${needs}` : none;
}

/** @param {string} flag */
export function needsText(flag) {
    return `${NOT_LOGGED} · needs ${flag}`;
}

/**
 * As a sentence below what there is. A flag comes after it, where there is one.
 * @param {Why} why
 * @param {boolean} isAll whether there is nothing at all
 */
export function asSentence({ flag, none = "" }, isAll) {
    if (flag === undefined) return none;
    return `${none && `${none} Or it was not logged. `}To log ${isAll ? "this" : "the rest"}, run with `;
}

/**
 * In brackets after a name. A flag comes after it, where there is one.
 * @param {Why} why
 */
export function inBrackets({ flag, none }) {
    if (flag === undefined) return "none";
    return none === undefined ? "needs " : "none, or needs ";
}

/**
 * As the lines of a panel that has nothing to show.
 * @param {Pick<import("./panels/panel.js").Panel, "what" | "built">} panel
 * @param {Why[]} whys those of its sections
 */
export function asLines({ what, built }, whys) {
    const nones = [...new Set(whys.flatMap(({ none }) => none ?? []))];
    const flags = [...new Set(whys.flatMap(({ flag }) => flag ?? []))].join(" or ");
    const has = `a log has it if the program was ${built ? `built with ${built} and ` : ""}run with +RTS ${flags}`;
    // Where both may be the reason, both are said; a flag that would not help is not.
    const advice = flags ? [sentence(nones.length > 0 ? `or it was not logged: ${has}` : has)] : [];
    return [`Not in this log: ${what}.`, ...nones, ...advice];
}
