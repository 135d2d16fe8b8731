import { test } from "node:test";
import assert from "node:assert/strict";
import { Store } from "../../web/js/store.js";
import { announce } from "../../web/js/announce.js";
import { nothing } from "../../web/js/state.js";

function listening() {
    const store = new Store(nothing());
    const heard = [];
    announce({ store, say: (text) => heard.push(text) });
    return { store, heard };
}

const log = (read, notices = []) => ({ name: "a.eventlog", size: 1000, read, notices });

test("progress is told in quarters, each once", () => {
    const { store, heard } = listening();
    store.set({ phase: "loading", file: { name: "a.eventlog", size: 1000 } });
    for (let read = 0; read <= 1000; read += 10) store.set({ log: log(read) });
    store.set({ phase: "ready", log: log(1000) });
    store.set({ pointer: { x: 1, y: 2 } });
    assert.deepEqual(heard, ["25 % read", "50 % read", "75 % read", "a.eventlog is open"]);
});

test("the next file is told of from its start", () => {
    const { store, heard } = listening();
    for (const name of ["a", "b"]) {
        store.set({ ...nothing(), phase: "loading", file: { name, size: 1000 } });
        store.set({ log: log(300) });
    }
    assert.deepEqual(heard, ["25 % read", "25 % read"]);
});

test("that a connection broke is told once for each time it does", () => {
    const { store, heard } = listening();
    for (const retryIn of [500, 1000, null, 500]) store.set({ retryIn });
    const broken = "The connection broke; trying again";
    assert.deepEqual(heard, [broken, broken]);
});

test("damage and trouble are told once", () => {
    const { store, heard } = listening();
    store.set({
        phase: "ready",
        log: log(1000, [
            { text: "restarted", loss: false },
            { text: "cut off", loss: true },
        ]),
    });
    store.set({ troubles: ["it is gone"] });
    store.set({ log: log(1000, []) });
    assert.deepEqual(heard, ["a.eventlog is open. Cut off.", "It is gone."]);
});

test("damage is told in the words that are shown", () => {
    const { store, heard } = listening();
    const cut = { text: "cut off at byte 399997", loss: true };
    store.set({ phase: "ready", log: log(1000, [cut]) });
    store.set({ ...nothing(), phase: "ready", log: log(500, [{ text: "stopped at byte 500", loss: true, stopped: true }]) });
    store.set({ phase: "loading" });
    store.set({ phase: "ready" });
    const stopped = "a.eventlog is open. Stopped at 500 B of 1000 B; later events are missing.";
    assert.deepEqual(heard, ["a.eventlog is open. Cut off at byte 399\u202f997.", stopped]);
});

test("a log that is closed is told of; one that is gone with an error is not", () => {
    for (const [after, told] of [
        [{ phase: "empty" }, ["a.eventlog is closed"]],
        [{ phase: "error", error: "it is gone" }, []],
    ]) {
        const { store, heard } = listening();
        store.set({ phase: "ready", finished: true, log: log(1000) });
        store.set({ ...nothing(), ...after });
        assert.deepEqual(heard, ["a.eventlog is open", ...told]);
    }
});
