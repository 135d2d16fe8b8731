// The distance of two spans, in words and figures.

import { test } from "node:test";
import assert from "node:assert/strict";
import { measured } from "../../web/js/navigation/measuring.js";

const span = (from, to, title, on = "Capability 0") => ({ from, to, title, on });

test("the one that begins first is named first; the range is the time between them", () => {
    const [a, b] = [span(10, 20, "a"), span(50, 70, "b")];
    for (const { range, fields } of [measured(a, b), measured(b, a)]) {
        assert.deepEqual(range, { from: 20, to: 50 });
        assert.deepEqual(fields, [
            ["From the end of a to the start of b", "30 ns"],
            ["From start to start", "40 ns"],
            ["From the first start to the last end", "60 ns"],
        ]);
    }
});

test("spans that overlap say for how long, also where one is within the other", () => {
    assert.deepEqual(measured(span(0, 30, "a"), span(20, 50, "b")).fields[0], ["a and b overlap", "10 ns"]);
    const { range, fields } = measured(span(20, 30, "b"), span(0, 90, "a"));
    assert.deepEqual(range, { from: 20, to: 30 });
    assert.deepEqual(fields.at(-1), ["From the first start to the last end", "90 ns"]);
});

test("moments have neither start nor end", () => {
    assert.deepEqual(measured(span(5, 5, "go"), span(9, 9, "stop")).fields, [["From go to stop", "4 ns"]]);
    assert.deepEqual(measured(span(5, 5, "go"), span(9, 12, "b")).fields[0], ["From go to the start of b", "4 ns"]);
});

test("spans with one title are told apart by their tracks, or by their order", () => {
    const [one, other] = [span(0, 1, "GC", "Capability 0"), span(2, 3, "GC", "Capability 1")];
    assert.equal(measured(one, other).fields[0][0], "From the end of GC (Capability 0) to the start of GC (Capability 1)");
    assert.equal(measured(one, span(2, 3, "GC")).fields[0][0], "From the end of the first GC to the start of the second GC");
});
