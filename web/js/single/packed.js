// Unpacks what a page of one file contains: bytes as base64, some compressed by gzip.

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

/**
 * @param {Blob} gzip
 * @returns {Promise<Blob>} the unpacked bytes
 */
export function unpacked(gzip) {
    return new Response(gzip.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}
