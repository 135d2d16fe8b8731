// How to draw a track of bands, as the user chooses: which bands, stacked or as lines, all of them or one alone.

import { NamedRoles, REST } from "./paint/named.js";

/**
 * @typedef {object} BandsChoice
 * @property {string} order the column of the table of bands that ranks them, by its key
 * @property {number} count the number of bands drawn on their own
 * @property {"stacked" | "share" | "lines"} drawn
 * @property {number | null} only the number of the single band to draw
 * @property {NamedRoles} named the colours of this log's bands
 */

/** @typedef {{ id: number, name: string, role: string }} Band */

/** The number of the band for all those not drawn on their own. */
export const OTHERS = 0xffffffff;

/** The columns that can rank them. */
export const ORDERS = [
    { key: "integral_byte_ns", name: "over time" },
    { key: "max_bytes", name: "maximum" },
    { key: "last_bytes", name: "at the end" },
    { key: "growth_bytes_per_s", name: "growth" },
    { key: "name", name: "name" },
];

export const COUNTS = [5, 10, 20, 40];

/** @type {{ key: BandsChoice["drawn"], name: string }[]} */
export const DRAWN = [
    { key: "stacked", name: "stacked" },
    { key: "share", name: "shares" },
    { key: "lines", name: "lines" },
];

/** @returns {BandsChoice} the choice at first */
export function firstChoice() {
    return { order: ORDERS[0].key, count: 10, drawn: "stacked", only: null, named: new NamedRoles() };
}

/**
 * The bands of a strip, from the lowest to the highest.
 * @param {Pick<import("./protocol.js").Strip, "counts" | "texts">} strip
 * @param {NamedRoles} named
 * @returns {Band[]}
 */
export function bandsOf({ counts, texts }, named) {
    const seen = new Set();
    return Array.from(counts, (id, at) => {
        const name = texts[at];
        // Bands with the same name are different bands, such as the cost centres CAF of two modules.
        const key = seen.has(name) ? `${name} ${id}` : name;
        seen.add(name);
        return { id, name, role: id === OTHERS ? REST : named.of(key) };
    });
}

/**
 * The bottom and top of a band in a pixel, as shares of the row's height; NaN where it is not drawn.
 * @param {ArrayLike<number>} values of all bands there, from the lowest to the highest
 * @param {ArrayLike<number>} ids their numbers
 * @param {Pick<BandsChoice, "drawn" | "only">} choice
 * @param {number} most the value at the row's top
 * @param {(band: number, low: number, high: number) => void} take
 */
export function eachLevel(values, ids, { drawn, only }, most, take) {
    let all = 0;
    for (let band = 0; band < values.length; band++) all += values[band];
    const unit = drawn === "share" ? all : most;
    let below = 0;
    for (let band = 0; band < values.length; band++) {
        // If the sum is 0, there are no shares.
        const high = unit > 0 ? values[band] / unit : values[band];
        if (only !== null && ids[band] !== only) take(band, NaN, NaN);
        else if (drawn === "lines") take(band, high, high);
        else if (only !== null) take(band, 0, high);
        else take(band, below, (below += high));
    }
}

/** The pointer hits a line from at most this distance, as a share of the row's height. */
const NEAR = 0.06;

/**
 * The band at a height of a pixel; null if there is none.
 * @param {ArrayLike<number>} values
 * @param {ArrayLike<number>} ids
 * @param {Pick<BandsChoice, "drawn" | "only">} choice
 * @param {number} most
 * @param {number} height from the row's bottom, as a share of its height
 * @returns {number | null} its number
 */
export function bandAt(values, ids, choice, most, height) {
    /** @type {number | null} */
    let found = null;
    let near = NEAR;
    eachLevel(values, ids, choice, most, (band, low, high) => {
        if (choice.drawn !== "lines") {
            if (height >= low && height < high) found = ids[band];
        } else if (Math.abs(height - high) < near) {
            near = Math.abs(height - high);
            found = ids[band];
        }
    });
    return found;
}
