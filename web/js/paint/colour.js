// Colours to paint with.

/** @typedef {[number, number, number]} Rgb red, green and blue, 255 at most */

/** The role of time about which the log says nothing, or in which nothing could be done: it is hatched. */
export const HATCHED = "hatch";
