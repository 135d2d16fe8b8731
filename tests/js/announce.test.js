import { test } from "node:test";
import assert from "node:assert/strict";
import { Store } from "../../web/js/store.js";
import { announce } from "../../web/js/announce.js";
import { changeShown, firstSight, newLog, nothing } from "../../web/js/state.js";

/** The state of the page when a log is shown. */
const shows = (number) => ({ ...nothing(), ...firstSight(number), logs: { [number]: newLog(number, null) } });

function listening() {
    const store = new Store(shows(1));
    const heard = [];
    announce({ store, say: (text) => heard.push(text) });
    /** The page changes, and the log that it shows. */
    const set = ({ log, finished, troubles, ...page }) => {
        const known = { log, finished, troubles };
        changeShown(store, Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)));
        store.set(page);
    };
    return { set, heard };
}

const log = (read, notices = []) => ({ name: "a.eventlog", size: 1000, read, notices });

test("progress is announced in quarters, each once", () => {
    const { set, heard } = listening();
    set({ phase: "loading" });
    for (let read = 0; read <= 1000; read += 10) set({ log: log(read) });
    set({ phase: "ready", log: log(1000) });
    set({ pointer: { x: 1, y: 2 } });
    assert.deepEqual(heard, ["25 % read", "50 % read", "75 % read", "a.eventlog is open"]);
});

test("progress of the next file is announced from its start", () => {
    const { set, heard } = listening();
    for (const number of [2, 3]) {
        set({ ...shows(number), phase: "loading" });
        set({ log: log(300) });
    }
    assert.deepEqual(heard, ["25 % read", "25 % read"]);
});

test("a broken connection is announced once each time", () => {
    const { set, heard } = listening();
    for (const retryIn of [500, 1000, null, 500]) set({ retryIn });
    const broken = "The connection broke; trying again";
    assert.deepEqual(heard, [broken, broken]);
});

test("damage and trouble are announced once", () => {
    const { set, heard } = listening();
    set({
        phase: "ready",
        log: log(1000, [
            { text: "restarted", loss: false },
            { text: "cut off", loss: true },
        ]),
    });
    set({ troubles: ["it is gone"] });
    set({ log: log(1000, []) });
    assert.deepEqual(heard, ["a.eventlog is open. Cut off.", "It is gone."]);
});

test("damage is announced in the words that are shown", () => {
    const { set, heard } = listening();
    const cut = { text: "cut off at byte 399997", loss: true };
    set({ phase: "ready", log: log(1000, [cut]) });
    set({ ...shows(2), phase: "ready" });
    set({ log: log(500, [{ text: "stopped at byte 500", loss: true, stopped: true }]) });
    set({ phase: "loading" });
    set({ phase: "ready" });
    const stopped = "a.eventlog is open. Stopped at 500 B of 1000 B; later events are missing.";
    assert.deepEqual(heard, ["a.eventlog is open. Cut off at byte 399\u202f997.", stopped]);
});

test("closing a log is announced; losing one to an error is not", () => {
    for (const [after, told] of [
        [{ phase: "empty" }, ["a.eventlog is closed"]],
        [{ phase: "error", error: "it is gone" }, []],
    ]) {
        const { set, heard } = listening();
        set({ phase: "ready", finished: true, log: log(1000) });
        set({ ...nothing(), ...after });
        assert.deepEqual(heard, ["a.eventlog is open", ...told]);
    }
});
