import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "../../web/js/worker/turns.js";

/** Whether a promise is settled by now. */
const isSettled = (promise) => Promise.race([promise.then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))]);

test("the worker rests after a report to the page, until the page has drawn it", async () => {
    const turns = new Turns();
    assert(await isSettled(turns.own()));
    turns.give();
    turns.give();
    const waiting = turns.own();
    assert(!(await isSettled(waiting)));
    turns.take();
    assert(await isSettled(waiting));
    assert(await isSettled(turns.own()));
});

test("the worker does not wait forever for a page that draws nothing", async ({ mock }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const turns = new Turns();
    turns.give();
    const waiting = turns.own();
    mock.timers.tick(149);
    assert(!(await isSettled(waiting)));
    mock.timers.tick(1);
    assert(await isSettled(waiting));
});

test("a late end of one turn does not end the next one", async ({ mock }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const turns = new Turns();
    turns.give();
    mock.timers.tick(100);
    turns.take();
    turns.give();
    const waiting = turns.own();
    mock.timers.tick(60);
    assert(!(await isSettled(waiting)));
    mock.timers.tick(90);
    assert(await isSettled(waiting));
});
