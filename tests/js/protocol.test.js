import { test } from "node:test";
import assert from "node:assert/strict";
import { buffersOf, handlerOf } from "../../web/js/protocol.js";

test("an unknown message is an error that names it", () => {
    const open = () => {};
    assert.equal(handlerOf({ open }, "open"), open);
    assert.throws(() => handlerOf({ open }, "opne"), /unknown message: opne/);
    assert.throws(() => handlerOf({ open }, "toString"), /unknown message: toString/);
});

test("all arrays of a picture are transferred, each once", () => {
    const strip = () => ({
        exact: true,
        states: 1,
        shares: new Uint8Array(4),
        values: new Float32Array(16),
        counts: new Uint32Array(4),
        starts: new Float64Array(1),
        ends: new Float64Array(1),
        kinds: new Uint8Array(1),
        hatched: new Float64Array(2),
        texts: [""],
    });
    const strips = {
        from: 0,
        to: 1,
        width: 4,
        exact: true,
        tracks: new Map([
            [0, strip()],
            [3, strip()],
        ]),
    };
    const buffers = buffersOf(strips);
    assert.equal(buffers.length, 14);
    const copy = structuredClone(strips, { transfer: buffers });
    assert.equal(copy.tracks.get(3).shares.length, 4);
    for (const { shares, starts, ends, kinds, hatched } of strips.tracks.values()) {
        for (const array of [shares, starts, ends, kinds, hatched]) assert.equal(array.length, 0, "left behind");
    }
});
