// Tables of any length: the rows in view, the pages that are asked for, and copying.

import { test } from "node:test";
import assert from "node:assert/strict";
import { heightOf, inView, rowAfter, showing } from "../../web/js/panels/scroll.js";
import { PAGE, PagedRows } from "../../web/js/panels/paged.js";
import { Times } from "../../web/js/times.js";
import { tsvHead, tsvRow } from "../../web/js/panels/tsv.js";
import { MOST_HIGH } from "../../web/js/scrolled.js";

const sheet = (rows) => ({ rows, rowHeight: 26, room: 260 });

test("the rows with room are in view, the first and the last one in part", () => {
    assert.deepEqual(inView(sheet(1000), 0), { first: 0, end: 10, above: 0 });
    assert.deepEqual(inView(sheet(1000), 30), { first: 1, end: 12, above: 4 });
    assert.deepEqual(inView(sheet(1000), 990 * 26), { first: 990, end: 1000, above: 0 });
    assert.deepEqual(inView(sheet(4), 0), { first: 0, end: 4, above: 0 });
    assert.deepEqual(inView(sheet(0), 0), { first: 0, end: 0, above: 0 });
});

test("scrolled beyond its ends, as some browsers allow, or after it shrinks, a table shows its first or last rows", () => {
    assert.deepEqual(inView(sheet(1000), -50), inView(sheet(1000), 0));
    assert.deepEqual(inView(sheet(1000), 1e9), inView(sheet(1000), 990 * 26));
});

test("where all rows are shown, all are in view", () => {
    assert.deepEqual(inView({ rows: 200, rowHeight: 26, room: Infinity }, 0), { first: 0, end: 200, above: 0 });
});

for (const rows of [200_000, 1_000_000, 40_000_000]) {
    test(`each of ${rows} rows can be reached, in an element that is not too high`, () => {
        const all = sheet(rows);
        assert.ok(heightOf(all) <= MOST_HIGH && heightOf(all) === Math.min(rows * 26, MOST_HIGH));
        const end = heightOf(all) - all.room;
        assert.equal(inView(all, end).end, rows);
        assert.equal(inView(all, 0).first, 0);
        for (const row of [0, 1, 12_345, Math.floor(rows / 2), rows - 1]) {
            for (const scrolled of [0, end / 3, end]) {
                const to = showing(all, scrolled, row);
                assert.ok(to >= 0 && to <= end + 1e-6, `${to}`);
                const { first, end: last, above } = inView(all, to);
                assert.ok(row >= first && row < last, `${row} is not in ${first} to ${last}`);
                assert.ok(row > first || above < 0.1, "it is seen as a whole");
            }
        }
    });
}

test("showing a visible row scrolls nothing; otherwise no more than necessary", () => {
    assert.equal(showing(sheet(1000), 100, 5), 100);
    assert.equal(showing(sheet(1000), 100, 3), 3 * 26);
    assert.equal(showing(sheet(1000), 0, 10), 26);
    assert.equal(showing({ rows: 9, rowHeight: 26, room: 10 }, 0, 3), 78);
});

test("keys move from row to row and to the head, and not beyond the ends", () => {
    const steps = [
        [0, "ArrowDown", 1],
        [0, "ArrowUp", -1],
        [-1, "ArrowUp", -1],
        [-1, "ArrowDown", 0],
        [99, "ArrowDown", 99],
        [50, "PageDown", 57],
        [50, "PageUp", 43],
        [3, "PageUp", 0],
        [98, "PageDown", 99],
        [50, "Home", 0],
        [50, "End", 99],
        [50, "w", null],
    ];
    for (const [at, key, expected] of steps) assert.equal(rowAfter(at, key, 100, 7), expected, `${key} at ${at}`);
});

/** A made-up table that is asked for rows; answers come when the test lets them. */
class Asked {
    rows = Array.from({ length: 1000 }, (_, at) => at);
    questions = [];
    #waiting = [];

