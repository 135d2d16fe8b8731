// The page says what is missing, and only as long as it is.

import { test } from "node:test";
import assert from "node:assert/strict";
import { POINTER } from "../../web/js/protocol.js";
import { Logs } from "../../web/js/logs.js";
import { firstSight, newLog, nothing, shownOf } from "../../web/js/state.js";
import { Store } from "../../web/js/store.js";

// A real channel would keep the test from ending.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage()) };
};
const { Opening } = await import("../../web/js/worker/opening.js");
const { answer } = await import("../../web/js/worker/answers.js");
const { NotNow, Unreadable } = await import("../../web/js/worker/unreadable.js");

/** An opening whose bytes come from `bytes`, which may throw. */
function opened(bytes) {
    let wanted = true;
    const log = {
        markdown: () => "the summary",
        look_up: () => ((wanted = true), 0),
        job: () => ({ reads: wanted ? [[0, 1]] : [], done: 0, of: 1 }),
        give: () => ((wanted = false), true),
        found: () => ({ kind: "empty" }),
        drop_job: () => {},
        replay: () => undefined,
        status: () => ({ offset: 0 }),
    };
    const told = [];
    const source = { range: async () => (bytes(), new Uint8Array(1)) };
    const opening = new Opening({ name: "", source }, { log, arrangement: {} }, (kind, text) => told.push([kind, text]));
    /** The reports about the log during a question, and the answer. */
    const asking = (kind, body) => async () => {
        const before = told.length;
        const answered = await answer(opening, kind, body);
        return [...told.slice(before), answered];
    };
    return { markdown: asking("markdown", { range: false }), lookUp: asking("lookUp", { asker: POINTER }) };
}

const TROUBLE = (text) => ["trouble", text];
const SOLVED = (text) => ["solved", text];
const FOUND = { kind: "empty" };
const none = () => {};

test("a trouble with a server is solved once a part comes, and reported again if it fails again", async () => {
    let error = new NotNow("it does not answer");
    const it = opened(() => {
        if (error) throw error;
    });
    assert.deepEqual((await it.lookUp())[0], TROUBLE("it does not answer"));
    error = new NotNow("it does not answer either");
    assert.deepEqual((await it.lookUp())[0], TROUBLE("it does not answer either"));
    // A question that needs no bytes reports nothing about them.
    assert.deepEqual(await it.markdown(), ["the summary"]);
    error = null;
    assert.deepEqual(await it.lookUp(), [SOLVED("it does not answer"), SOLVED("it does not answer either"), FOUND]);
    assert.deepEqual(await it.lookUp(), [FOUND]);
    error = new NotNow("it does not answer");
    assert.deepEqual((await it.lookUp())[0], TROUBLE("it does not answer"));
});

test("a trouble that asking again cannot solve stays", async () => {
    let error = new Unreadable("the log has changed");
    const it = opened(() => {
        if (error) throw error;
    });
    assert.deepEqual((await it.lookUp())[0], TROUBLE("the log has changed"));
    error = null;
    assert.deepEqual(await it.lookUp(), [FOUND]);
});

test("the page shows a trouble once, and removes it when it is solved, also for the log that Cancel returns to", () => {
    const first = { ...newLog(7, null), finished: true, log: { name: "a" } };
    const store = new Store({ ...nothing(), ...firstSight(7), logs: { 7: first } });
    const client = { close: none };
    const logs = new Logs(client, store, none);
    const troubles = () => shownOf(store.value).troubles;
    logs.trouble(7, "one");
    logs.trouble(7, "one");
    logs.trouble(7, "two");
    logs.trouble(6, "of a log that is closed");
    assert.deepEqual(troubles(), ["one", "two"]);
    logs.solved(7, "one");
    logs.solved(7, "never said");
    assert.deepEqual(troubles(), ["two"]);
    // Another log is being read.
    logs.open({ name: "b", size: 1 }, () => 8);
    logs.read(8, { status: { events: 1 }, size: 1, read: 1 }, false);
    assert.deepEqual([store.value.shown, troubles()], [8, []]);
    logs.trouble(7, "three");
    logs.solved(7, "two");
    logs.cancel();
    assert.deepEqual([store.value.shown, troubles()], [7, ["three"]]);
});
