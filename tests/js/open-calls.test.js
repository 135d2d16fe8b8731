// Which rows of a call tree are unfolded, and the way from a flame graph's frames to its rows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { OpenCalls } from "../../web/js/panels/open-calls.js";
import { Frames } from "../../web/js/panels/frames.js";

const EVERY = 0xffff_fffe;

/** The list in threes. */
const listed = (open) => {
    const { open: list } = open.list();
    return Array.from({ length: list.length / 3 }, (_, at) => [...list.slice(3 * at, 3 * at + 3)]);
};

test("a row is unfolded with those that it is below, in the order that the model reads", () => {
    const open = new OpenCalls();
    open.open([5, 7]);
    open.open([5, 9]);
    open.open([6]);
    assert.deepEqual(listed(open), [
        [0, 5, 100],
        [1, 7, 100],
        [1, 9, 100],
        [0, 6, 100],
    ]);
    open.fold([5]);
    assert.deepEqual(listed(open), [[0, 6, 100]]);
    open.fold([1, 2, 3]);
    open.clear();
    assert.deepEqual(listed(open), []);
});

test("all rows below one can be unfolded, and one of them folded again", () => {
    const open = new OpenCalls();
    open.openAll([4]);
    open.fold([4, 8]);
    open.open([4, 9, 1]);
    assert.deepEqual(listed(open), [
        [0, 4, 100],
        [1, EVERY, 100],
        [1, 8, 0],
        [1, 9, 100],
        [2, 1, 100],
    ]);
    open.openAll([4]);
    assert.ok(!listed(open).some(([, frame]) => frame === 8));
});

test("more rows are shown below one on request, also below the outermost", () => {
    const open = new OpenCalls();
    open.more([]);
    open.more([3]);
    open.more([3]);
    assert.equal(open.list().shown, 1000);
    assert.deepEqual(listed(open), [[0, 3, 10_000]]);
});

/** Each frame: where it begins, its width, its own, its depth, its name. */
function framesOf(each, names) {
    const frames = Float64Array.from([10, 10, 0, 0, 1, 0, ...each.flat()]);
    const numbers = Float64Array.from(names.flatMap((frame) => [frame + 1, 0]));
    return new Frames({ frames, names: numbers, texts: names.flatMap((frame) => [`f${frame}`, "", ""]) });
}

test("a frame's path leads to it, and the widest frame is found by its path", () => {
    const frames = framesOf(
        [
            [0, 10, 0, 0, 0],
            [0, 3, 3, 1, 1],
            [3, 5, 5, 1, 2],
            [8, 2, 2, 1, 1],
        ],
        [7, 8, 9],
    );
    assert.deepEqual(frames.pathOf(2, false), [7, 9]);
    assert.equal(frames.find([7, 9], false), 2);
    assert.equal(frames.find([7, 8], false), 1);
    assert.equal(frames.find([8], false), -1);
    assert.equal(frames.find(null, false), -1);
});

test("capabilities, which are the outermost frames in order of time, are no part of a path", () => {
    const frames = framesOf(
        [
            [0, 4, 0, 0, 0],
            [0, 4, 4, 1, 1],
            [4, 6, 0, 0, 0],
            [4, 6, 6, 1, 1],
        ],
        [-1, 5],
    );
    assert.deepEqual(frames.pathOf(1, true), [5]);
    assert.equal(frames.find([5], true), 3);
    // Of bytes, a frame without a number is what is no stack.
    assert.deepEqual(frames.pathOf(0, false), [0xffff_ffff]);
});
