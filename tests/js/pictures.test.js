import assert from "node:assert/strict";
import { test } from "node:test";

// Messages come one turn after those already waiting, as in browsers.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
};
const { Pictures } = await import("../../web/js/worker/pictures.js");

/** Tracks without an image: the tests are about when they are asked for. */
const tracksOf = (...ids) => ids.map((id) => ({ id, colours: [], height: 30 }));

/** Like `Log`, with strips that take `ms` each; it notes the job of each. */
function slowLog(ms) {
    const made = [];
    return {
        made,
        window(_, job, id) {
            const until = performance.now() + ms;
            while (performance.now() < until);
            made.push({ id, job });
            return { exact: true, states: 1, shares: new Uint8Array() };
        },
    };
}

const plan = (job) => ({ job, from: 0, to: 100, width: 10 });
const never = () => false;

/** Calls `act` in every other turn until `over`. */
async function meanwhile(over, act) {
    let turns = 0;
    let isOver = false;
    void over.finally(() => (isOver = true));
    const late = performance.now() + 5000;
    while (!isOver) {
        assert.ok(performance.now() < late, "it never ends");
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
        act?.();
    }
    return turns;
}

test("other questions get turns while a picture is made, but not while its log is read", async () => {
    const ids = Array.from({ length: 20 }, (_, id) => id);
    const turns = async (rests) => meanwhile(new Pictures(slowLog(4), {}, () => rests, never).make(plan(1), tracksOf(...ids), never));
    // Twenty strips of 4 ms each, and a rest after every second one.
    assert.ok((await turns(true)) >= 8);
    assert.ok((await turns(false)) <= 2);
});

test("each strip is made for its own picture, whatever other pictures are asked for meanwhile", async () => {
    const log = slowLog(4);
    const pictures = new Pictures(log, {}, () => true, never);
    const both = Promise.all([pictures.make(plan(1), tracksOf(1, 2, 3, 4, 5, 6), never), pictures.make(plan(2), tracksOf(7, 8), never)]);
    await meanwhile(both);
    assert.deepEqual(
        log.made.map(({ id }) => id),
        [1, 2, 3, 4, 5, 6, 7, 8],
        "one picture after the other",
    );
    for (const { id, job } of log.made) assert.equal(job, id < 7 ? 1 : 2);
    const [first, second] = await both;
    assert.deepEqual([...first.tracks.keys()], [1, 2, 3, 4, 5, 6]);
    assert.deepEqual([...second.tracks.keys()], [7, 8]);
});

test("a picture that is no longer wanted is not begun, nor finished; the newest one is", async () => {
    const log = slowLog(4);
    const pictures = new Pictures(log, {}, () => true, never);
    let newest = 1;
    const ask = (number) =>
        pictures.make(plan(number), tracksOf(...Array.from({ length: 6 }, (_, at) => number * 10 + at)), () => number !== newest);
    const asked = [ask(1), ask(2), ask(3)];
    setImmediate(() => (newest = 3));
    const [first, second, third] = await Promise.all(asked);
    assert.equal(first, null);
    assert.equal(second, null);
    assert.equal(third.tracks.size, 6);
    const made = (number) => log.made.filter(({ id }) => Math.floor(id / 10) === number).length;
    assert.ok(made(1) > 0 && made(1) < 6, `${made(1)} strips were made of what was overtaken`);
    assert.equal(made(2), 0);
});

test("a closed log is asked nothing", async () => {
    const log = slowLog(4);
    let isClosed = false;
    const pictures = new Pictures(
        log,
        {},
        () => true,
        () => isClosed,
    );
    const made = pictures.make(plan(1), tracksOf(1, 2, 3, 4, 5, 6), never);
    await meanwhile(made, () => (isClosed = true));
    assert.equal(await made, null);
    assert.ok(log.made.length < 6, `${log.made.length} strips were made`);
});

test("a failure of one picture does not affect the next one", async () => {
    const log = slowLog(0);
    const { window } = log;
    log.window = (...asked) => {
        log.window = window;
        assert.fail(`a mistake at ${asked[2]}`);
    };
    const pictures = new Pictures(log, {}, () => true, never);
    const [failed, next] = [pictures.make(plan(1), tracksOf(1), never), pictures.make(plan(2), tracksOf(2), never)];
    await assert.rejects(failed, /a mistake at 1/);
    assert.equal((await next).tracks.size, 1);
});
