// A strip of pixels: the share of its time that a pixel spends in each state is drawn as height, one state on the other, from
// the bottom. So 8 % of the time looks like 8 %, at any zoom; what is there at all is one pixel high.

/** The role of time of which the log tells nothing, or in which nothing could be done: it is hatched. */
export const HATCHED = "hatch";

/** Pixels between two lines of the hatching. */
const APART = 6;

/** @typedef {[number, number, number]} Rgb */

/**
 * The pixels of one track.
 * @param {import("../protocol.js").Strip} strip
 * @param {(Rgb | null)[]} colours by state; null for what is left to the ground
 * @param {number} levels how many pixels the strip is high
 * @param {Uint32Array} pixels where they go, row by row
 * @param {number[]} hatched the states that are drawn as hatching
 */
export function stripPixels({ shares, states }, colours, levels, pixels, hatched = []) {
    const fills = Uint32Array.from(colours, (colour) => (colour ? packed(colour) : 0));
    const width = shares.length / states;
    const heights = new Uint16Array(states);
    // The closer one looks, the longer are the runs of columns that are the same.
    for (let from = 0, to; from < width; from = to) {
        to = from + 1;
        while (to < width && isSame(shares, from * states, to * states, states)) to++;
        stack(shares, from * states, fills, levels, heights);
        let row = (levels - 1) * width;
        for (let state = 0; state < states; state++) {
            const fill = fills[state];
            const step = hatched.includes(state) ? APART : 1;
            for (let height = heights[state]; height > 0; height--, row -= width) {
                const first = step === 1 ? from : from + ((step - ((from + height) % step)) % step);
                for (let x = first; x < to; x += step) pixels[row + x] = fill;
            }
        }
    }
}

/**
 * Whether two columns are the same.
 * @param {Uint8Array} shares
 * @param {number} one
 * @param {number} other
 * @param {number} states
 */
function isSame(shares, one, other, states) {
    for (let state = 0; state < states; state++) {
        if (shares[one + state] !== shares[other + state]) return false;
    }
    return true;
}

/**
 * How high each state is drawn.
 * @param {Uint8Array} shares 255 for all of the time
 * @param {number} first the place of the first state's
 * @param {Uint32Array} fills 0 for what is not drawn
 * @param {number} levels
 * @param {Uint16Array} heights
 */
function stack(shares, first, fills, levels, heights) {
    let [all, sum, largest] = [0, 0, 0];
    for (let state = 0; state < heights.length; state++) {
        const share = fills[state] === 0 ? 0 : shares[first + state];
        heights[state] = share === 0 ? 0 : Math.max(1, Math.round((share / 255) * levels));
        all += share;
        sum += heights[state];
        if (heights[state] > heights[largest]) largest = state;
    }
    // What rounding each of them has brought too much or too little: the largest one feels it least.
    const wanted = all > 0 ? Math.max(1, Math.round((Math.min(all, 255) / 255) * levels)) : 0;
    heights[largest] = Math.max(all > 0 ? 1 : 0, heights[largest] + wanted - sum);
}

/**
 * An opaque pixel, as it lies in memory.
 * @param {Rgb} colour
 */
function packed([r, g, b]) {
    return new Uint32Array(Uint8Array.of(r, g, b, 255).buffer)[0];
}
