// Servers on the reader's own computer or network, which browsers treat in ways of their own.

/** The name of the browser's permission to read from either, in browsers that do not tell the two apart. */
const EITHER = "local-network-access";

/**
 * Whether a host is the reader's own computer. Browsers let pages loaded by https read from there by http; but not Safari.
 * @param {string} hostname
 */
export function isThisComputer(hostname) {
    return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Whether a host is in the reader's own network, by its address. A name may lead there, too, but nothing shows that.
 * @param {string} hostname
 */
export function isNearby(hostname) {
    return /^(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|\[f[cd][^\]]*\]|\[fe80:[^\]]*\]|.+\.local)$/.test(
        hostname,
    );
}

/**
 * Whether the browser lets this page read from a host on the reader's computer or network. There is a permission for each of the two.
 * @param {string} hostname
 * @returns {Promise<"granted" | "denied" | "unknown">} unknown also if the reader has not answered the browser's question, or there is none
 */
export async function accessTo(hostname) {
    const own = isThisComputer(hostname) ? "loopback-network" : "local-network";
    const state = (await stateOf(own)) ?? (await stateOf(EITHER));
    return state === "granted" || state === "denied" ? state : "unknown";
}

/** @param {string} name of a permission */
async function stateOf(name) {
    try {
        return (await navigator.permissions.query({ name: /** @type {PermissionName} */ (name) })).state;
    } catch {
        return null;
    }
}

/** Whether this browser is Safari, or another one on its engine. */
export function isSafari() {
    return /\bAppleWebKit\//.test(navigator.userAgent) && !/\b(Chrome|Chromium|HeadlessChrome)\//.test(navigator.userAgent);
}
