// What is kept of the arrangement of rows: in the address, for each log, and as views with names.

import { test } from "node:test";
import assert from "node:assert/strict";
import { firstRowsChoice, hide, pin } from "../../web/js/arranging/choice.js";
import { followRows } from "../../web/js/arranging/follow.js";
import { putView, presentView, showView, viewIn, viewsOf } from "../../web/js/arranging/views.js";
import { textOf } from "../../web/js/arranging/text.js";
import { changeShown, newLog, shownOf } from "../../web/js/state.js";
import { Store } from "../../web/js/store.js";

const KIND = 2 ** 32;

const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) };
globalThis.location = { hash: "" };
const heard = [];
globalThis.history = { state: null, replaceState: (_, __, hash) => (location.hash = hash) };
globalThis.addEventListener = (type, listener) => type === "hashchange" && heard.push(listener);

/** A viewer that shows a log; `called` answers which track has a name. */
function viewer(name = "a", { own = true, called = () => null } = {}) {
    const info = {
        name,
        status: { offset: name.length, events: 9, extent: [100, 200] },
        groups: [{ key: "caps", name: "Capabilities", tracks: 4 }],
    };
    const store = new Store({ shown: 0, logs: {}, span: null, finding: null, view: { from: 110, to: 150 }, requested: {} });
    const asked = [];
    const ask = async (kind, body) => {
        asked.push(kind);
        if (kind === "rowsCalled") return body.rows.map(called);
        return body.tracks.map((id) => ({ group: "caps", at: id % KIND, track: { id, name: `Capability ${id % KIND}` } }));
    };
    const notes = [];
    const log = { ask };
    const moved = [];
    const context = {
        stage: { own, signal: new AbortController().signal },
        store,
        log,
        client: { of: () => log },
        timeline: { folds: { gc: true }, foldAs: (folds) => moved.push(folds), placeOf: () => null },
        moving: { show: (view) => moved.push(view) },
        note: (text) => notes.push(text),
    };
    const open = (number = 1, log = info) => {
        store.set({ shown: number, logs: { ...store.value.logs, [number]: { ...newLog(number, null), log } } });
        changeShown(store, { finished: true });
    };
    return { context, store, open, info, notes, asked, moved };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const rowsOf = ({ store }) => textOf(shownOf(store.value).rows);

test("an arrangement is kept for its log and in the address, beside other keys; a log that is opened again has it", () => {
    location.hash = "#later=1";
    const first = viewer();
    followRows(first.context);
    first.open();
    assert.equal(location.hash, "#later=1");
    changeShown(first.store, { rows: pin(hide(firstRowsChoice(), "gc"), KIND) });
    assert.equal(location.hash, "#later=1&rows=p1.0,hgc");
    first.open(2, { ...first.info, name: "b" });
    assert.equal(location.hash, "#later=1", "another log has its own");
    location.hash = "";
    const second = viewer();
    followRows(second.context);
    second.open();
    assert.equal(rowsOf(second), "p1.0,hgc");
    assert.equal(location.hash, "#rows=p1.0,hgc");
    changeShown(second.store, { rows: firstRowsChoice() });
    assert.equal(location.hash, "#");
    const third = viewer();
    followRows(third.context);
    third.open();
    assert.equal(rowsOf(third), "", "what was undone is not kept");
});

test("a link goes before what is kept, and a link while the log is open changes its rows", () => {
    location.hash = "#rows=h1.2";
    const one = viewer("linked");
    followRows(one.context);
    one.open();
    assert.equal(rowsOf(one), "h1.2");
    location.hash = "#rows=p1.1";
    heard.at(-1)();
    assert.equal(rowsOf(one), "p1.1");
});

test("a viewer beside other content reads and writes neither; it takes what its page asks for", () => {
    [location.hash] = ["#rows=h1.2"];
    const before = JSON.stringify([...stored]);
    const one = viewer("embedded", { own: false });
    followRows(one.context);
    one.store.set({ requested: { rows: "h1.3" } });
    one.open();
    assert.equal(rowsOf(one), "h1.3");
    changeShown(one.store, { rows: firstRowsChoice() });
    assert.equal(location.hash, "#rows=h1.2");
    assert.equal(JSON.stringify([...stored]), before);
});

test("which rows a log lacks is said once their places are known, which may be after it was read", async () => {
    location.hash = "#rows=p2.1,h2.77";
    const { context, open, notes } = viewer();
    const answers = [];
    context.log.ask = () => new Promise((resolve) => answers.push(resolve));
    followRows(context);
    open();
    await settled();
    assert.deepEqual(notes, [], "nothing is known yet");
    assert.equal(answers.length, 1);
    answers[0]([{ group: "caps", at: 1, track: { id: 2 * KIND + 1, name: "Capability 1" } }]);
    await settled();
    assert.deepEqual(notes, ["1 arranged row is not among the rows of this log"]);
});

test("a view of a log is saved, shown, renamed and taken away", async () => {
    const one = viewer("views");
    one.open();
    changeShown(one.store, { rows: hide(firstRowsChoice(), KIND + 2) });
    putView(one.context, { name: "mine", ofAll: false }, presentView(one.context, " mine ", true));
    changeShown(one.store, { rows: firstRowsChoice() });
    const [view] = viewsOf(one.context);
    assert.deepEqual([view.name, view.rows, view.time, view.ofAll], ["mine", "h1.2", [10, 50], false]);
    await showView(one.context, view);
    assert.equal(rowsOf(one), "h1.2");
    assert.deepEqual(one.moved, [{ gc: true }, { from: 110, to: 150 }]);
    putView(one.context, view, { ...view, name: "yours" });
    assert.deepEqual(
        viewsOf(one.context).map(({ name }) => name),
        ["yours"],
    );
    const other = viewer("another log");
    other.open();
    assert.deepEqual(viewsOf(other.context), []);
    putView(one.context, { name: "yours", ofAll: false }, null);
    assert.deepEqual(viewsOf(one.context), []);
});

test("a view for all logs finds rows by their names, and says how many it did not find", async () => {
    const one = viewer("run 1");
    one.open();
    followRows({ ...one.context, stage: { own: false } });
    changeShown(one.store, { rows: pin(hide(hide(firstRowsChoice(), KIND + 2), "gc"), KIND + 3) });
    await settled();
    putView(one.context, { name: "all", ofAll: true }, presentView(one.context, "all", false));
    const numbers = { "Capability 2": 7 * KIND };
    const other = viewer("run 2", { called: ([, name]) => numbers[name] ?? null });
    other.open();
    await showView(other.context, viewsOf(other.context)[0]);
    assert.equal(rowsOf(other), "h7.0,hgc");
    assert.deepEqual(other.notes, ["all is shown; 1 row of it is not in this log"]);
});

test("what is stored may be from another program", () => {
    for (const written of [null, 5, "x", [], {}, { name: "" }, { name: "a" }, { name: 5, rows: "" }]) assert.equal(viewIn(written), null);
    const view = viewIn({
        name: "a",
        rows: "p1.0",
        folds: { gc: 1, caps: true },
        time: [5, 1],
        called: { "1.0": ["caps"], 2.1: ["a", "b"] },
    });
    assert.deepEqual(view, { name: "a", rows: "p1.0", folds: { caps: true }, time: null, called: { 2.1: ["a", "b"] } });
    assert.equal(viewIn({ name: "x".repeat(999), rows: "" }).name.length, 60);
});
