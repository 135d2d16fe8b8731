/**
 * The anchor of a document's heading, as sites like GitHub make it.
 * @param {string} text
 */
export function anchorOf(text) {
    return text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s-]/gu, "")
        .replaceAll(" ", "-");
}
