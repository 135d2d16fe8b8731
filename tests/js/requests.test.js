// The instances of a label, as the page asks for them; and the line of low use.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Store } from "../../web/js/store.js";
import { firstSight, newLog, nothing, shownOf } from "../../web/js/state.js";
import { withoutBrowser } from "./without-browser.js";

// A real channel would keep the test from ending.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage()) };
};
withoutBrowser();
const { chosenOf } = await import("../../web/js/panels/requests.js");
const { familiesOf } = await import("../../web/js/panels/each.js");
const { TOOLS } = await import("../../web/js/panels/tools/index.js");
const { OVERLAYS } = await import("../../web/js/overlays/index.js");
const { Opening } = await import("../../web/js/worker/opening.js");
const { answer } = await import("../../web/js/worker/answers.js");

const section = (figures) => ({ key: "requests", figures: Object.entries(figures).map(([key, value]) => ({ key, value })) });

test("the durations that are chosen are those that the model says", () => {
    assert.equal(chosenOf(undefined), null);
    assert.equal(chosenOf(section({ count: 5 })), null);
    assert.deepEqual(chosenOf(section({ "chosen.from_ns": 100, "chosen.to_ns": 200 })), { column: "duration_ns", from: 100, to: 200 });
});

test("labels that differ only in numbers are a family", () => {
    assert.deepEqual(familiesOf(["job 17", "total", "job 2", "step 1 of 3", "job 3"]), ["job #"]);
    assert.deepEqual(familiesOf(["step 1 of 3", "step 22 of 3", "a1", "a"]), ["step # of #"]);
    assert.deepEqual(familiesOf(["a", "b"]), []);
    assert.deepEqual(familiesOf(["job # (others)", "job 7", "total (others)", "total"]), ["job #"]);
});

/** A log whose spans have one label, with what it was asked. */
function opened() {
    const asked = [];
    const log = {
        requests: (...wish) => {
            asked.push(wish);
            return wish[0] === "a" ? 7 : undefined;
        },
        job: () => ({ reads: [], done: 1, of: 1 }),
        drop_job: (job) => void asked.push(`dropped ${job}`),
        replay: () => undefined,
        status: () => ({ offset: 0 }),
    };
    const told = [];
    const arrangement = { low_use: (percent) => void asked.push(percent) };
    const opening = new Opening({ name: "", source: {} }, { log, arrangement }, (kind) => told.push(kind));
    return { opening, asked, told };
}

test("the instances of a label are looked at once; no others are known", async () => {
    const { opening, asked } = opened();
    assert.equal(await answer(opening, "requests", { label: "a", least: 5, most: 10 }, () => {}), true);
    assert.equal(await answer(opening, "requests", { label: "b", least: 0, most: Infinity }, () => {}), false);
    assert.deepEqual(asked, [["a", 5, 10], "dropped 7", ["b", 0, Infinity]]);
});

test("a threshold of low use is told only if it is another one", () => {
    const { opening, asked } = opened();
    for (const percent of [50, 80, 80, 50]) opening.lowUse(percent);
    assert.deepEqual(asked, [80, 50]);
});

test("the table of low use has a choice above it", () => {
    assert.equal(typeof TOOLS.get("low_use"), "function");
});

const overlay = OVERLAYS.find(({ key }) => key === "low-use");
const facts = { sections: [{ key: "caps", figures: [], tables: [{ key: "low_use" }] }] };

test("stretches of low use are drawn below the row of all capabilities, and nowhere else", () => {
    const filled = [];
    const context = { save() {}, restore() {}, beginPath() {}, rect() {}, clip() {}, fillRect: (...box) => filled.push(box) };
    const log = { ...newLog(1, null), log: { whole: { id: 3 }, facts } };
    const scale = { x: (time) => time / 10, left: 0, right: 100, width: 100 };
    const rows = [3, 4].map((id, at) => ({ kind: "track", log: 1, track: { id }, y: 40 * at, height: 40 }));
    const scene = {
        context,
        state: { theme: { css: () => "" } },
        log,
        ownScale: scale,
        rows,
        top: 0,
        height: 100,
        stuck: null,
        layout: { head: 0 },
    };
    overlay.draw(scene, [
        { from: 100, to: 300 },
        { from: 500, to: 501 },
        { from: 5000, to: 6000 },
    ]);
    assert.deepEqual(
        filled.map(([x, , width]) => [x, width]),
        [
            [10, 20],
            [50, 1],
        ],
    );
    assert.ok(filled.every(([, y, , height]) => y > 20 && y + height <= 40));
    filled.length = 0;
    overlay.draw({ ...scene, rows: rows.slice(1) }, [{ from: 100, to: 300 }]);
    assert.deepEqual(filled, []);
});

test("stretches are asked for once the log has them, and again for another threshold", async () => {
    const store = new Store({ ...nothing(), ...firstSight(1), logs: { 1: newLog(1, null) }, overlaysOn: {} });
    const asked = [];
    const ask = async (kind, { table }) => {
        asked.push([kind, table, shownOf(store.value).lowUse]);
        return { rows: [[5, 30]], times: [5] };
    };
    const shown = [];
    overlay.start({ store, log: { ask }, show: (number, found) => shown.push([number, found]) });
    const change = async (part) => {
        store.set({ logs: { 1: { ...store.value.logs[1], ...part } } });
        await new Promise((resolve) => setTimeout(resolve));
    };
    await change({ log: { facts: { sections: [] } } });
    assert.deepEqual(asked, []);
    await change({ log: { facts } });
    await change({ lowUse: 80 });
    assert.deepEqual(asked, [
        ["table", "low_use", 50],
        ["table", "low_use", 80],
    ]);
    assert.deepEqual(shown[1], [1, [{ from: 5, to: 35 }]]);
});
