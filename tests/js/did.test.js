// What a thread did, in one sentence.

import { test } from "node:test";
import assert from "node:assert/strict";
import { didOwn, didText } from "../../web/js/did.js";

/** The states of a thread's track, with these times. */
function states(times) {
    return ["running", "runnable", "blocked", "foreign", "hatch"].map((role) => ({ name: role, role, total: times[role] }));
}

test("the longest first, with what it waited for", () => {
    const waited = { reason: "blocked on an MVar", time: 70, thread: 7, label: "writer" };
    assert.equal(
        didText({ states: states({ running: 12, blocked: 80, runnable: 8 }), waited }),
        "Was blocked 80 % of its life (mostly on an MVar; most of it for thread 7, writer), ran 12 %, could run and waited for a capability or a collection 8 %.",
    );
    assert.equal(didText({ states: states({ running: 100 }) }), "Ran 100 % of its life.");
});

test("the runtime's own threads are no cause: they say what it waited for", () => {
    const of = (label) =>
        didText({ states: states({ blocked: 80 }), waited: { reason: "blocked on an MVar", time: 70, thread: 4, label } });
    assert.match(of("TimerManager"), /most of it until thread 4, TimerManager, ended a threadDelay or timeout\)/);
    assert.match(of("IOManager on cap 0"), /most of it until thread 4, IOManager on cap 0, had input or output\)/);
    assert.match(of("my TimerManager"), /most of it for thread 4, my TimerManager\)/);
    assert.equal(didOwn("4 TimerManager"), "ended a threadDelay or timeout");
    for (const label of ["IOManager", "IOManagerThread", "3 IOManager on cap 0"]) assert.equal(didOwn(label), "had input or output");
    // A program's own labels may begin like these.
    for (const label of ["TimerManagerTest", "IOManager of tenant 4", "my TimerManager"]) assert.equal(didOwn(label), undefined);
});

test("what it hardly did is left out, and so is what it then waited for", () => {
    const waited = { reason: "blocked in STM retry", time: 1 };
    assert.equal(didText({ states: states({ running: 999, blocked: 1 }), waited }), "Ran 100 % of its life.");
});

test("nothing where nothing is known, and of tracks that are no thread's", () => {
    assert.equal(didText({ states: states({}) }), undefined);
    assert.equal(didText({ states: [{ name: "running", role: "running", total: 5 }] }), undefined);
    assert.equal(didText({ states: states({ hatch: 5 }) }), undefined);
});
