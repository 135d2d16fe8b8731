import { test } from "node:test";
import assert from "node:assert/strict";
import { stripPixels } from "../../web/js/paint/strip.js";

const RED = [200, 0, 0];
const BLUE = [0, 0, 100];

/** The pixels, as [r, g, b, a] each, of columns that tell the share of each state. */
function paint(columns, colours = [RED, BLUE]) {
    const pixels = new Uint8ClampedArray(columns.length * 4);
    stripPixels({ shares: Uint8Array.from(columns.flat()), states: colours.length }, colours, pixels);
    return columns.map((_, at) => [...pixels.subarray(at * 4, at * 4 + 4)]);
}

test("nothing is painted where nothing is", () => {
    assert.deepEqual(paint([[0, 0]]), [[0, 0, 0, 0]]);
});

test("a pixel that is wholly in one state has its colour", () => {
    assert.deepEqual(
        paint([
            [255, 0],
            [0, 255],
        ]),
        [
            [...RED, 255],
            [...BLUE, 255],
        ],
    );
});

test("two states are mixed by the time spent in each", () => {
    const [[r, g, b, a]] = paint([[191, 64]]);
    assert.ok(Math.abs(r - 150) <= 1 && g === 0 && Math.abs(b - 25) <= 1 && a === 255, `${[r, g, b, a]}`);
});

test("idle time makes the colour fainter, not darker", () => {
    const [[r, g, b, a]] = paint([[128, 0]]);
    assert.deepEqual([r, g, b], RED);
    assert.ok(Math.abs(a - 128) <= 1);
});

test("a sliver is seen, but does not look like a lot", () => {
    const [[, , , sliver], [, , , half]] = paint([
        [1, 0],
        [128, 0],
    ]);
    assert.ok(sliver >= 40, `${sliver} is hard to see`);
    assert.ok(sliver < half, `${sliver} looks like half`);
});

test("more time is never fainter than less", () => {
    const alphas = paint(Array.from({ length: 256 }, (_, share) => [share, 0])).map(([, , , alpha]) => alpha);
    assert.deepEqual(
        alphas,
        alphas.toSorted((a, b) => a - b),
    );
});

test("shares that are rounded up to more than all of a pixel are no trouble", () => {
    const [[r, , b, a]] = paint([[255, 2]]);
    assert.ok(a === 255 && r > 195 && b < 5);
});

test("each pixel has its own colour, whatever is beside it", () => {
    assert.deepEqual(
        paint([
            [0, 0],
            [255, 0],
            [0, 0],
            [0, 255],
        ]).map(([, , , alpha]) => alpha),
        [0, 255, 0, 255],
    );
});
