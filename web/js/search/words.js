// Whether names have the words that the user types.

/**
 * Whether each word of a text is in one of the names, capitals or not.
 * @param {string} text
 * @param {string[]} names
 */
export function hasWords(text, names) {
    const all = names.join(" ").toLowerCase();
    return text
        .toLowerCase()
        .split(/\s+/)
        .every((word) => all.includes(word));
}
