// A log whose own time begins elsewhere on the page's axis: it is shown on the page's axis, and asked in its own time.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Store } from "../../web/js/store.js";
import { changeShown, firstSight, newLog, nothing, shownOf } from "../../web/js/state.js";
import { extentOnPage, inLog, onPage, originOnPage, spanOnPage, timesOnPage, viewInLog, viewOnPage } from "../../web/js/page-time.js";
import { Scale } from "../../web/js/timeline/surface.js";
import { Pointing } from "../../web/js/timeline/pointing.js";
import { Moving } from "../../web/js/navigation/moving.js";
import { fitSelected, makeRange, setRange } from "../../web/js/navigation/ranges.js";
import { alongTrack, toTrack } from "../../web/js/navigation/steps.js";
import { Selecting } from "../../web/js/navigation/selecting.js";
import { followRange } from "../../web/js/range.js";
import { OVERLAYS, marksOf } from "../../web/js/overlays/overlay.js";
import "../../web/js/overlays/index.js";
import { layOut } from "../../web/js/rows.js";

const OFFSET = 700_000;

/** Its first moment is 1000 in its own time, so 701 000 on the page's axis. */
const info = { status: { extent: [1000, 101_000] }, groups: [], facts: { sections: [] } };
const log = { ...newLog(4, null), offset: OFFSET, log: info, finished: true };

/** A track with something to find at any time. */
const TRACK = { id: 9, shape: "states" };
const found = (start) => ({
    kind: "span",
    span: { track: TRACK.id, group: "caps", at: 0, start, end: start + 500, on: "cap 0", title: "run", fields: [] },
});

/** A page of 100 pixels that shows the log. */
function page(more = {}) {
    const store = new Store({
        ...nothing(),
        ...firstSight(4),
        view: { from: 711_000, to: 721_000 },
        logs: { 4: log },
        overlaysOn: {},
        ...more,
    });
    const row = { kind: "tracks", log: 4, track: TRACK, groups: [{ key: "caps" }], at: 0 };
    const asked = [];
    const ask = async (kind, body) => {
        asked.push([kind, body]);
        return kind === "range" ? { ...body, facts: { sections: [] } } : found(body.time ?? body.from);
    };
    const client = { of: (number) => (assert.equal(number, 4), { ask }) };
    const surface = { scale: (view) => new Scale(view, 0, 100), point: (x, y) => ({ x, y }) };
    const pointing = new Pointing(store, surface, { at: () => row }, { top: 0 }, null);
    const group = { key: "caps", name: "caps", tracks: 1, parts: [{ shape: "states", tracks: 1 }], headed: true, open: true };
    const timeline = { width: 100, pointing, reveal: () => {}, find: async () => TRACK, layout: layOut([group], () => false, true, 0) };
    const moving = new Moving(store, timeline);
    const context = { store, client, log: { ask }, timeline, moving, say: () => {} };
    const selecting = new Selecting(context);
    return { ...context, selecting, asked };
}

test("times of the page and of the log are converted both ways", () => {
    assert.equal(onPage(log, 1000), 701_000);
    assert.equal(inLog(log, 701_000), 1000);
    const view = { from: 3, to: 5 };
    assert.deepEqual(viewInLog(log, viewOnPage(log, view)), view);
    assert.deepEqual(extentOnPage(log), [701_000, 801_000]);
    assert.deepEqual(extentOnPage({ ...log, log: { status: { extent: [1000, 2000], ahead: 5000 } } }), [701_000, 705_000]);
    assert.equal(extentOnPage(newLog(1, null)), undefined);
    assert.equal(originOnPage(log), 701_000);
    assert.deepEqual(spanOnPage({ logs: { 4: log } }, { log: 4, start: 10, end: 20 }), { from: 700_010, to: 700_020 });
});

test("a log is drawn at its times on the page", () => {
    const scale = new Scale({ from: 711_000, to: 721_000 }, 50, 100);
    assert.equal(scale.of(log).x(11_000), scale.x(711_000));
    assert.equal(onPage(log, scale.of(log).time(77)), scale.time(77));
});

