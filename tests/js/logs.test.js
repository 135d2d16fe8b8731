// The log on the screen, and what the page keeps of each log.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Logs } from "../../web/js/logs.js";
import { Store } from "../../web/js/store.js";
import { changeLog, changeShown, nothing, shownOf } from "../../web/js/state.js";

const INFO = { name: "a", size: 1, read: 1, status: { events: 1, extent: [0, 100] } };

/** A page that opens logs; each of their numbers is one more than the last one's. */
function page() {
    const store = new Store(nothing());
    const closed = [];
    let turns = 0;
    const logs = new Logs({ close: (number) => closed.push(number) }, store, () => turns++);
    let last = 0;
    const begin = (name, several) => {
        logs.open({ name, size: 1 }, () => ++last, several);
        return last;
    };
    const read = (number, finished) => {
        if (logs.read(number, INFO, finished)) changeLog(store, number, { log: INFO, finished });
        logs.set({});
    };
    const open = (name) => read(begin(name), true);
    const kept = () => Object.keys(store.value.logs).map(Number);
    return { store, logs, begin, read, open, kept, closed, turns: () => turns };
}

test("Cancel returns to a log with its old view, selection and choices", () => {
    const { store, logs, begin, read, open, kept, closed } = page();
    open("a");
    const first = shownOf(store.value);
    store.set({ view: { from: 1, to: 2 }, follows: false, range: { from: 1, to: 2 }, span: { log: 1, track: 3 } });
    changeShown(store, { threads: { ...first.threads, text: "worker" }, bands: { ...first.bands, count: 3 } });
    const before = store.value;
    read(begin("b"), false);
    assert.deepEqual([store.value.shown, store.value.view, store.value.range, store.value.span, kept()], [2, null, null, null, [1, 2]]);
    assert.equal(shownOf(store.value).threads.text, "");
    // A change to the log that is not shown stays its own.
    changeLog(store, 1, { troubles: ["it is gone"] });
    assert.deepEqual(shownOf(store.value).troubles, []);
    logs.cancel();
    assert.deepEqual([store.value.phase, kept(), closed], ["ready", [1], [2]]);
    for (const key of ["shown", "view", "follows", "range", "span"]) assert.equal(store.value[key], before[key], key);
    assert.deepEqual(shownOf(store.value), { ...before.logs[1], troubles: ["it is gone"] });
});

test("the files that came together belong to the log that was chosen of them", () => {
    const { store, logs, begin, read, open } = page();
    const files = [
        { name: "a", size: 1 },
        { name: "b", size: 1 },
    ];
    const several = () => shownOf(store.value).several;
    logs.offerFiles(files);
    assert.deepEqual(store.value.next.several, files);
    logs.filter("B");
    assert.deepEqual(
        store.value.next.choice.entries.map(({ index }) => index),
        [1],
    );
    read(begin("a", files), true);
    assert.deepEqual(several(), files);
    // Another log comes alone. It cannot be read, or is given up: then those of the first one are there again.
    begin("c");
    assert.deepEqual([store.value.next.several, several()], [[], files]);
    logs.failed(2, "no log");
    assert.deepEqual(several(), files);
    read(begin("d"), false);
    assert.deepEqual(several(), []);
    logs.cancel();
    assert.deepEqual(several(), files);
    open("e");
    assert.deepEqual(several(), []);
});

test("nothing is left of a closed log", () => {
    const { store, logs, begin, read, open, kept, closed, turns } = page();
    open("a");
    open("b");
    assert.deepEqual([kept(), closed, store.value.shown], [[2], [1], 2], "the second one has been read: there is no way back");
    read(begin("c"), false);
    // One more, before that has been read: Cancel still returns to the second one.
    read(begin("d"), false);
    assert.deepEqual(
        [kept(), closed],
        [
            [2, 4],
            [1, 3],
        ],
    );
    logs.close();
    assert.deepEqual([kept(), closed, store.value.shown, store.value.phase], [[], [1, 3, 2, 4], 0, "empty"]);
    assert.equal(turns(), 5);
    changeLog(store, 2, { finished: true });
    assert.deepEqual(kept(), [], "what comes late changes nothing");
});

test("when the worker is gone, so are all open logs", () => {
    const { store, logs, begin, read, open, kept } = page();
    open("a");
    read(begin("b"), false);
    logs.ended("it hangs");
    assert.deepEqual([kept(), store.value.shown, store.value.phase, store.value.wrong.name], [[], 0, "error", "b"]);
});
