// The contents of the drawer, and the rows that it keeps at hand.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Contents, PRINTED } from "../../web/js/panels/contents.js";
import { requestTurn } from "../../web/js/frame.js";

const table = (key, rows) => ({ key, name: key, columns: [], rows });
const section = (key, tables) => ({ key, name: key, figures: [], tables });
const CAPS = table("caps", 2000);
const ROWS = table("collections", 300);
const logOf = (...sections) => ({ facts: { sections } });
const LOG = logOf(section("caps", [CAPS]), section("gc", [ROWS]));

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Contents, and the questions that they ask. */
function asking() {
    const questions = [];
    const ask = async (question) => {
        questions.push(question);
        const { from, count } = question;
        const rows = Array.from({ length: Math.min(count, 2000 - from) }, (_, at) => [from + at]);
        return { rows, times: rows.map(() => null), tracks: [], found: 2000, kept: 2000, of: 2000 };
    };
    return { contents: new Contents(ask), questions };
}

test("the same log and the same range change nothing", () => {
    const { contents } = asking();
    const totals = { from: 1, to: 2, facts: { sections: [] } };
    contents.begin(1);
    assert.equal(contents.take({ log: LOG, totals: null }), true);
    assert.equal(contents.take({ log: LOG, totals: null }), false);
    assert.equal(contents.take({ log: LOG, totals }), true);
    assert.equal(contents.take({ log: { ...LOG }, totals }), true);
});

test("nothing of the last log stays when another is shown, and its tables have their own rows", async () => {
    const { contents, questions } = asking();
    contents.begin(1);
    contents.take({ log: LOG, totals: null });
    const rows = contents.rowsOf(CAPS);
    assert.equal(contents.rowsOf(CAPS), rows);
    rows.want(0, 10);
    await settled();
    contents.begin(2);
    assert.deepEqual(contents.facts.sections, []);
    questions.length = 0;
    rows.outdate();
    await settled();
    assert.deepEqual(questions, []);
    contents.take({ log: LOG, totals: null });
    assert.notEqual(contents.rowsOf(CAPS), rows);
});

test("rows are asked for only when they are shown, or needed for printing, up to a bound", async () => {
    const { contents, questions } = asking();
    contents.begin(1);
    contents.take({ log: LOG, totals: null });
    const caps = contents.rowsOf(CAPS);
    await settled();
    assert.deepEqual(questions, []);
    contents.prepareForPaper([CAPS]);
    await settled();
    assert.deepEqual(new Set(questions.map(({ table }) => table)), new Set(["caps"]));
    assert.deepEqual(
        Array.from({ length: PRINTED }, (_, at) => caps.row(at)?.values[0]),
        Array.from({ length: PRINTED }, (_, at) => at),
    );
    assert.equal(caps.row(PRINTED + 100), undefined);
});

test("while a log is read, rows for printing are not asked for", async () => {
    const { contents, questions } = asking();
    contents.begin(1);
    contents.take({ log: LOG, totals: null });
    contents.prepareForPaper([CAPS]);
    await settled();
    questions.length = 0;
    contents.take({ log: { ...LOG }, totals: null });
    await settled();
    assert.deepEqual(questions, []);
    contents.prepareForPaper([CAPS]);
    await settled();
    assert.ok(questions.length > 0);
});

test("rows are asked for of the range, except for tables that no range has", async () => {
    const { contents, questions } = asking();
    contents.begin(1);
    contents.take({ log: LOG, totals: { from: 1, to: 2, facts: { sections: [section("gc", [ROWS])] } } });
    for (const info of [CAPS, ROWS]) contents.rowsOf(info).want(0, 10);
    await settled();
    assert.deepEqual(
        questions.map(({ table, range }) => [table, range]),
        [
            ["caps", false],
            ["collections", true],
        ],
    );
});

/** Frames that come when the test says so. */
function frames() {
    const waiting = new Map();
    let last = 0;
    globalThis.requestAnimationFrame = (paint) => waiting.set(++last, paint) && last;
    globalThis.cancelAnimationFrame = (id) => waiting.delete(id);
    return () => {
        for (const [id, paint] of [...waiting]) {
            waiting.delete(id);
            paint();
        }
    };
}

test("a turn comes after the next frame, in a task of its own, once for all requests", async () => {
    const frame = frames();
    let acts = 0;
    const turn = requestTurn(() => (acts += 1));
    turn();
    turn();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(acts, 0);
    frame();
    assert.equal(acts, 0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(acts, 1);
    frame();
    turn();
    frame();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(acts, 2);
});

test("without a frame, a turn still comes, once", async () => {
    const frame = frames();
    let acts = 0;
    requestTurn(() => (acts += 1))();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(acts, 1);
    frame();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(acts, 1);
});
