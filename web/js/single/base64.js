// Bytes of logs that a page of one file contains: base64, which every program can write.

/** Characters of base64 to read at a time: a multiple of four. */
const PIECE = 4 << 20;

/**
 * The bytes of a text, in parts.
 * @param {string} base64 with or without line ends around it
 * @returns {Uint8Array<ArrayBuffer>[]}
 */
export function bytesOf(base64) {
    const text = base64.trim();
    const parts = [];
    for (let from = 0; from < text.length; from += PIECE) {
        const binary = atob(text.slice(from, from + PIECE));
        const bytes = new Uint8Array(binary.length);
        for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
        parts.push(bytes);
    }
    return parts;
}
