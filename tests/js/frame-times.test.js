import { test } from "node:test";
import assert from "node:assert/strict";
import { frameTimes } from "../bench/frame-times.js";

const event = (name, ts, dur, tid = 1) => ({ name, ph: "X", pid: 1, tid, ts, dur });
const task = (ts, dur, tid) => event("ThreadControllerImpl::RunTask", ts, dur, tid);

test("a frame is all tasks up to the next one's, without waiting for the compositor, whatever the callbacks", () => {
    const trace = [
        task(0, 500),
        task(1000, 5000),
        // The page's callback, and one of the benchmark.
        event("FireAnimationFrame", 1100, 800),
        event("FireAnimationFrame", 2000, 10),
        event("Commit", 4000, 2000),
        task(6500, 1000),
        task(10_000, 4000),
        event("FireAnimationFrame", 10_100, 100),
        event("Commit", 13_000, 1000),
        // Another thread's.
        task(1000, 90_000, 2),
        event("FireAnimationFrame", 1500, 10, 2),
    ];
    assert.deepEqual(frameTimes(trace), [4, 3]);
});
