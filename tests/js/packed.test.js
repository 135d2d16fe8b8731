// What a page of one file contains is what was put into it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { unpackLzma } from "../../web/js/single/lzma.js";
import { packed, packedBytes } from "../../web/js/single/packed.js";
import { compress } from "../node_modules/lzma1/lib/index.js";

/** Bytes by a linear congruential generator: the same in each run. */
function noise(length, most) {
    let state = 1;
    return Uint8Array.from({ length }, () => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 16) % most;
    });
}

const contents = {
    nothing: new Uint8Array(),
    "one byte": Uint8Array.of(200),
    "one byte, often": new Uint8Array(100_000).fill(7),
    "nothing repeats": noise(70_000, 256),
    "few different bytes": noise(300_000, 3),
    "text that repeats from far away": new TextEncoder().encode(`${"a wasm module ".repeat(50)}${noise(40_000, 256)}`.repeat(2)),
};

for (const [name, bytes] of Object.entries(contents)) {
    test(`unpacked is what was packed: ${name}`, async () => {
        const text = packed(compress(bytes, 9));
        // Nothing that ends an element or a line, or that begins a command to a terminal.
        assert.match(text, /^[\x01-\t\v\f\x0e-\x19\x1c-;=-\x7f]*$/);
        assert.deepEqual(await unpackLzma(packedBytes(text), () => {}), bytes);
    });
}

test("any bytes come back from their text, and at most one zero", () => {
    for (const bytes of [new Uint8Array(8).fill(255), new Uint8Array(4), noise(1001, 256)]) {
        const back = packedBytes(packed(bytes));
        assert.deepEqual(back.subarray(0, bytes.length), bytes);
        assert.ok(back.length - bytes.length <= 1 && back.subarray(bytes.length).every((byte) => byte === 0));
    }
});
