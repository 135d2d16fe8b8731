// Bytes of the log as people read them: their place, their values, and the letters that they may stand for.

/** Bytes in a line. */
export const IN_LINE = 16;

/**
 * @param {number} value
 * @param {number} digits
 */
function hex(value, digits) {
    return value.toString(16).padStart(digits, "0");
}

/** @param {number} byte */
function letter(byte) {
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".";
}

/**
 * A dump of bytes: `0001f0  00 13 00 …  |....|`.
 * @param {Uint8Array} bytes
 * @param {number} offset where they begin in the file
 * @param {number} [inLine] bytes in a line
 */
export function hexDump(bytes, offset, inLine = IN_LINE) {
    const digits = Math.max((offset + bytes.length).toString(16).length, 6);
    const lines = [];
    for (let from = 0; from < bytes.length; from += inLine) {
        const some = [...bytes.subarray(from, from + inLine)];
        const values = some.map((byte) => hex(byte, 2)).join(" ");
        lines.push(`${hex(offset + from, digits)}  ${values.padEnd(3 * inLine - 1)}  |${some.map(letter).join("")}|`);
    }
    return lines.join("\n");
}
