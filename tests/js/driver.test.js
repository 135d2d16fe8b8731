// The loop that reads parts of a log for a job.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Overtaken, drive } from "../../web/js/worker/driver.js";
import { lookAt } from "../../web/js/worker/looking.js";

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A reader that reads parts as the test says, and notes them. */
function reading(part = async (_, length) => new Uint8Array(length)) {
    const its = { atOnce: 4, asked: [], freed: 0, over: false };
    its.part = (offset, length) => {
        its.asked.push([offset, length]);
        return part(offset, length);
    };
    its.free = () => its.freed++;
    its.isOver = () => its.over;
    return its;
}

/** A job that wants some parts, and then some others. */
function wanting(...rounds) {
    const its = { given: [], done: 0 };
    its.wants = () => ({ reads: rounds[its.done] ?? [] });
    its.give = (offset) => {
        its.given.push(offset);
        if (rounds[its.done].at(-1)[0] === offset) its.done += 1;
        return true;
    };
    return its;
}

test("a job is given the parts that it wants until it wants none", async () => {
    const [reader, job] = [reading(), wanting([[0, 1]], [[[7, 2]], [[9, 3]]].flat())];
    assert.equal(await drive(job, reader), true);
    assert.deepEqual(reader.asked, [
        [0, 1],
        [7, 2],
        [9, 3],
    ]);
    assert.deepEqual([job.given, reader.freed], [[0, 7, 9], 3]);
});

test("a job that has given up gets nothing more, and drive says so", async () => {
    const job = wanting([[0, 1]]);
    const { wants } = job;
    job.wants = () => ({ ...wants(), gaveUp: job.done > 0 });
    assert.equal(await drive(job, reading()), false);
    assert.deepEqual(job.given, [0]);
});

test("a job that is no longer wanted is given nothing, and reads nothing more", async () => {
    const waiting = [];
    const reader = reading(() => new Promise((resolve) => waiting.push(() => resolve(new Uint8Array(1)))));
    reader.atOnce = 1;
    const job = wanting([
        [0, 1],
        [1, 1],
    ]);
    const driven = drive(job, reader);
    reader.over = true;
    waiting.shift()();
    await assert.rejects(driven, Overtaken);
    assert.deepEqual([job.given, reader.asked.length, reader.freed], [[], 1, 1]);
});

test("a log that has changed is not read further", async () => {
    const reader = reading();
    reader.atOnce = 1;
    const job = {
        wants: () => ({
            reads: [
                [0, 1],
                [1, 1],
            ],
        }),
        give: () => false,
    };
    await assert.rejects(drive(job, reader), /the log was changed/);
    assert.equal(reader.asked.length, 1);
});

test("once a part could not be read, the job, which may be gone, is not given those that come later", async () => {
    const waiting = [];
    const reader = reading(() => new Promise((resolve, reject) => waiting.push({ resolve, reject })));
    const job = wanting([
        [0, 1],
        [1, 1],
    ]);
    const driven = drive(job, reader);
    waiting[0].reject(new Error("gone"));
    await assert.rejects(driven, /gone/);
    waiting[1].resolve(new Uint8Array(1));
    await settled();
    assert.deepEqual(job.given, []);
});

test("a look that shows too little is longer the next time, and one that fails leaves the others alone", async () => {
    const reader = reading(async (offset, length) => {
        if (offset === 20) throw new Error("gone");
        return new Uint8Array(length);
    });
    const looks = [];
    const log = { look: (offset, { length }) => looks.push([offset, length]) && length > 1 };
    const at = (offset, length) => ({ offset, length, longer: 2 * length });
    await lookAt([at(90, 1), at(10, 5), at(20, 5), at(30, 1)], log, reader);
    assert.deepEqual(looks, [
        [90, 1],
        [90, 2],
        [10, 5],
        [30, 1],
        [30, 2],
    ]);
});
