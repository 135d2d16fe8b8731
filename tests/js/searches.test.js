import assert from "node:assert/strict";
import { test } from "node:test";
import { Askers } from "../../web/js/worker/askers.js";

// A real channel would keep the test from ending.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage()) };
};
const { endSearch, hits, search } = await import("../../web/js/worker/search.js");

/**
 * An open log in which each of three parts has hits.
 * @param {number[]} found how many hits there are after each part
 * @param {boolean} [isRemote] whether its parts come from a server
 */
function opened(found, isRemote = false) {
    let [given, jobs] = [0, 0];
    /** @type {number[]} */
    const dropped = [];
    const log = {
        /** @param {string} query */
        query_fault: (query) => (query === "longer:" ? { at: 7, reason: "expected a length of time" } : undefined),
        find_names: () => [],
        find: () => {
            given = 0;
            return ++jobs;
        },
        /** @param {number} job */
        job: (job) => ({ reads: dropped.includes(job) || given >= found.length ? [] : [[given * 10, 10]] }),
        give: () => {
            given += 1;
            return true;
        },
        found_so_far: () => ({ total: found[given - 1] ?? 0 }),
        hits_in_buckets: () => new Uint32Array([found[given - 1] ?? 0]),
        /** @type {(arrangement: unknown, job: number) => string[]} */
        hits: (_, job) => [`hit of ${job}`],
        /** @param {number} job */
        drop_job: (job) => dropped.push(job),
    };
    const askers = new Askers();
    const read = { alone: 0, inOrder: 0, ended: 0 };
    /** @param {"alone" | "inOrder"} how */
    const part = (how) => async () => {
        read[how] += 1;
        return new Uint8Array(10);
    };
    const parts = {
        /** @param {() => boolean} isOver */
        reader: (isOver) => ({ atOnce: 1, part: part("alone"), free: () => {}, isOver }),
        ahead: () => ({ part: part("inOrder"), end: async () => (read.ended += 1) }),
    };
    const source = isRemote ? {} : { from: () => {} };
    const opening = /** @type {any} */ ({ log, parts, source, askers, isClosed: false, arrangement: {} });
    return { opening, dropped, read };
}

const WISH = { query: "timeout", near: 0, from: 0, to: 100, buckets: 1 };

test("the first hits are reported at once, all of them at the end", async () => {
    const { opening } = opened([0, 2, 5]);
    /** @type {any[]} */
    const reports = [];
    const isOver = opening.askers.begin("search");
    const report = await search(opening, WISH, { isOver, meanwhile: (said) => reports.push(said) });
    assert.equal(reports[0].found.total, 2);
    assert.deepEqual(report.found, { total: 5 });
    assert.deepEqual([...(report.buckets ?? [])], [5]);
});

test("a file is read by the reader that reads ahead, a server by the one for many parts", async () => {
    for (const isRemote of [false, true]) {
        const { opening, read } = opened([0, 2, 5], isRemote);
        await search(opening, WISH, { isOver: opening.askers.begin("search"), meanwhile: () => {} });
        assert.deepEqual(read, isRemote ? { alone: 3, inOrder: 0, ended: 0 } : { alone: 0, inOrder: 3, ended: 1 });
    }
});

test("a search that is given up no longer reads", async () => {
    const { opening, read } = opened([1, 2, 5]);
    const isOver = opening.askers.begin("search");
    await assert.rejects(search(opening, WISH, { isOver, meanwhile: () => endSearch(opening) }));
    assert.deepEqual(read, { alone: 0, inOrder: 1, ended: 1 });
});

test("a search stays until the next one begins, or it is ended", async () => {
    const { opening, dropped } = opened([1]);
    const call = { isOver: opening.askers.begin("search"), meanwhile: () => {} };
    const wish = { kind: /** @type {const} */ ("message"), from: 0, count: 10 };
    assert.deepEqual(hits(opening, wish), []);
    await search(opening, WISH, call);
    assert.deepEqual([hits(opening, wish), dropped], [["hit of 1"], []]);
    await search(opening, WISH, call);
    assert.deepEqual([hits(opening, wish), dropped], [["hit of 2"], [1]]);
    endSearch(opening);
    assert.deepEqual([hits(opening, wish), dropped, call.isOver()], [[], [1, 2], true]);
});

test("a query that cannot be read gets an error, and ends the search before", async () => {
    const { opening, dropped } = opened([1]);
    const call = { isOver: opening.askers.begin("search"), meanwhile: () => {} };
    await search(opening, WISH, call);
    const report = await search(opening, { ...WISH, query: "longer:" }, call);
    assert.deepEqual([report.fault?.at, report.found, dropped], [7, undefined, [1]]);
});
