// A strip of pixels: each pixel's colour is the mix of the states in it, weighted by time.

/** @typedef {[number, number, number]} Rgb */

/** The least that is painted of a pixel in which anything is: a sliver must be seen, but not look like a lot. */
const FAINTEST = 0.22;

/**
 * The pixels of one track, one row high.
 * @param {import("../protocol.js").Strip} strip
 * @param {Rgb[]} colours by state
 * @param {Uint8ClampedArray} pixels where they go, 4 bytes each
 */
export function stripPixels({ shares, states }, colours, pixels) {
    for (let at = 0, pixel = 0; at < shares.length; at += states, pixel += 4) {
        let [sum, r, g, b] = [0, 0, 0, 0];
        for (let state = 0; state < states; state++) {
            const share = shares[at + state];
            if (share === 0) continue;
            const colour = colours[state];
            sum += share;
            r += share * colour[0];
            g += share * colour[1];
            b += share * colour[2];
        }
        if (sum === 0) continue;
        pixels[pixel] = r / sum;
        pixels[pixel + 1] = g / sum;
        pixels[pixel + 2] = b / sum;
        pixels[pixel + 3] = 255 * Math.max(Math.min(sum / 255, 1), FAINTEST);
    }
}
