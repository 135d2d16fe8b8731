// Values of which some are not known: those are NaN.

/**
 * The larger of two values; the known one if the other is not.
 * @param {number} a
 * @param {number} b
 */
export function larger(a, b) {
    return b > a || Number.isNaN(a) ? b : a;
}
