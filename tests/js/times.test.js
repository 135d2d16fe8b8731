// Moments as the time of day, and moments that users write.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Times } from "../../web/js/times.js";
import { clockOf } from "../../web/js/clock.js";
import { factTexts } from "../../web/js/describe.js";
import { momentIn } from "../../web/js/moment.js";
import { timesOf, timesOnPage } from "../../web/js/page-time.js";

process.env.TZ = "Europe/Berlin";

const S = 1e9;
/** Time 0 is at 21:59:50 UTC, which is 22:59:50 in Berlin. */
const EPOCH = Date.UTC(2026, 10, 25, 21, 59, 50);
const utc = new Times(2 * S, [[2 * S, EPOCH]], true);
const local = new Times(2 * S, [[2 * S, EPOCH]]);
const relative = new Times(2 * S);
const plain = (text) => text.replaceAll("\u202f", "");

test("a moment is written by the clock, with the digits that matter", () => {
    assert.equal(plain(utc.text(2 * S)), "21:59:52.000000000");
    assert.equal(plain(utc.text(12 * S + 123_456_789)), "22:00:02.123456789");
    assert.equal(plain(utc.text(12 * S + 123_456_789, 1e6)), "22:00:02.123");
    assert.equal(utc.text(12 * S + 600e6, S), "22:00:03", "rounded");
    assert.equal(utc.text(12 * S, 60 * S), "22:00:02");
    assert.equal(plain(local.text(12 * S, 1e6)), "23:00:02.000");
    assert.equal(plain(relative.text(12 * S + 500e6, 1e6)), "10.500 s");
});

test("on another day than the log's first one, a moment has its date", () => {
    assert.equal(utc.text(3 * 3600 * S, S), "2026-11-26 00:59:50");
    assert.equal(local.text(3600 * S, S), "23:59:50");
    assert.equal(local.text(3700 * S, S), "2026-11-26 00:01:30");
});

test("the bar's date is by the same clock as all other times, and in whole seconds", () => {
    const log = {
        offset: 0,
        log: { process: { args: [], runtime: "", clocks: [[2 * S, EPOCH]] }, status: { events: 1, extent: [2.9 * S, 9 * S] } },
    };
    const dated = (clock, of = log.log) => factTexts({ name: "a", size: 1, read: 1, ...of }, timesOf({ clock }, { log: of }))[1];
    assert.deepEqual([dated("utc"), dated("local")], ["2026-11-25 21:59:52 UTC", "2026-11-25 22:59:52"]);
    assert.equal(dated("local", { ...log.log, process: { ...log.log.process, clocks: [] } }), undefined, "the log has no date");
});

test("an interval and a cell are written by the clock, too", () => {
    assert.equal(plain(utc.interval(12 * S, 13 * S)), "22:00:02.00–22:00:03.00");
    assert.equal(plain(relative.interval(12 * S, 13 * S)), "10.00–11.00 s");
    assert.deepEqual([utc.cell(12 * S + 5), utc.unit], ["2026-11-25 22:00:02.000000005", "UTC"]);
    assert.deepEqual([local.cell(12 * S), local.unit], ["2026-11-25 23:00:02.000000000", "local time"]);
    assert.deepEqual([relative.cell(12 * S), relative.unit], ["10000000000", "ns"]);
});

test("steps of an axis count from midnight", () => {
    assert.equal(utc.text(utc.zero, S), "00:00:00");
    assert.equal(local.text(local.zero, S), "00:00:00");
    assert.equal(relative.zero, 2 * S);
    assert.deepEqual([utc.isLong(12 * S, 1e6), utc.isLong(12 * S, 1e5)], [false, true]);
});

test("from a restart on, its own clock holds", () => {
    const both = new Times(
        0,
        [
            [0, EPOCH],
            [100 * S, EPOCH + 3_600_000],
        ],
        true,
    );
    assert.equal(both.text(99 * S, S), "22:01:29");
    assert.equal(both.text(100 * S, S), "23:01:30");
    const at = (text) => momentIn(text, [0, 200 * S], both).at;
    assert.deepEqual([at("22:01:29"), at("23:01:30"), at("22:01:31")], [99 * S, 100 * S, null]);
});

test("dates that no calendar has are not shown", () => {
    for (const epoch of [1e300, -1e300, NaN, Infinity]) {
        const times = new Times(0, [[0, epoch]], true);
        assert.deepEqual([times.isClock, times.text(S)], [false, new Times(0).text(S)]);
    }
    const last = new Times(0, [[0, 8.64e15]], true);
    assert.doesNotMatch(last.text(1e18), /NaN|Invalid/);
    assert.equal(last.cell(1e18), "1000000000000000000");
});

test("the page shows the time of day only if it is chosen and the log has it", () => {
    const log = { offset: 5 * S, log: { status: { extent: [0, S] }, process: { clocks: [[0, EPOCH]] } } };
    assert.equal(timesOf({ clock: "utc" }, log).text(0, S), "21:59:50");
    assert.equal(timesOnPage({ clock: "utc" }, log).text(5 * S, S), "21:59:50");
    assert.equal(timesOf({ clock: "relative" }, log).text(0), "0");
    assert.equal(timesOf({ clock: "utc" }, { ...log, log: { ...log.log, process: { clocks: [] } } }).text(0), "0");
    assert.equal(timesOf({ clock: "utc" }, { ...log, log: null }).text(0), "0");
    assert.deepEqual(["utc", "local", "", null].map(clockOf), ["utc", "local", "relative", "relative"]);
});

test("a moment can be written since the start, or by the clock", () => {
    const extent = [2 * S, 7202 * S];
    const at = (text, times = utc) => momentIn(text, extent, times).at;
    const since = {
        "1.284 s": 1.284 * S,
        "66.9ms": 66.9e6,
        "2 min 5 s": 125 * S,
        "1 h": 3600 * S,
        "5\u202f000 µs": 5e6,
        0: 0,
        "1:05.5": 65.5 * S,
    };
    for (const [text, ns] of Object.entries(since)) assert.equal(at(text), 2 * S + ns, text);
    assert.equal(at("1:00:00"), 2 * S + 3600 * S, "no clock shows that in this log");
    assert.equal(at("22:00:02.5"), 12.5 * S);
    assert.equal(at("22:00"), 10 * S);
    assert.equal(at("2026-11-25 22:00:02.5"), 12.5 * S);
    assert.equal(at("23:00:02.5", local), 12.5 * S);
    // The day after the first one.
    assert.equal(at("00:10:00", local), 4210 * S);
    assert.equal(at("22:00:02", relative), null, "the log has no clock");
    // The log begins within this second.
    assert.equal(momentIn("21:59:52", [2.4 * S, 3 * S], utc).at, 2.4 * S);
});

test("what is no moment, or not in the log, is told apart", () => {
    const said = (text) => momentIn(text, [0, 10 * S], utc);
    for (const text of ["", "x", "12", "1:2:3:4", "25:00", "-1 s", "1 s x", "1e3 s"])
        assert.equal(said(text).isMoment ?? false, text === "25:00", text);
    for (const text of ["11:59", "20 s", "2025-01-01 22:00"]) assert.deepEqual(said(text), { at: null, isMoment: true }, text);
});
