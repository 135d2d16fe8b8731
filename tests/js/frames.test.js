// Frames of a flame graph: finding the one at a place, and moving by keys.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Frames } from "../../web/js/panels/frames.js";

//   0         10
//   |main              |idle|
//   |write     |parse|
//     |token|
const DRAWN = [
    // x, width, own, depth, name
    [0, 10, 1, 0, 0],
    [10, 2, 2, 0, 3],
    [0, 6, 3, 1, 1],
    [6, 3, 3, 1, 2],
    [1, 3, 3, 2, 4],
];
const NAMES = ["main", "write", "parse", "idle", "token"];

const frames = (drawn = DRAWN) =>
    new Frames({
        frames: Float64Array.from([[12, 12, 3, 1e6, 1, 2], ...drawn].flat()),
        names: Float64Array.from(NAMES.flatMap((_, at) => [at === 3 ? 0 : at + 1, at === 4 ? 1 : 0])),
        texts: NAMES.flatMap((name) => [name, "Main", ""]),
    });

const [MAIN, IDLE, WRITE, PARSE, TOKEN] = [0, 1, 2, 3, 4];

test("the numbers about all frames come before the frames", () => {
    assert.deepEqual(frames().all, { width: 12, of: 12, matched: 3, tick: 1e6, oneOf: 1, leftOut: 2 });
    assert.deepEqual(frames().rows, [[MAIN, IDLE], [WRITE, PARSE], [TOKEN]]);
});

test("frames have their names", () => {
    assert.deepEqual(frames().nameOf(TOKEN), { name: "token", module: "Main", source: "", frame: 4, matches: true });
    assert.deepEqual(frames().nameOf(IDLE), { name: "idle", module: "Main", source: "", frame: -1, matches: false });
});

test("every drawn frame can be hit, and nothing else", () => {
    const found = (depth, places) => places.map((x) => frames().at(depth, x));
    assert.deepEqual(found(0, [-1, 0, 9.9, 10, 11.9, 12]), [-1, MAIN, MAIN, IDLE, IDLE, -1]);
    assert.deepEqual(found(1, [5.9, 6, 8.9, 9, 11]), [WRITE, PARSE, PARSE, -1, -1]);
    assert.deepEqual(found(2, [0.5, 1, 3.9, 4]), [-1, TOKEN, TOKEN, -1]);
    assert.deepEqual(found(3, [1]), [-1]);
});

test("keys lead to the frame below, to the first one above, and to the neighbours", () => {
    const from = (at) => ["out", "in", "left", "right"].map((move) => frames().next(at, move));
    assert.deepEqual(from(-1), [MAIN, MAIN, MAIN, MAIN]);
    assert.deepEqual(from(MAIN), [MAIN, WRITE, MAIN, IDLE]);
    assert.deepEqual(from(WRITE), [MAIN, TOKEN, WRITE, PARSE]);
    assert.deepEqual(from(PARSE), [MAIN, PARSE, WRITE, PARSE]);
    assert.deepEqual(from(IDLE), [IDLE, IDLE, MAIN, IDLE]);
    assert.deepEqual(from(TOKEN), [WRITE, TOKEN, TOKEN, TOKEN]);
});

test("going back leads from a frame to the one around it, and finally to all", () => {
    const all = frames();
    assert.deepEqual(all.extentOf(TOKEN), { from: 1, to: 4 });
    assert.deepEqual(all.around({ from: 1, to: 4 }), { from: 0, to: 6 });
    assert.deepEqual(all.around({ from: 0, to: 6 }), { from: 0, to: 10 });
    assert.equal(all.around({ from: 0, to: 10 }), null);
});

test("a frame is found again in its place, if it still exists", () => {
    const fewer = frames(DRAWN.slice(2));
    assert.equal(fewer.same(frames(), TOKEN), 2);
    assert.equal(fewer.same(frames(), IDLE), -1);
    assert.equal(fewer.same(null, 0), -1);
    assert.equal(frames([]).next(-1, "in"), -1);
});
