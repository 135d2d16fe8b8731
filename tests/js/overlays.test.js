// The overlays over the timeline's rows: which are drawn, in which order, with which data.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Store } from "../../web/js/store.js";
import { firstSight, newLog, nothing, shownOf } from "../../web/js/state.js";
import { addOverlay, drawOverlays, isOn, marksOf, startOverlays, turnOverlay } from "../../web/js/overlays/overlay.js";

const newStore = () => new Store({ ...nothing(), ...firstSight(1), logs: { 1: newLog(1, null), 2: newLog(2, null) }, overlaysOn: {} });

/** The scene of the log on the screen. */
const sceneOf = ({ value }, printed = false) => ({ state: value, log: shownOf(value), printed });

/** An overlay that notes when it is drawn, and with which data. */
function noting(key, drawn, more = {}) {
    return {
        key,
        draw: (_, data) => drawn.push(data === undefined ? key : `${key} ${data}`),
        axisMarks: () => [{ text: key, x: 0, part: "middle" }],
        ...more,
    };
}

test("overlays are drawn from the lowest to the highest; on the axis the highest comes first", () => {
    const drawn = [];
    const overlays = [noting("low", drawn), noting("middle", drawn, { axisMarks: undefined }), noting("high", drawn)];
    const scene = sceneOf(newStore());
    drawOverlays(overlays, scene);
    assert.deepEqual(drawn, ["low", "middle", "high"]);
    assert.deepEqual(
        marksOf(overlays, scene).map(({ text }) => text),
        ["high", "low"],
    );
});

test("the data that an overlay asked for is drawn for its log, and for no other", async () => {
    const drawn = [];
    const store = newStore();
    const start = ({ log, show }) => void log.ask().then((answer) => show(1, answer));
    const overlays = [noting("asks", drawn, { start }), noting("other", drawn)];
    startOverlays(overlays, { store, log: { ask: async () => "answer" } });
    drawOverlays(overlays, sceneOf(store));
    await new Promise((resolve) => setImmediate(resolve));
    drawOverlays(overlays, sceneOf(store));
    store.set(firstSight(2));
    drawOverlays(overlays, sceneOf(store));
    store.set(firstSight(1));
    drawOverlays(overlays, sceneOf(store));
    assert.deepEqual(drawn, ["asks", "other", "asks answer", "other", "asks", "other", "asks answer", "other"]);
});

test("an overlay can be turned on and off, also one that is off at first; showing another log does not change that", () => {
    const drawn = [];
    const store = newStore();
    const overlays = [noting("first", drawn), noting("second", drawn, { isOff: true })];
    for (const overlay of overlays) addOverlay(overlay);
    const draw = () => {
        drawn.length = 0;
        drawOverlays(overlays, sceneOf(store));
        return drawn.join();
    };
    assert.equal(draw(), "first");
    for (const { key } of overlays) turnOverlay(store, key);
    store.set(firstSight(2));
    assert.equal(draw(), "second");
    assert.deepEqual(
        overlays.map((overlay) => isOn(overlay, store.value)),
        [false, true],
    );
    for (const { key } of overlays) turnOverlay(store, key);
    assert.equal(draw(), "first");
    assert.throws(() => turnOverlay(store, "third"), /no overlay third/);
});

test("overlays for the screen only are not printed", () => {
    const drawn = [];
    const overlays = [noting("both", drawn), noting("screen", drawn, { screenOnly: true })];
    const scene = sceneOf(newStore(), true);
    drawOverlays(overlays, scene);
    assert.deepEqual(drawn, ["both"]);
    assert.deepEqual(
        marksOf(overlays, scene).map(({ text }) => text),
        ["both"],
    );
});
