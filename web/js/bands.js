// How a track of bands is drawn, as its reader chooses: which bands, one on the other or each for itself, all of them or one alone.

import { NamedRoles, REST } from "./paint/named.js";

/**
 * @typedef {object} BandsChoice
 * @property {string} order what makes a band one of the first: a column of the table of bands, by its key
 * @property {number} count how many are drawn each for itself
 * @property {"stacked" | "share" | "lines"} drawn
 * @property {number | null} only the one that is drawn alone, by its number
 * @property {NamedRoles} named the colours of this log's bands
 */

/** @typedef {{ id: number, name: string, role: string }} Band */

/** The number of all bands that are not drawn each for itself. */
export const OTHERS = 0xffffffff;

/** What they can be chosen by. */
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

/** @returns {BandsChoice} as it is at first */
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
        // Two of one name are two, as the cost centres CAF of two modules are.
        const key = seen.has(name) ? `${name} ${id}` : name;
        seen.add(name);
        return { id, name, role: id === OTHERS ? REST : named.of(key) };
    });
}

/**
 * From where to where a band goes in a pixel, as parts of the row's height: not a number where it is not drawn.
 * @param {ArrayLike<number>} values of all bands there, from the lowest to the highest
 * @param {ArrayLike<number>} ids their numbers
 * @param {Pick<BandsChoice, "drawn" | "only">} choice
 * @param {number} most what the row's height stands for
 * @param {(band: number, low: number, high: number) => void} take
 */
export function eachLevel(values, ids, { drawn, only }, most, take) {
    let all = 0;
    for (let band = 0; band < values.length; band++) all += values[band];
    const unit = drawn === "share" ? all : most;
    let below = 0;
    for (let band = 0; band < values.length; band++) {
        // Of nothing there are no shares.
        const high = unit > 0 ? values[band] / unit : values[band];
        if (only !== null && ids[band] !== only) take(band, NaN, NaN);
        else if (drawn === "lines") take(band, high, high);
        else if (only !== null) take(band, 0, high);
        else take(band, below, (below += high));
    }
}

/** How near to a line the pointer must be, as a part of the row's height. */
const NEAR = 0.06;

/**
 * The band at a height of a pixel; null if there is none.
 * @param {ArrayLike<number>} values
 * @param {ArrayLike<number>} ids
 * @param {Pick<BandsChoice, "drawn" | "only">} choice
 * @param {number} most
 * @param {number} height from the row's bottom, as a part of its height
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
