// What threads did, on the timeline and in figures; and the way from thread to thread along wake-ups.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { corpus, onPage, openCorpus } from "./support/page.js";
import { described, lane, tracks, until } from "./support/see.js";

const LOG = "threaded";
const { threads } = JSON.parse(readFileSync(corpus(LOG).replace(/log\.eventlog$/, "summary.json"), "utf8"));

/** High enough for all rows to be there, the group of threads unfolded. */
const opened = async (page) => {
    await page.setViewportSize({ width: 1280, height: 1800 });
    await openCorpus(page, LOG);
    await page.getByRole("button", { name: "Threads" }).first().click();
    await until(() => tracks(page), (rows) => rows.some(([name]) => name.startsWith("7 ")));
};

onPage("each thread has a row of its states, folded at first", {}, async (page) => {
    await opened(page);
    const rows = await tracks(page);
    for (const { thread, label } of threads.top) {
        const name = label ? `${thread} ${label}` : `thread ${thread}`;
        assert.ok(rows.some(([row]) => row === name), name);
    }
    const { roles } = await until(() => lane(page, "7 worker 0"), ({ roles }) => roles.includes("blocked"));
    assert.deepEqual(["running", "runnable", "blocked", "foreign"].filter((role) => !roles.includes(role)), []);
    assert.ok(!roles.includes("hatch"), "before it began and after its end it was not there: that is known");
});

onPage("the panel says how long threads were in each state, and why they were blocked", {}, async (page) => {
    await openCorpus(page, LOG);
    await page.click("#tab-threads", { force: true });
    const said = await until(() => page.innerText("#drawer"), (text) => text.includes("Blocked in STM retry"));
    assert.match(said, /Runnable/);
    assert.match(said, /From wake-up to run/);
    const heads = await until(
        () => page.$$eval("#drawer th", (heads) => heads.map((head) => head.textContent.trim())),
        (heads) => heads.includes("Migrated"),
    );
    assert.ok(heads.includes("In foreign calls") && heads.includes("Woken up by"), heads.join());
});

onPage("[ leads to the thread that woke this one up, and ] to whom a thread woke up", {}, async (page) => {
    await opened(page);
    const { left, y, roles } = await until(() => lane(page, "7 worker 0"), ({ roles }) => roles.includes("blocked"));
    await page.mouse.click(left + roles.lastIndexOf("blocked"), y);
    const blocked = await until(() => described(page, "#details").catch(() => null), (details) => details?.fields.State === "blocked");
    assert.equal(blocked.fields.Track, "7 worker 0");
    const waker = blocked.fields["Woken up by"];
    await page.keyboard.press("[");
    const run = await until(() => described(page, "#details"), ({ fields }) => fields.Track !== "7 worker 0");
    assert.equal(run.fields.Thread, waker);
    assert.match(run.title, /^running on HEC \d$/);
    await page.keyboard.press("]");
    const woken = await until(() => described(page, "#details"), ({ title }) => title !== run.title);
    assert.equal(woken.fields["Woken up by"], waker);
    assert.equal(woken.fields.Track, "7 worker 0");
    // On to whom it wakes up when it runs, and to that one's run.
    await page.keyboard.press("]");
    const next = await until(() => described(page, "#details"), ({ fields }) => fields.Track !== "7 worker 0");
    assert.equal(next.fields["Woken up by"], "7");
    await page.keyboard.press("]");
    const ran = await until(() => described(page, "#details"), ({ title }) => title !== next.title);
    assert.match(ran.title, /^running on HEC \d$/);
    assert.equal(ran.fields.Track, next.fields.Track);
});
