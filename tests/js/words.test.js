// The page's texts.

import { test } from "node:test";
import assert from "node:assert/strict";
import { choiceText, counted, listText, noticeText, plain, progressText, stillOpen, unprintedText } from "../../web/js/words.js";

const MIB = 2 ** 20;

test("one is singular, none and several are plural", () => {
    assert.equal(counted(1, "stream"), "1 stream");
    assert.equal(counted(0, "event"), "0 events");
    assert.equal(counted(12_345, "event"), "12\u202f345 events");
});

test("a sentence begins and ends like one, and its bytes are grouped", () => {
    const cut = "the file ends in the middle of an event, at byte 199987; later events are missing";
    assert.equal(plain(cut), "The file ends in the middle of an event, at byte 199\u202f987; later events are missing.");
    assert.equal(plain("logging was restarted (byte 3339)"), "Logging was restarted (byte 3\u202f339).");
    assert.equal(plain("skipped 70000 bytes (byte 12)"), "Skipped 70\u202f000 bytes (byte 12).");
});

test("digits that are not a number are not grouped, nor are four digits", () => {
    for (const text of [
        "See run-123456.",
        "See a/123456/b.",
        "See x123456y.",
        "Event type 1234.",
        "At 127.0.0.1:45401 it is.",
        "The year 2024.",
    ]) {
        assert.equal(plain(text.slice(0, -1)), text);
    }
});

test("the marks around a command are removed", () => {
    assert.equal(plain("run it with `+RTS -l` to get one"), "Run it with +RTS -l to get one.");
    assert.equal(plain("a ` alone stays"), "A ` alone stays.");
});

test("control characters are made visible", () => {
    assert.equal(plain("it is \u0007 there"), "It is ␇ there.");
});

test("a stopped log says how much was read, in sizes", () => {
    const log = /** @type {any} */ ({ read: 576 * MIB, size: 1024 * MIB });
    const notice = { text: "stopped at byte 603979776; later events are missing", loss: true, stopped: true };
    assert.equal(noticeText(notice, log), "Stopped at 576 MiB of 1.00 GiB; later events are missing.");
    assert.equal(noticeText({ text: "more events", loss: false, stopped: false }, log), "More events.");
});

test("progress says what is opened, then how far it is, and that paler parts are a preview", () => {
    const file = { name: "b\u202e.eventlog", size: 8 * MIB };
    const next = /** @type {any} */ ({ opening: 2, file, read: MIB, loads: false });
    const text = (state) => progressText({ log: null, next: null, retryIn: null, ...state });
    assert.equal(text({ next }), "Opening b\\u202e.eventlog · 1.00 MiB of 8.00 MiB");
    // Before a server answers, nothing is known about its log.
    assert.equal(text({ next: { ...next, file: { name: "b.eventlog", size: 0 }, read: 0 } }), "Opening b.eventlog…");
    const log = /** @type {any} */ ({ read: 2 * MIB, size: 8 * MIB, status: { events: 1 } });
    assert.equal(text({ log }), "2.00 MiB of 8.00 MiB · 1 event");
    log.status = { events: 2000, ahead: 5 };
    assert.equal(text({ log }), "2.00 MiB of 8.00 MiB · 2\u202f000 events · paler parts are a preview");
});

test("a log from a server may have no known size, and may be interrupted", () => {
    const text = (state) => progressText({ log: null, next: null, retryIn: null, ...state });
    const next = /** @type {any} */ ({ opening: 2, file: { name: "b.gz", size: 0 }, read: MIB, loads: true });
    assert.equal(text({ next }), "Loading b.gz · 1.00 MiB");
    assert.equal(text({ next, retryIn: 500 }), "Loading b.gz · 1.00 MiB · The connection broke; trying again in 0.5 s");
    const log = /** @type {any} */ ({ read: 2 * MIB, size: 0, status: { events: 1, ahead: 5 } });
    assert.equal(text({ log, retryIn: 4000 }), "2.00 MiB · The connection broke; trying again in 4 s");
    const notice = { text: "stopped at byte 2097152; later events are missing", loss: true, stopped: true };
    assert.equal(noticeText(notice, log), "Stopped at 2.00 MiB; later events are missing.");
});

test("paper says which tracks are not on it", () => {
    assert.equal(unprintedText({ above: 0, below: 0 }, { undrawn: 0, areOld: false, wouldWait: true }), "");
    assert.equal(
        unprintedText({ above: 0, below: 1 }, { arranged: "1 row is hidden.", undrawn: 0, areOld: false, wouldWait: true }),
        "Not printed: 1 track below. 1 row is hidden.",
    );
    assert.equal(unprintedText({ above: 0, below: 1 }, { undrawn: 0, areOld: false, wouldWait: true }), "Not printed: 1 track below.");
    assert.equal(
        unprintedText({ above: 1, below: 12_345 }, { undrawn: 0, areOld: false, wouldWait: true }),
        "Not printed: 1 track above these, 12\u202f345 tracks below.",
    );
    assert.equal(
        unprintedText({ above: 0, below: 0 }, { undrawn: 1, areOld: false, wouldWait: false }),
        "Printed before its picture could be drawn: 1 track.",
    );
    assert.equal(
        unprintedText({ above: 2, below: 0 }, { undrawn: 3, areOld: false, wouldWait: true }),
        "Not printed: 2 tracks above these. Printed before their pictures could be drawn: 3 tracks. Ctrl+P waits for that.",
    );
    assert.equal(
        unprintedText({ above: 0, below: 0 }, { undrawn: 0, areOld: true, wouldWait: true }),
        "Printed while the log was still being read, so some figures may be older than others. Ctrl+P waits for that.",
    );
});

test("an error names the log that is still open, if there is one", () => {
    assert.equal(stillOpen({ log: null, file: null }), "");
    assert.equal(stillOpen({ log: /** @type {any} */ ({ name: "x" }), file: { name: "a", size: 1 } }), "a is still open.");
});

test("a list of logs says how much of it is shown", () => {
    const entries = [{ index: 0, name: "a", size: 1 }];
    const choice = { logs: 2, text: "", count: 2, entries: [...entries, ...entries] };
    assert.equal(choiceText({ file: { name: "a.zip" }, opening: 3 }, choice), "a.zip has 2 eventlogs");
    assert.equal(choiceText({ file: { name: "2 files" }, opening: 0 }, choice), "Which of these 2 files?");
    assert.equal(listText(choice), "Choose the one to open.");
    assert.equal(listText({ ...choice, text: "a", count: 1, entries }), "1 name with “a”.");
    assert.equal(listText({ ...choice, text: "a", count: 0, entries: [] }), "No name contains “a”.");
    assert.equal(listText({ ...choice, count: 3000, entries }), "The first 1 of 3\u202f000. Type a part of the name to find others.");
});
