// The scale of lines: the value at the top of their rows. A viewer that owns its page remembers the choice.
//
//     log     the largest of the whole log: times can be compared, and capabilities
//     view    the largest in view, of each line: small values are visible
//     unit    the largest of all rows in view of one unit: lines can be compared, such as live data with the heap's size
//     own     the largest of each line in the whole log

import { followRemembered } from "./remembered.js";

/** @typedef {"log" | "view" | "unit" | "own"} Scaling */

/** @type {Scaling} */
export const FIRST = "log";

/** The key that changes it. */
export const SCALE_KEY = "L";

/** The choices in words, in the order in which the key leads through them. @type {Record<Scaling, string>} */
export const SCALED = {
    log: "Lines are scaled to the whole log, alike for all capabilities",
    view: "Lines are scaled to what is in view",
    unit: "Lines of one unit are scaled alike, to the largest of the rows in view",
    own: "Each line is scaled to its own largest value in the whole log",
};

const SCALINGS = /** @type {Scaling[]} */ (Object.keys(SCALED));

/**
 * The choice after one.
 * @param {Scaling} scaling
 */
export function next(scaling) {
    return SCALINGS[(SCALINGS.indexOf(scaling) + 1) % SCALINGS.length];
}

/**
 * Takes the remembered choice, and remembers new ones.
 * @param {import("./context.js").Context} context
 */
export function followScaling(context) {
    followRemembered(context, "scaling", scalingOf);
}

/**
 * The stored text may be from another version, or from another program.
 * @param {string | null} written
 * @returns {Scaling}
 */
export function scalingOf(written) {
    return SCALINGS.find((scaling) => scaling === written) ?? FIRST;
}