    ask = (question) => {
        this.questions.push(question);
        return new Promise((resolve) => this.#waiting.push({ question, resolve }));
    };

    /** Answers all questions, and those that follow, until there are none. */
    async answerAll() {
        for (; this.#waiting.length > 0; await settled()) await this.answer();
    }

    async answer() {
        const { question, resolve } = this.#waiting.shift();
        const { sort, down, filter, from, count } = question;
        const found = this.rows.filter((row) => String(row).includes(filter));
        if (sort && down) found.reverse();
        const rows = found.slice(from, from + count);
        resolve({
            table: "made-up",
            from,
            rows: rows.map((row) => [row]),
            times: rows.map((row) => row * 10),
            tracks: [],
            found: found.length,
            kept: this.rows.length,
            of: 5000,
        });
        await settled();
    }

    async leave() {
        this.#waiting.shift().resolve(null);
        await settled();
    }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The first values of rows, or nothing for rows that have not come. */
const values = (rows, from, to) => Array.from({ length: to - from }, (_, at) => rows.row(from + at)?.values[0]);
const range = (from, to) => Array.from({ length: to - from }, (_, at) => from + at);

test("rows in view are asked for in whole pages, once", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    let changes = 0;
    rows.changed = () => (changes += 1);
    rows.want(60, 70);
    rows.want(60, 70);
    assert.deepEqual(asked.questions, [{ sort: "", down: false, filter: "", query: "", within: null, from: 0, count: 2 * PAGE }]);
    assert.deepEqual(values(rows, 60, 62), [undefined, undefined]);
    await asked.answerAll();
    assert.deepEqual(values(rows, 60, 70), range(60, 70));
    assert.equal(rows.row(61).time, 610);
    assert.deepEqual([rows.found, rows.kept, rows.of, changes], [1000, 1000, 5000, 1]);
    rows.want(61, 75);
    assert.equal(asked.questions.length, 1);
});

test("narrowing to some values of a column asks for rows again, and calls the listener", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    let heard = 0;
    rows.narrowed = () => (heard += 1);
    rows.want(0, 10);
    await asked.answerAll();
    const within = { column: "pause_ns", from: 100, to: 200 };
    rows.narrow(within);
    assert.deepEqual([asked.questions.length, asked.questions[1].within, heard, rows.isOrdered], [2, within, 1, false]);
    await asked.answerAll();
    assert.ok(rows.isOrdered);
});

test("hidden rows are not asked for as the table grows, but when they are shown again", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    rows.want(0, 10);
    await asked.answerAll();
    rows.rest();
    rows.outdate();
    rows.outdate();
    assert.equal(asked.questions.length, 1);
    rows.want(0, 10);
    assert.equal(asked.questions.length, 2);
    await asked.answerAll();
    assert.ok(rows.isFresh);
});

test("the first rows can be held: they are asked for after those in view, also while none are shown", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    rows.want(500, 510);
    rows.hold(100);
    await asked.answerAll();
    assert.deepEqual(
        asked.questions.map(({ from, count }) => [from, count]),
        [
            [448, PAGE],
            [0, 2 * PAGE],
        ],
    );
    assert.ok(rows.isFresh);
    rows.rest();
    rows.sortBy("a", true);
    await asked.answerAll();
    assert.deepEqual(values(rows, 0, 100), range(900, 1000).reverse());
    assert.equal(values(rows, 500, 501)[0], undefined);
    rows.hold(0);
    const before = asked.questions.length;
    rows.outdate();
    assert.equal(asked.questions.length, before);
});

test("when a table becomes longer or shorter, so do the held rows", async () => {
    const asked = new Asked();
    const rows = new PagedRows(0, asked.ask);
    rows.hold(100);
    await asked.answerAll();
    assert.deepEqual(values(rows, 0, 100), range(0, 100));
    asked.rows = asked.rows.slice(0, 3);
    rows.outdate();
    await asked.answerAll();
    assert.deepEqual([rows.found, rows.row(2).values[0], rows.row(3)], [3, 2, undefined]);
});

test("after scrolling past thousands of rows, only those at the end are asked for", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    for (let first = 0; first < 900; first += 9) rows.want(first, first + 10);
    await asked.answerAll();
    assert.equal(asked.questions.length, 2);
    assert.deepEqual(values(rows, 891, 901), range(891, 901));
});

test("only a few pages are kept, among them those in view", async () => {
    const asked = new Asked();
    asked.rows = range(0, 200 * PAGE);
    const rows = new PagedRows(asked.rows.length, asked.ask);
    for (let page = 0; page < 200; page++) {
        rows.want(page * PAGE, page * PAGE + 10);
        await asked.answerAll();
        assert.equal(rows.row(page * PAGE)?.values[0], page * PAGE);
    }
    assert.equal(rows.row(0), undefined);
    assert.equal(range(0, 200).filter((page) => rows.row(page * PAGE)).length, 64);
});

test("when the order changes, the old rows stay until the new ones come, and are never mixed with them", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    rows.want(0, 100);
    await asked.answerAll();
    rows.sortBy("number", true);
    assert.ok(!rows.isOrdered);
    assert.deepEqual(values(rows, 0, 3), [0, 1, 2]);
    rows.want(0, 10);
    await asked.answerAll();
    assert.ok(rows.isOrdered);
    assert.deepEqual(values(rows, 0, 3), [999, 998, 997]);
    rows.search("99");
    rows.want(0, 10);
    await asked.answerAll();
    assert.deepEqual(values(rows, 0, 3), [999, 998, 997]);
    assert.deepEqual([rows.found, rows.kept], [19, 1000]);
    assert.equal(rows.row(19), undefined);
});

