import { test } from "node:test";
import assert from "node:assert/strict";
import { apart, ticks } from "../../web/js/paint/axis.js";

/** Views: from a nanosecond per pixel to days, at the start of a log and far from it. */
const VIEWS = [];
for (let length = 1000; length < 3e14; length *= 3.7) {
    for (const from of [-0.02 * length, 0, 1, 12_345_678_901, 8e15]) VIEWS.push({ from, to: from + length });
}

test("ticks lie within the view, one step apart", () => {
    for (const view of VIEWS) {
        const { size, times } = ticks(view, 0, 1000);
        assert.ok(times.length > 0, JSON.stringify(view));
        assert.ok(times[0] >= view.from && times.at(-1) <= view.to);
        times.slice(1).forEach((time, at) => assert.equal(time - times[at], size));
    }
});

test("ticks are at whole steps from the log's origin", () => {
    for (const view of VIEWS) {
        const { size, times } = ticks({ from: view.from + 437, to: view.to + 437 }, 437, 1000);
        for (const time of times) assert.equal((time - 437) % size, 0);
    }
});

test("no tick is left out", () => {
    for (const view of VIEWS) {
        const { size, times } = ticks(view, 0, 1000);
        assert.ok(times[0] - size < view.from && times.at(-1) + size > view.to, JSON.stringify(view));
    }
});

test("labels have room, and there are enough of them", () => {
    for (const view of VIEWS) {
        const { size } = ticks(view, 0, 1000);
        const pixels = (size / (view.to - view.from)) * 1000;
        assert.ok(pixels >= 90 && pixels <= 300, `${pixels} pixels for ${JSON.stringify(view)}`);
    }
});

test("a view narrower than a step has one tick or none", () => {
    assert.deepEqual(ticks({ from: 11, to: 19 }, 0, 50).times, []);
    assert.deepEqual(ticks({ from: 19, to: 27 }, 0, 50).times, [20]);
});

test("of overlapping marks, the first one stays; none is cut off", () => {
    // Each letter is 10 wide, with a margin of 4 beside a text.
    const context = /** @type {any} */ ({ measureText: (text) => ({ width: text.length * 10 }) });
    const pointer = { text: "p", x: 100, part: "middle" };
    const [start, end] = [
        { text: "start", x: 95, part: "end" },
        { text: "end", x: 140, part: "start" },
    ];
    const length = { text: "len", x: 117, part: "middle" };
    const shown = (...marks) => apart(context, marks, { left: 0, width: 200 }).map(({ text }) => text);
    assert.deepEqual(shown(pointer, start, end, length), ["p", "end"]);
    assert.deepEqual(shown({ ...pointer, x: 50 }, { ...start, x: 200 }), ["p", "start"]);
    assert.deepEqual(shown(start, end, length), ["start", "end", "len"]);
    assert.deepEqual(apart(context, [{ ...end, x: 190 }], { left: 0, width: 200 }), [{ text: "end", from: 162, to: 200 }]);
});
