// The parts of a page of one file as text: compressed as LZMA, and written with characters that mean nothing in HTML.

import { unpackLzma } from "./lzma.js";

/** Every printable character but `"`, `&`, `'`, `-`, `<`, `=`, `>`, `\` and `` ` ``: 85, of which five have room for four bytes. */
const CHARACTERS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((one) => !"\"&'-<=>\\`".includes(one));

const BASE = CHARACTERS.length;

/**
 * @param {Uint8Array} bytes
 * @returns {string} a quarter longer; base64 would be a third longer
 */
export function packed(bytes) {
    let text = "";
    for (let at = 0; at < bytes.length; at += 4) {
        let number = 0;
        for (let i = 0; i < 4; i++) number = number * 256 + (bytes[at + i] ?? 0);
        for (let place = BASE ** 4; place >= 1; place /= BASE) text += CHARACTERS[Math.floor(number / place) % BASE];
    }
    return text;
}

/**
 * @param {string} text
 * @returns {Uint8Array} the bytes, and up to three zeros after them
 */
export function packedBytes(text) {
    const values = new Uint8Array(128);
    CHARACTERS.forEach((one, value) => (values[one.charCodeAt(0)] = value));
    const view = new DataView(new ArrayBuffer((text.length / 5) * 4));
    for (let from = 0, at = 0; from < text.length; at += 4) {
        let number = 0;
        for (let i = 0; i < 5; i++) number = number * BASE + /** @type {number} */ (values[text.charCodeAt(from++)]);
        view.setUint32(at, number);
    }
    return new Uint8Array(view.buffer);
}

/**
 * @param {string} id of the page's element with a part
 * @returns {Promise<Blob>}
 */
export async function within(id) {
    return new Blob([await unpackLzma(packedBytes(document.getElementById(id)?.textContent ?? ""))]);
}
