// What stands after the "#" of the page's address: `key=value`, with "&" between them. Whoever reads or writes one key leaves the
// others as they are.

/**
 * @param {string} fragment with its "#" or without
 * @param {string} key
 * @returns {string | null} null if it is not there, or cannot be read
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
 * The same fragment with another value; the key stays where it is, and a new one comes last.
 * @param {string} fragment with its "#" or without
 * @param {string} key
 * @param {string | null} value null for none: then the key goes
 */
export function withValue(fragment, key, value) {
    const parts = partsOf(fragment);
    const at = parts.findIndex((part) => part.startsWith(`${key}=`));
    if (value === null) return `#${parts.filter((_, place) => place !== at).join("&")}`;
    // Commas may stand in a fragment as they are, and are read more easily so.
    const added = `${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`;
    return `#${(at < 0 ? [...parts, added] : parts.with(at, added)).join("&")}`;
}

/** @param {string} fragment */
function partsOf(fragment) {
    return fragment.replace(/^#/, "").split("&").filter(Boolean);
}
