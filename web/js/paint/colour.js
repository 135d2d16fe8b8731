// What is painted with.

/** @typedef {[number, number, number]} Rgb red, green and blue, 255 at most */

/** The role of time of which the log tells nothing, or in which nothing could be done: it is hatched. */
export const HATCHED = "hatch";