test("the time under the pointer is one of the log", () => {
    const { timeline } = page();
    assert.deepEqual(timeline.pointing.pixelAt(20, 5), { log: 4, track: 9, from: 13_000, to: 13_100 });
    assert.equal(timeline.pointing.timeAt(20), 713_000);
});

test("the view goes from end to end of the log on the page", () => {
    const { store, moving } = page();
    moving.showAll();
    assert.deepEqual(store.value.view, { from: 699_000, to: 803_000 });
    moving.showTime(onPage(log, 51_000));
    const { from, to } = store.value.view;
    assert.equal((from + to) / 2, 751_000);
});

test("the selected range is asked about in the log's own time", async () => {
    const { store, log, moving, asked } = page();
    followRange({ store, log });
    setRange({ store, moving }, { from: 711_000, to: 1_000_000 });
    assert.deepEqual(store.value.range, { from: 711_000, to: 801_001 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(asked, [["range", { from: 11_000, to: 101_001 }]]);
    assert.equal(shownOf(store.value).totals.from, 11_000);
});

test("clicks and steps ask a log in its own time", async () => {
    const { store, selecting, timeline, asked } = page();
    selecting.click(timeline.pointing.pixelAt(20, 5));
    await selecting.whenKnown(() => {});
    assert.deepEqual([store.value.span.log, store.value.span.start], [4, 13_000]);
    selecting.step(alongTrack(true));
    await selecting.whenKnown(() => {});
    selecting.deselect();
    selecting.step(alongTrack(true));
    await selecting.whenKnown(() => {});
    selecting.deselect();
    selecting.step(toTrack(1));
    await selecting.whenKnown(() => {});
    assert.deepEqual(
        asked.map(([kind, { track, time, from }]) => [kind, track, time ?? from]),
        [
            ["lookUp", 9, 13_000],
            ["neighbour", 9, 13_000],
            ["neighbour", 9, 11_000],
            ["lookUp", 9, 11_000],
        ],
    );
    assert.deepEqual(store.value.view, { from: 711_000, to: 721_000 }, "what is in view already moves nothing");
});

test("a selected span is shown, and its time selected, at its place on the page", async () => {
    const { store, moving, selecting } = page({ span: { ...found(50_000).span, log: 4 } });
    fitSelected({ store, moving, selecting });
    await selecting.whenKnown(() => {});
    assert.deepEqual(store.value.view, { from: 749_950, to: 750_550 });
    makeRange({ store, moving, say: () => {} });
    assert.deepEqual(store.value.range, { from: 750_000, to: 750_500 });
});

test("the axis counts from the log's first moment, and a frame is around the selected span", () => {
    const { store } = page({ range: { from: 712_000, to: 714_000 }, span: { ...found(13_000).span, log: 4 } });
    const scale = new Scale(store.value.view, 0, 100);
    const frames = [];
    const drawing = { strokeRect: (...box) => frames.push(box), measureText: () => ({ width: 10 }) };
    const context = new Proxy(drawing, { get: (known, key) => known[key] ?? (() => {}), set: () => true });
    const row = { kind: "tracks", log: 4, track: TRACK, y: 100, height: 20 };
    const state = { ...store.value, theme: { css: () => "", rgb: () => [0, 0, 0] } };
    const scene = {
        context,
        state,
        log,
        times: timesOnPage(state, log),
        scale,
        ownScale: scale.of(log),
        rows: [row],
        together: [row],
        stuck: null,
        layout: { head: 26 },
        top: 0,
        height: 300,
        pointer: 30,
        printed: false,
    };
    const texts = marksOf(OVERLAYS, scene).map(({ text, x }) => `${x}: ${text}`);
    assert.deepEqual(texts, ["30: 13.0 µs", "10: 11.00 µs", "30: 13.00 µs"]);
    for (const { key, draw } of OVERLAYS) if (key === "span") draw(scene);
    assert.deepEqual([frames[0][0], frames[0][2]], [19, 7]);
});

test("a log keeps its offset when more is known about it", () => {
    const { store } = page();
    changeShown(store, { log: { ...info } });
    assert.equal(shownOf(store.value).offset, OFFSET);
});
