import { test } from "node:test";
import assert from "node:assert/strict";

// A real channel would keep the test from ending.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage()) };
};
const { Following } = await import("../../web/js/worker/following.js");

const rest = () => new Promise((resolve) => setTimeout(resolve, 20));

/** A log of three pieces; each is read when the test says so. */
function followed() {
    /** The number of pieces that each job still wants, and the jobs that were dropped. */
    const [left, dropped, given] = [[], [], []];
    const log = {
        replay: () => left.push(3) - 1,
        job: (job) => ({ reads: left[job] > 0 ? [[left[job], 1]] : [], done: 3 - left[job], of: 3 }),
        give: (job) => {
            given.push(job);
            left[job] -= 1;
            return true;
        },
        drop_job: (job) => dropped.push(job),
    };
    const reads = [];
    const told = [];
    const part = () => new Promise((resolve) => reads.push(() => resolve(new Uint8Array(1))));
    let ended = 0;
    const reader = () => ({ part, end: async () => void ended++ });
    const failed = (error) => assert.fail(error);
    const closed = { is: false };
    const following = new Following({ log, reader, isClosed: () => closed.is, tell: (done) => told.push(done), failed });
    return { following, reads, given, dropped, told, closed, ended: () => ended };
}

test("beginning again ends the work begun before", async () => {
    const { following, reads, given, dropped, told } = followed();
    following.begin();
    await rest();
    reads.shift()();
    await rest();
    following.beginAgain();
    // A piece for the first job comes late.
    reads.shift()();
    await rest();
    while (reads.length > 0) {
        reads.shift()();
        await rest();
    }
    assert.deepEqual(given, [0, 1, 1, 1]);
    assert.deepEqual(dropped.toSorted(), [0, 1]);
    assert.equal(told.filter(Boolean).length, 1, "it is done once");
    assert.equal(following.progress, undefined);
});

test("following that was stopped goes on when it begins again", async () => {
    const { following, reads, given } = followed();
    following.begin();
    await rest();
    following.stop();
    reads.shift()();
    await rest();
    assert.deepEqual(following.progress, { share: 0, stopped: true });
    following.beginAgain();
    await rest();
    assert.equal(following.progress?.stopped, false);
    while (reads.length > 0) {
        reads.shift()();
        await rest();
    }
    assert.deepEqual(given, [0, 1, 1, 1]);
    assert.equal(following.progress, undefined);
});

test("following that is done can begin again", async () => {
    const { following, reads, given } = followed();
    following.begin();
    for (let at = 0; at < 6; at += 1) {
        await rest();
        reads.shift()();
        await rest();
        if (at === 2) following.beginAgain();
    }
    assert.deepEqual(given, [0, 0, 0, 1, 1, 1]);
});

test("following that was stopped keeps nothing of a closed log", async () => {
    const { following, reads, closed, ended } = followed();
    following.begin();
    await rest();
    following.stop();
    reads.shift()();
    await rest();
    assert.equal(ended(), 0);
    closed.is = true;
    following.end();
    await rest();
    assert.equal(ended(), 1);
});
