// The causes of a wait: wake-ups, followed back.

import { test } from "node:test";
import assert from "node:assert/strict";
import { MOST_CAUSES, causesOf, didMeanwhile, isFollowed, isWait, withoutThread } from "../../web/js/causes.js";

/** A span of a thread's own track. */
const span = (track, start, end, role = "running") => ({ track, start, end, role, thread: { track } });

/** A log that answers with these wake-ups, one for each question; it keeps the points that were asked about. */
function answering(...found) {
    const asked = [];
    const ask = async (kind, { track, time, back }) => {
        assert.deepEqual([kind, back], ["woken", true]);
        asked.push([track, time]);
        return found[asked.length - 1];
    };
    return { ask, asked };
}

const woke = (of, moment) => ({ kind: "span", span: of, moment });
const nothing = { kind: "empty" };

test("each thread that woke up the one before, until nobody woke one up", async () => {
    const log = answering(woke(span(2, 40, 60), 50), woke(span(3, 20, 45), 40), nothing);
    const found = await causesOf(span(1, 10, 50, "blocked"), log);
    assert.deepEqual(
        found?.causes.map(({ span, moment }) => [span.track, moment]),
        [
            [2, 50],
            [3, 40],
        ],
    );
    assert.equal(found?.end, "nobody");
    assert.deepEqual(log.asked, [
        [1, 10],
        [2, 40],
        [3, 20],
    ]);
});

test("what ran before the wait began ends it", async () => {
    const log = answering(woke(span(2, 5, 60), 50), woke(span(3, 1, 4), 4));
    const found = await causesOf(span(1, 10, 50, "blocked"), log);
    assert.deepEqual([found?.causes.length, found?.end, log.asked.length], [1, "ran before", 1]);
});

test("it ends where clocks that differ would lead in a circle, and after some", async () => {
    const circle = answering(woke(span(2, 40, 60), 50), woke(span(1, 30, 50), 51), woke(span(2, 40, 60), 50));
    assert.equal((await causesOf(span(1, 10, 50, "blocked"), circle))?.causes.length, 1);
    const long = Array.from({ length: 100 }, (_, at) => woke(span(at + 2, 900 - at, 1000 - at), 950 - at));
    const found = await causesOf(span(1, 10, 1000, "blocked"), answering(...long));
    assert.deepEqual([found?.causes.length, found?.end], [MOST_CAUSES, "more"]);
});

test("an answer that is not known is not that nobody did it", async () => {
    for (const [answer, end] of [
        [nothing, "nobody"],
        [{ kind: "unread" }, "unknown"],
        [{ kind: "unknown" }, "unknown"],
    ])
        assert.deepEqual(await causesOf(span(1, 10, 50, "blocked"), answering(answer)), { causes: [], end });
});

test("a wake-up before the wait began did not end it", async () => {
    const log = answering(woke(span(2, 5, 9), 9));
    assert.deepEqual(await causesOf(span(1, 10, 50, "blocked"), log), { causes: [], end: "nobody" });
    // A wait for a capability begins with its wake-up.
    const found = await causesOf(span(1, 10, 50, "runnable"), answering(woke(span(2, 5, 12), 10)));
    assert.equal(found?.causes.length, 1);
});

test("a wait that no thread ended says so, if its details do; one that has not ended says nothing", () => {
    const start = { name: "Start", kind: "time", value: 5 };
    const text = (role, name, value) => withoutThread({ role, fields: name ? [start, { name, kind: "text", value }] : [start] });
    assert.match(text("blocked", "Woken up on", 0), /^No thread woke it up/);
    assert.match(text("runnable", "Woken up by", "the runtime"), /^No thread woke it up/);
    assert.match(text("blocked"), /^No wake-up was logged/);
    assert.equal(text("blocked", "Woken up by", 7), null);
    assert.equal(text("blocked", "Ended", "not before the log ends"), null);
    assert.equal(text("runnable"), null);
});

test("what a cause did is said with its reason", () => {
    assert.equal(didMeanwhile({ state: "blocked", title: "blocked on an MVar" }), "blocked on an MVar");
    assert.equal(didMeanwhile({ state: "Running", title: "" }), "running");
});

test("the span's own log has to be followed, whichever is on the screen", () => {
    const logs = { 1: { log: { following: { share: 0.5 } } }, 2: { log: {} } };
    assert.deepEqual(
        [1, 2].map((log) => isFollowed({ logs, span: { log } })),
        [false, true],
    );
    assert.ok(!isFollowed({ logs, span: null }));
});

test("an answer that is no longer wanted gives none", async () => {
    assert.equal(await causesOf(span(1, 10, 50, "blocked"), answering(null)), null);
});

test("only a thread's own row has waits", () => {
    assert.ok(isWait(span(1, 0, 1, "blocked")));
    assert.ok(isWait(span(1, 0, 1, "runnable")));
    assert.ok(!isWait(span(1, 0, 1, "running")));
    assert.ok(!isWait({ ...span(1, 0, 1, "blocked"), thread: { track: 2 } }));
});
