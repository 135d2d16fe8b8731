// The page's handle of a log: answers come back to the question.

import { test } from "node:test";
import assert from "node:assert/strict";
import { LogHandle } from "../../web/js/log-handle.js";
import { ShownLog } from "../../web/js/shown-log.js";
import { POINTER, SAVING, SELECTION } from "../../web/js/protocol.js";

const pixel = { track: 1, from: 2, to: 3 };

/** A handle, and what it posts. */
function opened() {
    const posted = [];
    return { log: new LogHandle(7, (message) => posted.push(message)), posted };
}

test("an answer goes to its question, in whatever order answers come", async () => {
    const { log, posted } = opened();
    const first = log.ask("markdown", { range: false });
    const second = log.ask("markdown", { range: true });
    assert.deepEqual(posted, [
        { kind: "markdown", log: 7, id: 1, body: { range: false } },
        { kind: "markdown", log: 7, id: 2, body: { range: true } },
    ]);
    log.take("answer", 2, "of the range");
    log.take("answer", 1, "of the log");
    assert.deepEqual(await Promise.all([first, second]), ["of the log", "of the range"]);
});

test("a newer question replaces an older one of the same asker, and no other", async () => {
    const { log } = opened();
    const [older, selected] = [log.ask("lookUp", { asker: POINTER, ...pixel }), log.ask("lookUp", { asker: SELECTION, ...pixel })];
    const newer = log.ask("lookUp", { asker: POINTER, ...pixel });
    assert.equal(await older, null);
    for (const id of [1, 2, 3]) log.take("answer", id, { kind: "empty" });
    assert.deepEqual(await Promise.all([selected, newer]), [{ kind: "empty" }, { kind: "empty" }]);
});

test("a picture that comes too late is closed", async () => {
    const { log } = opened();
    let closed = 0;
    const strips = { image: { close: () => closed++ } };
    const coarse = [];
    const older = log.ask("window", {}, (strips) => coarse.push(strips));
    log.take("meanwhile", 1, strips);
    const newer = log.ask("window", {});
    log.take("meanwhile", 1, strips);
    log.take("answer", 1, strips);
    log.take("answer", 2, strips);
    assert.deepEqual([await older, await newer, coarse, closed], [null, strips, [strips], 2]);
});

test("a question that is given up is answered with null, and the worker learns of it", async () => {
    const { log, posted } = opened();
    const packed = log.ask("pack", {});
    log.giveUp(SAVING);
    assert.equal(await packed, null);
    assert.deepEqual(posted.at(-1), { kind: "giveUp", log: 7, body: SAVING });
});

test("every question about a closed log is answered with null", async () => {
    const { log, posted } = opened();
    log.isReading = false;
    const before = log.ask("markdown", { range: false });
    assert.ok(log.isBusy);
    log.end();
    assert.ok(!log.isBusy);
    assert.deepEqual(await Promise.all([before, log.ask("markdown", { range: false })]), [null, null]);
    log.send("stop", null);
    assert.equal(posted.length, 1);
});

test("answers for the log that was shown before are dropped, and their pictures closed", async () => {
    let closed = 0;
    const strips = { image: { close: () => closed++ } };
    const logs = [7, 8].map((number) => new LogHandle(number, () => {}));
    const store = { value: { shown: 0 } };
    const shown = new ShownLog({ of: (number) => logs[number] }, store);
    const coarse = [];
    const ask = () => shown.ask("window", {}, (strips) => coarse.push(strips));
    const before = ask();
    store.value = { shown: 1 };
    const now = ask();
    for (const log of logs) {
        log.take("meanwhile", 1, strips);
        log.take("answer", 1, strips);
    }
    assert.deepEqual([await before, await now, coarse, closed], [null, strips, [strips], 2]);
});
