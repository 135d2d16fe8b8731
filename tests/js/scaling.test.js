import { test } from "node:test";
import assert from "node:assert/strict";
import { Picture } from "../../web/js/picture.js";
import { mostOfBands } from "../../web/js/shapes/bands.js";
import { scaleOfLine } from "../../web/js/shapes/line.js";
import { endsOf } from "../../web/js/timeline/drawing.js";
import { next, scalingOf } from "../../web/js/scaling.js";

/** A track that is a line. */
const line = (id) => ({ id, shape: "line" });

/** A picture of track 7 from 0 to 100, with a pixel for each of the largest values. */
function picture(which, highs, from = 0, to = 100) {
    const values = new Float32Array(highs.flatMap((high) => [0, 0, high, 0]));
    const taken = new Picture();
    taken.take(which, { from, to, rows: [], image: null, tracks: new Map([[7, { values }]]) });
    return taken;
}

test("the scale of what is in view is its largest value", () => {
    const whole = picture("whole", [1, 9, 3, NaN, 2]);
    assert.equal(whole.most(line(7), { from: 0, to: 100 }), 9);
    assert.equal(whole.most(line(7), { from: 40, to: 100 }), 3);
    assert.equal(whole.most(line(7), { from: 39, to: 41 }), 9, "any part of a pixel is in view");
    assert.equal(whole.most(line(7), { from: 61, to: 79 }), NaN, "nothing is known there");
    assert.equal(whole.most(line(8), { from: 0, to: 100 }), NaN);
});

test("the finer picture comes before the coarse one", () => {
    const both = picture("whole", [5, 100, 5, 5, 8]);
    const values = new Float32Array([30, 20].flatMap((high) => [0, 0, high, 0]));
    both.take("window", { from: 20, to: 60, rows: [], image: null, tracks: new Map([[7, { values }]]) });
    assert.equal(both.most(line(7), { from: 20, to: 60 }), 30);
    assert.equal(both.most(line(7), { from: 45, to: 55 }), 20);
    assert.equal(both.most(line(7), { from: 65, to: 100 }), 8);
    assert.equal(both.most(line(7), { from: 0, to: 100 }), 30);
});

test("a row says which values are at its ends, where any is known", () => {
    const scaled = (most) => scaleOfLine({ scale: { most: 10, unit: "bytes" } }, "view", { ofView: () => most });
    assert.deepEqual(endsOf(scaled(2048.4)), { top: "2.00 KiB", bottom: "0" });
    assert.deepEqual(endsOf(scaled(NaN)), { top: null, bottom: null }, "the row is hatched: it is not 0 B");
    assert.deepEqual(endsOf(scaled(0)), { top: null, bottom: "0 B" }, "it is 0, which one text says");
    assert.deepEqual(endsOf({ most: 5, below: 3, unit: "count" }), { top: "5", bottom: "−3" });
});

test("values that are not known have no part in the largest of a heap profile, however it is drawn", () => {
    const strip = { values: new Float32Array([NaN, NaN, 1, 4, 2, 2]), counts: new Uint32Array([7, 8]) };
    const most = (from, to, choice) => mostOfBands(strip, from, to, { bands: { drawn: "stacked", only: null, ...choice } });
    assert.deepEqual([most(0, 1), most(0, 3), most(2, 3)], [NaN, 5, 4]);
    assert.deepEqual([most(0, 1, { drawn: "lines" }), most(0, 3, { drawn: "lines" })], [NaN, 4]);
    assert.equal(most(0, 3, { only: 7 }), 2);
});

test("the remembered choice is always one of those that there are, and the key leads through all of them", () => {
    assert.deepEqual(["view", "log", "unit", "own", "", null, "both"].map(scalingOf), ["view", "log", "unit", "own", "log", "log", "log"]);
    assert.deepEqual(["log", "view", "unit", "own"].map(next), ["view", "unit", "own", "log"]);
});

test("a capability's line has the scale of all capabilities, unless each is to have its own", () => {
    const own = { scale: { most: 3, alike: 10, unit: "bytes/s" } };
    const most = { ofView: () => 1.6, ofLog: () => 3, ofUnit: (unit) => (unit === "bytes/s" ? 40 : 0) };
    const scaled = (track) => ["log", "view", "unit", "own"].map((scaling) => scaleOfLine(track, scaling, most).most);
    assert.deepEqual(scaled(own), [10, 2, 40, 3]);
    assert.deepEqual(scaled({ scale: { most: 3, unit: "bytes/s" } }), [3, 2, 40, 3], "one of the whole log");
});
