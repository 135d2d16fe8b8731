import { test } from "node:test";
import assert from "node:assert/strict";
import { stripPixels } from "../../web/js/paint/strip.js";

const RED = [200, 0, 0];
const BLUE = [0, 0, 100];
const GREEN = [0, 90, 0];

/** A strip's columns, each from the top to the bottom, as letters: the first of a colour, `.` for the ground. */
function paint(columns, { colours = [RED, BLUE], levels = 10 } = {}) {
    const width = columns.length;
    const pixels = new Uint32Array(width * levels);
    stripPixels({ shares: Uint8Array.from(columns.flat()), states: colours.length }, colours, levels, pixels);
    const bytes = new Uint8Array(pixels.buffer);
    const letter = (at) => {
        const [r, g, b, a] = bytes.subarray(at * 4, at * 4 + 4);
        if (a === 0) return ".";
        assert.equal(a, 255, "what is painted is opaque");
        return r === 200 && !g && !b ? "r" : b === 100 && !r && !g ? "b" : g === 90 && !r && !b ? "g" : "?";
    };
    return columns.map((_, x) => Array.from({ length: levels }, (_, y) => letter(y * width + x)).join(""));
}

/** The height of a share. */
const height = (share, levels = 22) => paint([[share, 0]], { levels })[0].replaceAll(".", "").length;

test("nothing is painted where nothing is", () => {
    assert.deepEqual(paint([[0, 0]]), [".........."]);
});

test("a pixel that is wholly in one state has its colour from top to bottom", () => {
    assert.deepEqual(
        paint([
            [255, 0],
            [0, 255],
        ]),
        ["rrrrrrrrrr", "bbbbbbbbbb"],
    );
});

test("states stand on one another, each as high as its share of the time", () => {
    assert.deepEqual(paint([[102, 77]]), ["...bbbrrrr"]);
    assert.deepEqual(paint([[77, 178]]), ["bbbbbbbrrr"]);
});

test("8 % of the time are 8 % high, at any size", () => {
    for (const levels of [22, 44, 66]) {
        assert.ok(Math.abs(height(255 * 0.08, levels) - 0.08 * levels) <= 0.6, `${levels}`);
    }
});

test("what is there at all is never below a pixel, however little it is", () => {
    assert.equal(height(1), 1);
    assert.deepEqual(paint([[254, 1]]), ["brrrrrrrrr"]);
    assert.deepEqual(paint([[85, 84, 1]], { colours: [RED, BLUE, GREEN] })[0].replaceAll(/[.rb]/g, ""), "g");
});

test("more time is never lower than less", () => {
    const heights = Array.from({ length: 256 }, (_, share) => height(share));
    assert.deepEqual(
        heights,
        heights.toSorted((a, b) => a - b),
    );
    assert.equal(heights.at(-1), 22);
});

test("what is left to the ground is not painted, but takes its room", () => {
    assert.deepEqual(paint([[51, 204]], { colours: [RED, null] }), ["........rr"]);
});

test("shares that are rounded up to more than all of a pixel are no trouble", () => {
    assert.deepEqual(paint([[255, 2]]), ["brrrrrrrrr"]);
    const many = paint([[250, 1, 1]], { colours: [RED, BLUE, GREEN], levels: 4 });
    assert.deepEqual(many, ["gbrr"]);
});

test("more states than levels do not leave the strip", () => {
    const around = new Uint32Array(12);
    const shares = Uint8Array.from([100, 100, 55, 0, 0, 0]);
    stripPixels({ shares, states: 3 }, [RED, BLUE, GREEN], 2, around.subarray(4, 8));
    assert.deepEqual([...around].map(Boolean), [0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0].map(Boolean));
});

test("each pixel has its own colours, whatever is beside it", () => {
    assert.deepEqual(
        paint([
            [0, 0],
            [255, 0],
            [0, 0],
            [0, 128],
        ]),
        ["..........", "rrrrrrrrrr", "..........", ".....bbbbb"],
    );
});

test("what is not known is hatched: lines on the ground, no area", () => {
    const [width, levels] = [12, 12];
    const pixels = new Uint32Array(width * levels);
    const shares = Uint8Array.from({ length: width * 2 }, (_, at) => (at % 2) * 255);
    stripPixels({ shares, states: 2 }, [RED, BLUE], levels, pixels, [1]);
    for (let line = 0; line < levels; line++) {
        const painted = pixels.subarray(line * width, (line + 1) * width).filter((pixel) => pixel !== 0);
        assert.equal(painted.length, 2, `line ${line}`);
    }
    const first = pixels.findIndex((pixel) => pixel !== 0);
    const second = pixels.subarray(width).findIndex((pixel) => pixel !== 0);
    assert.equal(Math.abs(first - second), 1, "the lines are oblique");
});

test("each of several states can be hatched", () => {
    const width = 12;
    const pixels = new Uint32Array(width * 2);
    stripPixels({ shares: Uint8Array.from({ length: width * 2 }, () => 128), states: 2 }, [RED, BLUE], 2, pixels, [0, 1]);
    const painted = [1, 0].map((line) => new Set(pixels.subarray(line * width, (line + 1) * width)));
    assert.ok(
        painted.every((colours) => colours.size === 2 && colours.has(0)),
        "lines on the ground",
    );
    assert.equal(new Set(painted.flatMap((colours) => [...colours])).size, 3, "in the colour of each");
});
