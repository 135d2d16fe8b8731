// A log that is on the page's own server.

/**
 * @param {URL | null} url none if what was given is no address
 * @param {AbortSignal} signal
 * @returns {Promise<File>} fails with what is to be said
 */
export async function loadFile(url, signal) {
    if (!url) throw new Error("this is no address");
    if (url.origin !== location.origin) throw new Error(`it is on another server, ${url.host}; download it, and open the file`);
    const response = await fetch(url, { signal }).catch(() => null);
    if (!response) throw new Error("the server cannot be reached");
    if (!response.ok) throw new Error(`the server says ${response.status}${response.statusText ? ` (${response.statusText})` : ""}`);
    try {
        return new File([await response.blob()], nameOf(url));
    } catch {
        throw new Error("it was not loaded to its end");
    }
}

/**
 * @param {string} address anybody's
 * @param {string} base what a relative one begins at
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
