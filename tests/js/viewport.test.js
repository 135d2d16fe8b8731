import { test } from "node:test";
import assert from "node:assert/strict";
import { around, clipped, extentOf, holding, panned, rangeWithin, resized, step, whole, within, zoomed } from "../../web/js/viewport.js";

const WIDTH = 1000;
const LIMITS = { from: -20_000, to: 1_020_000 };
const DAY = 86_400e9;

const length = ({ from, to }) => to - from;

/** Views of all sizes and at all places, some of them far outside. */
function* views() {
    for (let size = 1e-3; size < 1e8; size *= 7) {
        for (let at = -3e6; at <= 4e6; at += 333_333) yield { from: at - size / 2, to: at + size / 2 };
    }
}

test("no view is closer than 1 ns per CSS pixel", () => {
    for (const view of views()) {
        const allowed = within(view, LIMITS, WIDTH);
        assert.ok(length(allowed) >= WIDTH * (1 - 1e-9), `${JSON.stringify(view)} gives ${length(allowed)} ns`);
    }
});

test("no view goes beyond its limits", () => {
    for (const view of views()) {
        const { from, to } = within(view, LIMITS, WIDTH);
        assert.ok(from >= LIMITS.from && to <= LIMITS.to + 1e-6, `${JSON.stringify(view)} gives ${from} to ${to}`);
    }
});

test("a permitted view is unchanged", () => {
    for (const view of [{ from: 0, to: 5000 }, LIMITS, { from: LIMITS.to - WIDTH, to: LIMITS.to }]) {
        assert.deepEqual(within(view, LIMITS, WIDTH), view);
    }
});

test("a view beyond the limits keeps its length and moves in", () => {
    assert.deepEqual(within({ from: 1_015_000, to: 1_025_000 }, LIMITS, WIDTH), { from: 1_010_000, to: 1_020_000 });
    assert.deepEqual(within({ from: -25_000, to: -15_000 }, LIMITS, WIDTH), { from: -20_000, to: -10_000 });
});

test("a view that is too close keeps its middle", () => {
    assert.deepEqual(within({ from: 500, to: 510 }, { from: 0, to: 1e6 }, 100), { from: 455, to: 555 });
});

test("a log shorter than 1 ns per pixel is shown at that scale from its start", () => {
    assert.deepEqual(within({ from: 0, to: 300 }, { from: 0, to: 300 }, WIDTH), { from: 0, to: WIDTH });
});

test("the whole log has a small margin, even one that takes no time", () => {
    const { from, to } = whole([0, 1e6]);
    assert.ok(from < 0 && from > -1e5 && to > 1e6 && to < 1.1e6);
    const instant = whole([500, 500]);
    assert.ok(instant.from < 500 && instant.to > 500);
});

test("a range is cut to the log", () => {
    const range = { from: 10, to: 20 };
    assert.equal(clipped(range, [0, 100]), range);
    assert.deepEqual(clipped(range, [15, 100]), { from: 15, to: 20 });
    assert.deepEqual(clipped(range, [0, 12]), { from: 10, to: 12 });
    assert.equal(clipped(range, [20, 100]), null);
    assert.equal(clipped(range, [0, 10]), null);
});

test("a range that reaches the log's end includes its last moment, and one before it does not", () => {
    assert.deepEqual(rangeWithin({ from: 10, to: 2000 }, [0, 100]), { from: 10, to: 101 });
    assert.deepEqual(rangeWithin({ from: -10, to: 100 }, [0, 100]), { from: 0, to: 100 });
    assert.deepEqual(rangeWithin({ from: 100, to: 300 }, [0, 100]), { from: 100, to: 101 });
    assert.equal(rangeWithin({ from: 101, to: 300 }, [0, 100]), null);
});

test("a log extends as far as known, also by the first look", () => {
    const status = { offset: 0, events: 1 };
    assert.deepEqual(extentOf({ ...status, extent: [5, 10] }), [5, 10]);
    assert.deepEqual(extentOf({ ...status, extent: [5, 10], ahead: 90 }), [5, 90]);
    assert.equal(extentOf({ ...status, ahead: 90 }), undefined);
});

test("zooming keeps the time at the cursor in its place", () => {
    const view = { from: 1000, to: 9000 };
    for (const at of [1000, 2500, 5000, 9000, 20_000]) {
        for (const factor of [0.01, 1 / 1.5, 1, 1.5, 40]) {
            const next = zoomed(view, at, factor);
            assert.ok(Math.abs(length(next) - length(view) * factor) < 1e-6);
            const place = (at - view.from) / length(view);
            assert.ok(Math.abs((at - next.from) / length(next) - place) < 1e-9, `${at} by ${factor}`);
        }
    }
});

test("panning moves by a share of the view", () => {
    assert.deepEqual(panned({ from: 100, to: 300 }, 0.5), { from: 200, to: 400 });
    assert.deepEqual(panned({ from: 100, to: 300 }, -1), { from: -100, to: 100 });
});

test("fitting a range leaves equal margins, also for an instant", () => {
    const range = { from: 1000, to: 2000 };
    const { from, to } = around(range);
    assert.ok(from < range.from && range.from - from === to - range.to);
    const instant = around({ from: 7, to: 7 });
    assert.ok(instant.from < 7 && instant.to > 7);
});

test("steps are 1, 2 or 5 times a power of ten up to 20 s", () => {
    for (let least = 1; least <= 20e9; least *= 1.13) {
        const size = step(least);
        assert.match(String(size), /^[125]0*$/, `${least} gives ${size}`);
        assert.ok(size >= least * 0.999 && size <= least * 2.5 * 1.001, `${least} gives ${size}`);
    }
});

test("steps above 20 s divide minutes, hours and days", () => {
    for (let least = 20.1e9; least <= DAY; least *= 1.13) {
        const size = step(least);
        const unit = [60e9, 3600e9, DAY].find((length) => length >= size);
        assert.equal(unit % size, 0, `${least} gives ${size}`);
        assert.ok(size >= least && size <= least * 3, `${least} gives ${size}`);
    }
});

test("steps above a day are whole days", () => {
    for (const days of [1.2, 3, 30, 365.3]) {
        const size = step(days * DAY);
        assert.equal(size % DAY, 0);
        assert.ok(size >= days * DAY && size <= (days + 1) * DAY);
    }
});

test("no step is below a nanosecond", () => {
    for (const least of [0, 1e-9, 0.4, 1]) assert.equal(step(least), 1);
});

test("a view moves only far enough to contain a time, and keeps its length", () => {
    const view = { from: 100, to: 200 };
    assert.deepEqual(holding(view, 150), view);
    assert.deepEqual(holding(view, 230), { from: 130, to: 230 });
    assert.deepEqual(holding(view, 70), { from: 70, to: 170 });
});

test("at another width the scale and the left edge stay", () => {
    const view = { from: 100, to: 200 };
    assert.deepEqual(resized(view, 0.75), { from: 100, to: 175 });
    assert.deepEqual(resized({ from: 100, to: 175 }, 1 / 0.75), view);
});
