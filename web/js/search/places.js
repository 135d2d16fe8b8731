// Where the hits of a search are on a line of pixels.

/**
 * The pixels in which there are hits: one for each stretch of time that has any.
 * @param {Pick<import("../state.js").LogState, "search" | "log">} log
 * @param {(time: number) => number} place of a time of the log
 * @returns {number[]} from left to right, without repetitions
 */
export function placesOf({ search, log }, place) {
    const counts = search?.report?.buckets;
    const extent = log?.status.extent;
    if (!counts || !extent || counts.length === 0) return [];
    const [first, last] = extent;
    const size = (last + 1 - first) / counts.length;
    /** @type {Set<number>} */
    const places = new Set();
    counts.forEach((count, at) => {
        if (count > 0) places.add(Math.round(place(first + (at + 0.5) * size)));
    });
    return [...places];
}
