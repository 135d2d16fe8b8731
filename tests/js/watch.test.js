// In these tests, time passes only with the beats of the watch.

import { afterEach, test } from "node:test";
import assert from "node:assert/strict";
import { Watch } from "../../web/js/watch.js";

const real = { setTimeout, clearTimeout };
afterEach(() => Object.assign(globalThis, real));

/** A watch over a worker that answers at once while it is alive; and a function that lets seconds pass. */
function watched({ lives = true, busy = false } = {}) {
    const timers = [];
    globalThis.setTimeout = (act, ms) => timers.push({ act, ms });
    globalThis.clearTimeout = (id) => id && timers.splice(id - 1, 1);
    const seconds = (count) => {
        for (let second = 0; second < count; second++) {
            for (const { act, ms } of timers.splice(0)) {
                assert.equal(ms, 1000);
                act();
            }
        }
    };
    const worker = { lives, busy, asked: 0, died: 0 };
    const watch = new Watch(
        () => {
            worker.asked += 1;
            if (worker.lives) watch.lives();
        },
        () => worker.busy,
        () => (worker.died += 1),
    );
    return { worker, watch, seconds };
}

test("a worker without questions is left alone", () => {
    const { worker, seconds } = watched();
    seconds(100);
    assert.equal(worker.asked, 0);
});

test("a worker with a question is asked for a sign of life, and left alone once it has given it", () => {
    const { worker, watch, seconds } = watched();
    for (const times of [1, 2]) {
        watch.begin();
        watch.begin();
        seconds(100);
        assert.equal(worker.asked, times);
    }
    assert.equal(worker.died, 0);
});

test("a worker that is busy is asked again and again until it is done", () => {
    const { worker, watch, seconds } = watched({ busy: true });
    watch.begin();
    seconds(1000);
    assert.equal(worker.asked, 1000);
    worker.busy = false;
    seconds(1000);
    assert.equal(worker.asked, 1000);
    assert.equal(worker.died, 0);
});

test("a worker that falls silent is dead after ten seconds, once", () => {
    const { worker, watch, seconds } = watched({ busy: true });
    watch.begin();
    seconds(5);
    worker.lives = false;
    seconds(10);
    assert.equal(worker.died, 0);
    assert.ok(watch.doubtful);
    seconds(1);
    assert.equal(worker.died, 1);
    seconds(100);
    assert.equal(worker.died, 1);
});

test("a worker that dies while idle is found dead at the next question", () => {
    const { worker, watch, seconds } = watched();
    watch.begin();
    seconds(100);
    worker.lives = false;
    watch.begin();
    seconds(100);
    assert.equal(worker.died, 1);
});

test("a worker has half a minute to start", () => {
    const { worker, watch, seconds } = watched({ lives: false });
    watch.begin();
    seconds(30);
    assert.ok(!watch.doubtful);
    assert.equal(worker.died, 0);
    seconds(1);
    assert.equal(worker.died, 1);
});

test("a worker that dies after it has started is dead after ten seconds", () => {
    const { worker, watch, seconds } = watched({ lives: false });
    watch.lives();
    watch.begin();
    seconds(10);
    assert.equal(worker.died, 0);
    seconds(1);
    assert.equal(worker.died, 1);
});

test("a worker that answers late is alive", () => {
    const { worker, watch, seconds } = watched({ busy: true });
    watch.begin();
    seconds(1);
    worker.lives = false;
    for (let round = 0; round < 10; round++) {
        seconds(8);
        for (let owed = 0; owed < 8; owed++) watch.lives();
    }
    assert.ok(!watch.doubtful);
    assert.equal(worker.died, 0);
});

test("after the end of one worker the next is watched as if it were the first", () => {
    const { worker, watch, seconds } = watched({ busy: true });
    watch.begin();
    seconds(3);
    worker.lives = false;
    seconds(9);
    watch.end();
    assert.ok(!watch.doubtful);
    seconds(100);
    assert.equal(worker.died, 0);
    watch.begin();
    seconds(30);
    assert.equal(worker.died, 0);
    seconds(1);
    assert.equal(worker.died, 1);
});
