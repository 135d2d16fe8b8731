// The overlays over the timeline's rows: which are drawn, in which order, with which data.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Store } from "../../web/js/store.js";
import { changeShown, firstSight, newLog, nothing, shownOf } from "../../web/js/state.js";
import { withoutBrowser } from "./without-browser.js";
import { addOverlay, drawOverlays, isOn, marksOf, startOverlays, toggleOverlay } from "../../web/js/overlays/overlay.js";

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
    for (const { key } of overlays) toggleOverlay(store, key);
    store.set(firstSight(2));
    assert.equal(draw(), "second");
    assert.deepEqual(
        overlays.map((overlay) => isOn(overlay, store.value)),
        [false, true],
    );
    for (const { key } of overlays) toggleOverlay(store, key);
    assert.equal(draw(), "first");
    assert.throws(() => toggleOverlay(store, "third"), /no overlay third/);
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

test("the worker knows the threshold of low use before the overlay asks for the stretches; without any, none are drawn", async () => {
    withoutBrowser();
    const { FOLLOWERS, followOverlays } = await import("../../web/js/followers.js");
    const { followChoices } = await import("../../web/js/choices.js");
    const store = newStore();
    const posted = [];
    const log = {
        send: (kind, body) => void (kind === "lowUse" && posted.push(`${kind} ${body}`)),
        ask: async (kind) => {
            if (kind !== "table") return null;
            posted.push(kind);
            return { rows: [["10", 5]], times: [10] };
        },
    };
    const tables = (keys) => ({ whole: null, status: {}, facts: { sections: [{ tables: keys.map((key) => ({ key })) }] } });
    store.set({ spanWords: [] });
    changeShown(store, { log: tables(["low_use"]) });
    const context = { store, log, client: { of: () => log }, timeline: { outdated() {} } };
    for (const start of FOLLOWERS.filter((start) => start === followOverlays || start === followChoices)) start(context);
    posted.length = 0;
    changeShown(store, { lowUse: 25 });
    assert.deepEqual(posted, ["lowUse 25", "table"]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(shownOf(store.value).overlayData["low-use"], [{ from: 10, to: 15 }]);
    changeShown(store, { lowUse: 10, log: tables([]) });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(shownOf(store.value).overlayData["low-use"], []);
});

test("evidence is framed on its tracks, in view or not; on all capabilities if it has none", async () => {
    withoutBrowser();
    const { rowsOf } = await import("../../web/js/overlays/evidence.js");
    const row = (id, key, kind = "tracks") => ({ kind, groups: [{ key }], track: id === null ? null : { id } });
    const rows = [row(1, "activity"), row(2, "caps", "heading"), row(3, "caps"), row(4, "caps"), row(5, "gc"), row(null, "gc")];
    const framed = (piece) => rowsOf(rows, piece).map(({ track }) => track.id);
    assert.deepEqual(framed({ track: 5, also: [3] }), [3, 5]);
    assert.deepEqual(framed({ also: [4] }), [4]);
    assert.deepEqual(framed({ track: 9, also: [] }), []);
    assert.deepEqual(framed({ also: [] }), [3, 4]);
});
