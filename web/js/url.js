// Addresses of logs.

/**
 * @param {string} address anybody's
 * @param {string} [base] what a relative one begins at
 * @returns {URL | null} none if it is no address
 */
export function urlOf(address, base) {
    try {
        return new URL(address, base);
    } catch {
        return null;
    }
}

/**
 * What a file is called at an address.
 * @param {URL} url
 */
export function nameOf({ pathname, hostname }) {
    const last = pathname.split("/").at(-1) || hostname;
    try {
        return decodeURIComponent(last);
    } catch {
        // Not everybody writes addresses as they should be written.
        return last;
    }
}