test("an answer in an old order is not shown", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    rows.want(0, 10);
    rows.sortBy("number", true);
    await asked.answer();
    assert.equal(rows.row(0), undefined);
    await asked.answerAll();
    assert.equal(rows.row(0).values[0], 999);
});

test("a table that grows keeps its rows until the new ones come, and one that shrinks has no rows beyond its end", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    rows.want(960, 970);
    await asked.answerAll();
    asked.rows = range(0, 2000);
    rows.outdate();
    assert.equal(rows.row(965).values[0], 965);
    await asked.answerAll();
    assert.deepEqual([rows.found, rows.row(965).values[0]], [2000, 965]);
    // As when rows are thinned out.
    asked.rows = range(0, 500);
    rows.outdate();
    await asked.answerAll();
    assert.deepEqual([rows.found, rows.row(965)], [500, undefined]);
    rows.want(490, 500);
    await asked.answerAll();
    assert.deepEqual(values(rows, 490, 501), [...range(490, 500), undefined]);
});

test("a filter that no row passes is asked about once", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    rows.want(500, 510);
    await asked.answerAll();
    rows.search("none");
    rows.want(0, 10);
    await asked.answerAll();
    assert.deepEqual([rows.found, rows.row(0)], [0, undefined]);
    const { length } = asked.questions;
    rows.want(0, 0);
    await settled();
    assert.equal(asked.questions.length, length);
});

test("when the log is closed, it is not asked again and again", async () => {
    const asked = new Asked();
    const rows = new PagedRows(1000, asked.ask);
    rows.want(0, 10);
    await asked.leave();
    await asked.answerAll();
    assert.equal(asked.questions.length, 1);
    const copied = [];
    const all = (async () => {
        for await (const some of rows.all(5000)) copied.push(...some);
    })();
    await settled();
    await asked.leave();
    await all;
    assert.deepEqual(copied, []);
});

test("all rows come in order, part by part, and no more than wanted", async () => {
    for (const [most, expected] of [
        [100_000, 3000],
        [1500, 1500],
    ]) {
        const asked = new Asked();
        asked.rows = range(0, 3000);
        const rows = new PagedRows(3000, asked.ask);
        const copied = [];
        const all = (async () => {
            for await (const some of rows.all(most)) copied.push(...some.map(({ values }) => values[0]));
        })();
        await settled();
        await asked.answerAll();
        await all;
        assert.deepEqual(copied, range(0, expected));
    }
});

const COLUMNS = [
    { key: "name", name: "Name", unit: "text" },
    { key: "start_ns", name: "Start", unit: "time" },
    { key: "pause_ns", name: "Pause", unit: "duration" },
    { key: "copied_bytes", name: "Copied", unit: "bytes" },
    { key: "share", name: "Share", unit: "share" },
    { key: "cap", name: "Collected by", unit: "capability" },
];

const SINCE = new Times(1000);

test("copied times are the time of day, if that is shown", () => {
    const times = new Times(1000, [[0, Date.UTC(2026, 0, 2, 3, 4, 5)]], true);
    const columns = [COLUMNS[0], COLUMNS[1]];
    assert.equal(
        tsvHead(columns, times) + tsvRow(columns, ["main", 1500], times),
        "Name\tStart (UTC)\nmain\t2026-01-02 03:04:05.000001500\n",
    );
});

test("copied rows are plain numbers, with the units in the heads", () => {
    assert.equal(tsvHead(COLUMNS, SINCE), "Name\tStart (ns)\tPause (ns)\tCopied (bytes)\tShare\tCollected by\n");
    assert.equal(tsvRow(COLUMNS, ["main", 1500.25, 1284503, 5 * 2 ** 30, 0.125, 3], SINCE), "main\t500\t1284503\t5368709120\t0.125\t3\n");
    // Pictures are left out.
    const drawn = [COLUMNS[0], { key: "levels", name: "Trend", unit: "levels" }, COLUMNS[1]];
    assert.equal(tsvHead(drawn, SINCE) + tsvRow(drawn, ["main", [1, 2], 1000], SINCE), "Name\tStart (ns)\nmain\t0\n");
    assert.equal(tsvRow(COLUMNS, ["", null, undefined, null, 0, 0], SINCE), "\t\t\t\t0\t0\n");
});

test("no text from a log leaves its cell, or becomes a formula", () => {
    const cell = (text) => tsvRow([COLUMNS[0]], [text], SINCE);
    assert.equal(cell("a\tb\nc\r\u0000"), "a␉b␊c␍␀\n");
    for (const start of ["=", "+", "-", "@", '"', "\uff1d"]) assert.equal(cell(`${start}1+cmd|x`), `'${start}1+cmd|x\n`);
    assert.equal(cell("a=b"), "a=b\n");
    assert.equal(tsvHead([{ key: "x", name: "=x\ty", unit: "text" }], SINCE), "'=x␉y\n");
});
