import assert from "node:assert/strict";
import { test } from "node:test";
import { Askers } from "../../web/js/worker/askers.js";
import { endSearch, hits, search } from "../../web/js/worker/search.js";

/**
 * An open log in which each of three parts has hits.
 * @param {number[]} found how many hits there are after each part
 */
function opened(found) {
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
    /** @param {() => boolean} isOver */
    const reader = (isOver) => ({ atOnce: 1, part: async () => new Uint8Array(10), free: () => {}, isOver });
    const opening = /** @type {any} */ ({ log, parts: { reader }, askers, isClosed: false, arrangement: {} });
    return { opening, dropped };
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
