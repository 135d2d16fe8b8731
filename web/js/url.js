// Addresses of logs.

/**
 * @param {string} address may be anything
 * @param {string} [base] the base of a relative one
 * @returns {URL | null} null if it is not an address
 */
export function urlOf(address, base) {
    try {
        return new URL(address, base);
    } catch {
        return null;
    }
}

/**
 * The name of the file at an address.
 * @param {URL} url
 */
export function nameOf({ pathname, hostname }) {
    const last = pathname.split("/").at(-1) || hostname;
    try {
        return decodeURIComponent(last);
    } catch {
        // The name may not be encoded as it should be.
        return last;
    }
}
