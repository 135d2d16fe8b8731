// The part of the page's address after "#": `key=value`, separated by "&". Reading or writing one key leaves the others unchanged.

/**
 * @param {string} fragment with its "#" or without
 * @param {string} key
 * @returns {string | null} null if it is missing, or cannot be decoded
 */
export function valueIn(fragment, key) {
    const part = partsOf(fragment).find((part) => part.startsWith(`${key}=`));
    if (part === undefined) return null;
    try {
        return decodeURIComponent(part.slice(key.length + 1));
    } catch {
        return null;
    }
}

/**
 * The fragment with another value for a key. The key keeps its place; a new one comes last.
 * @param {string} fragment with its "#" or without
 * @param {string} key
 * @param {string | null} value null removes the key
 */
export function withValue(fragment, key, value) {
    const parts = partsOf(fragment);
    const at = parts.findIndex((part) => part.startsWith(`${key}=`));
    if (value === null) return `#${parts.filter((_, place) => place !== at).join("&")}`;
    // Commas are allowed in a fragment, and easier to read unescaped.
    const added = `${key}=${encoded(value).replaceAll("%2C", ",")}`;
    return `#${(at < 0 ? [...parts, added] : parts.with(at, added)).join("&")}`;
}

/**
 * A text as a part of an address. Half a surrogate pair, which a pasted or stored text may have, cannot be in one.
 * @param {string} text
 */
export function encoded(text) {
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/**
 * Sets a key in the page's address, without an entry in the history.
 * @param {string} key
 * @param {string | null} value null removes the key
 */
export function setInAddress(key, value) {
    if (valueIn(location.hash, key) === value) return;
    replaceFragment(withValue(location.hash, key, value));
}

/** @param {string} fragment with its "#" */
export function replaceFragment(fragment) {
    if (fragment === location.hash) return;
    try {
        history.replaceState(history.state, "", fragment);
    } catch {
        // The address cannot be changed: in a frame without an address, or with a base elsewhere.
    }
}

/** @param {string} fragment */
function partsOf(fragment) {
    return fragment.replace(/^#/, "").split("&").filter(Boolean);
}
