// What threads did, on the timeline and in figures; and the way from thread to thread along wake-ups.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chooseTab, corpus, onPage, openCorpus } from "./support/page.js";
import { described, lane, readTime, select, stretch, tracks, until } from "./support/see.js";
import { LEFT, view, width } from "./support/view.js";

const LOG = "threaded";
const {
    threads,
    log: { extent_ns: LENGTH },
} = JSON.parse(readFileSync(corpus(LOG).replace(/log\.eventlog$/, "summary.json"), "utf8"));

/** High enough for all rows to be there, the group of threads unfolded. */
const opened = async (page) => {
    await page.setViewportSize({ width: 1280, height: 1800 });
    await openCorpus(page, LOG);
    await page.getByRole("button", { name: "Threads" }).first().click();
    await until(
        () => tracks(page),
        (rows) => rows.some(([name]) => name.startsWith("7 ")),
    );
};

onPage("each thread has a row of its states, folded at first", {}, async (page) => {
    await opened(page);
    const rows = await tracks(page);
    for (const { thread, label } of threads.top) {
        const name = label ? `${thread} ${label}` : `thread ${thread}`;
        assert.ok(
            rows.some(([row]) => row === name),
            name,
        );
    }
    const { roles } = await until(
        () => lane(page, "7 worker 0"),
        ({ roles }) => roles.includes("blocked"),
    );
    assert.deepEqual(
        ["running", "runnable", "blocked", "foreign"].filter((role) => !roles.includes(role)),
        [],
    );
    assert.ok(!roles.includes("foreign-of-runtime"));
    const manager = rows.find(([row]) => /IOManager/.test(row))?.[0];
    assert.ok(manager);
    const waiting = (await lane(page, manager)).roles;
    assert.ok(waiting.includes("foreign-of-runtime") && !waiting.includes("foreign"), "the runtime's own threads are quiet");
    assert.ok(!roles.includes("hatch"), "before it began and after its end it was not there: that is known");
});

onPage("the panel says how long threads were in each state, and why they were blocked", {}, async (page) => {
    await openCorpus(page, LOG);
    await chooseTab(page, "threads");
    const said = await until(
        () => page.innerText("#drawer"),
        (text) => text.includes("Blocked in STM retry"),
    );
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
    const { left, y, roles } = await until(
        () => lane(page, "7 worker 0"),
        ({ roles }) => roles.includes("blocked"),
    );
    await page.mouse.click(left + roles.lastIndexOf("blocked"), y);
    const blocked = await until(
        () => described(page, "#details").catch(() => null),
        (details) => details?.fields.State === "blocked",
    );
    assert.equal(blocked.fields.Track, "7 worker 0");
    const waker = blocked.fields["Woken up by"];
    await page.keyboard.press("[");
    const run = await until(
        () => described(page, "#details"),
        ({ fields }) => fields.Track !== "7 worker 0",
    );
    assert.equal(run.fields.Thread, waker.split(" ")[0]);
    assert.match(run.title, /^running on capability \d$/);
    await page.keyboard.press("]");
    const woken = await until(
        () => described(page, "#details"),
        ({ title }) => title !== run.title,
    );
    assert.equal(woken.fields["Woken up by"], waker);
    assert.equal(woken.fields.Track, "7 worker 0");
    // On to the thread that it wakes up when it runs, and to that one's run.
    await page.keyboard.press("]");
    const next = await until(
        () => described(page, "#details"),
        ({ fields }) => fields.Track !== "7 worker 0",
    );
    assert.equal(next.fields["Woken up by"], "7 worker 0");
    await page.keyboard.press("]");
    const ran = await until(
        () => described(page, "#details"),
        ({ title }) => title !== next.title,
    );
    assert.match(ran.title, /^running on capability \d$/);
    assert.equal(ran.fields.Track, next.fields.Track);
});

onPage("a row of a thread shows all of its life, or as much of it as is in the selected range", {}, async (page) => {
    await openCorpus(page, LOG);
    await chooseTab(page, "threads");
    const { thread, label, created_ns: created, finished_ns: finished } = threads.top.find(({ label }) => label?.startsWith("worker "));
    const [begin, end] = [created, finished].map((time) => time / LENGTH);
    const row = page.getByRole("grid", { name: "Threads", exact: true }).locator("tbody tr", { hasText: label });
    await row.click();
    await until(
        () => described(page, "#details").catch(() => null),
        (details) => details?.fields.Track === `${thread} ${label}`,
    );
    const life = await view(page, (seen) => seen.from < begin && seen.to > end && seen.to < 0.99);
    assert.ok(width(life) < 1.3 * (end - begin), JSON.stringify(life));
    // A range that the thread was there for: the view stays with it.
    const { y } = await lane(page, `${thread} ${label}`);
    await select(page, LEFT + 400, LEFT + 500, y);
    await row.click();
    const part = await view(page, (seen) => width(seen) < width(life) / 4);
    assert.ok(part.from > life.from && part.to < life.to, JSON.stringify(part));
});

onPage("a row of the longest waits selects the wait on its thread's row, and the keys go on from there", {}, async (page) => {
    await openCorpus(page, LOG);
    await chooseTab(page, "threads");
    const grid = page.getByRole("grid", { name: "Longest waits" });
    await grid.locator("tbody tr").first().waitFor();
    const cells = (await grid.locator("tbody tr").first().locator("td, th").allTextContents()).map((text) => text.trim());
    const [, blocked, thread, label] = cells;
    await grid.focus();
    await page.keyboard.press("Enter");
    const wait = await until(
        () => described(page, "#details").catch(() => null),
        (details) => details?.fields.State === "blocked",
    );
    assert.equal(wait.fields.Track, label ? `${thread} ${label}` : `thread ${thread}`);
    assert.equal(wait.fields.Duration, blocked);
    // Its group was folded, and its row may have been anywhere: now it is in view, with all of the wait.
    const { left, roles } = await until(
        () => lane(page, wait.fields.Track),
        ({ roles }) => roles.includes("blocked"),
    );
    const { from, to } = await stretch(page, wait.fields.Track, "blocked");
    assert.ok(from > left + 2 && to < left + roles.length - 2, `${from} to ${to}`);
    await page.keyboard.press("[");
    await until(
        () => described(page, "#details"),
        ({ title }) => title !== wait.title,
    );
});

onPage("T leads from a thread's run to its capability's lane, and back", {}, async (page) => {
    await opened(page);
    const { left, y, roles } = await until(
        () => lane(page, "7 worker 0"),
        ({ roles }) => roles.includes("running"),
    );
    await page.mouse.click(left + roles.lastIndexOf("running"), y);
    const run = await until(
        () => described(page, "#details").catch(() => null),
        (details) => details?.fields.State === "running",
    );
    await page.keyboard.press("t");
    const onLane = await until(
        () => described(page, "#details"),
        ({ fields }) => fields.Track === run.fields.On.replace("cap", "Capability"),
    );
    assert.deepEqual([onLane.fields.Thread, onLane.fields.Start, onLane.fields.End], ["7", run.fields.Start, run.fields.End]);
    await page.keyboard.press("t");
    const back = await until(
        () => described(page, "#details"),
        ({ fields }) => fields.Track === "7 worker 0",
    );
    assert.deepEqual(back, run);
});

/** Whether the canvas has the colour of text between two heights, in one column of its pixels: an arrow does. */
const hasArrow = (page, from, to) =>
    page.evaluate(
        ([from, to]) => {
            const text = Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue("--text").trim().slice(1), 16);
            const canvas = document.getElementById("canvas");
            const box = canvas.getBoundingClientRect();
            const [y, height] = [Math.round(from - box.top), Math.round(to - from)];
            const { data, width } = canvas.getContext("2d").getImageData(0, y, canvas.width, height);
            const isText = (at) => ((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]) === text;
            return Array.from({ length: width }, (_, x) => x).some((x) =>
                Array.from({ length: height }, (_, y) => y).every((y) => isText((y * width + x) * 4)),
            );
        },
        [from, to],
    );

onPage("an arrow leads to a thread from the one that woke it up, and goes with the selection", {}, async (page) => {
    await opened(page);
    const { left, y, roles } = await until(
        () => lane(page, "7 worker 0"),
        ({ roles }) => roles.includes("blocked"),
    );
    const above = await lane(page, "thread 1").catch(() => lane(page, "1 main"));
    const [from, to] = [above.y, y].sort((a, b) => a - b);
    // Between two rows that the arrow crosses, nothing else has that colour.
    const middle = [(from + to) / 2 - 4, (from + to) / 2 + 4];
    assert.equal(await hasArrow(page, ...middle), false);
    await page.mouse.click(left + roles.lastIndexOf("blocked"), y);
    await until(
        () => described(page, "#details").catch(() => null),
        (details) => details?.fields.State === "blocked",
    );
    await page.mouse.move(left + 5, y - 400);
    await until(
        () => hasArrow(page, y - 40, y - 32),
        (arrow) => arrow,
    );
    await page.keyboard.press("Escape");
    await until(
        () => hasArrow(page, y - 40, y - 32),
        (arrow) => !arrow,
    );
});

onPage("rows of threads are sorted, filtered and grouped by label, and all come back", {}, async (page) => {
    await opened(page);
    const all = await threadRows(page);
    await page.getByRole("button", { name: "Rows…" }).click();
    const dialog = page.getByRole("dialog", { name: "Rows of threads" });
    const said = () => dialog.getByRole("status").textContent();
    assert.equal(await said(), `${all.length} of ${all.length} threads are shown`);
    await dialog.getByRole("button", { name: "time running" }).click();
    const longest = threads.top.toSorted((one, other) => other.running_ns - one.running_ns)[0];
    await until(
        () => threadRows(page),
        ([first]) => first.startsWith(`${longest.thread} `) || first === `thread ${longest.thread}`,
    );
    await dialog.getByRole("searchbox", { name: "Number or label" }).pressSequentially("WORKER");
    const workers = all.filter((name) => name.includes("worker"));
    await until(said, (text) => text === `${workers.length} of ${all.length} threads are shown`);
    await until(
        () => threadRows(page),
        (rows) => rows.toSorted().join() === workers.toSorted().join(),
    );
    await dialog.getByRole("button", { name: "Show all" }).click();
    await until(
        () => threadRows(page),
        (rows) => rows.join() === all.join(),
    );
    assert.equal(await dialog.getByRole("searchbox").textContent(), "");
    // The choice is about the selected range.
    await dialog.getByRole("button", { name: "together in one row that unfolds" }).click();
    const grouped = await until(
        () => threadRows(page),
        (rows) => rows.some((row) => row.startsWith("▸ ")),
    );
    await dialog.getByRole("button", { name: "Close" }).click();
    const folded = grouped.find((row) => row.startsWith("▸ "));
    const row = page.getByRole("button", { name: folded });
    await row.focus();
    await page.keyboard.press("ArrowRight");
    const unfolded = await until(
        () => threadRows(page),
        (rows) => rows.length > grouped.length,
    );
    const members = Number(/\((\d+)\)$/.exec(folded)[1]);
    assert.equal(unfolded.length, grouped.length + members);
    await page.getByRole("button", { name: folded.replace("▸", "▾") }).click();
    await until(
        () => threadRows(page),
        (rows) => rows.join() === grouped.join(),
    );
});

/** The names of the rows below the heading of threads. */
async function threadRows(page) {
    return (await tracks(page, '#headers .rows[aria-label="Threads"]')).map(([name]) => name);
}

onPage("if wake-ups lead to a hidden thread, all threads are shown again", {}, async (page) => {
    await opened(page);
    await page.getByRole("button", { name: "Rows…" }).click();
    const dialog = page.getByRole("dialog", { name: "Rows of threads" });
    await dialog.getByRole("searchbox").pressSequentially("worker 0");
    await until(
        () => threadRows(page),
        (rows) => rows.length === 1,
    );
    await dialog.getByRole("button", { name: "Close" }).click();
    const { left, y, roles } = await until(
        () => lane(page, "7 worker 0"),
        ({ roles }) => roles.includes("blocked"),
    );
    await page.mouse.click(left + roles.lastIndexOf("blocked"), y);
    const { fields } = await until(
        () => described(page, "#details").catch(() => null),
        (details) => details?.fields.State === "blocked",
    );
    await page.keyboard.press("[");
    await until(
        () => described(page, "#details"),
        (details) => details.fields.Thread === fields["Woken up by"].split(" ")[0],
    );
    // Rows come a moment after the details of one of them.
    await until(
        () => threadRows(page),
        (rows) => rows.length > 1,
    );
});

onPage("a selected wait lists its causes: each one leads to what that thread did", {}, async (page) => {
    await opened(page);
    const { left, y, roles } = await until(
        () => lane(page, "7 worker 0"),
        ({ roles }) => roles.includes("blocked"),
    );
    await page.mouse.click(left + roles.lastIndexOf("blocked"), y);
    const causes = page.locator("#details log-causes li");
    await causes.first().waitFor();
    const wait = await described(page, "#details");
    assert.equal(await causes.first().locator("button").textContent(), wait.fields["Woken up by"]);
    assert.match(await causes.first().textContent(), /woke it up at .*; running/);
    await causes.first().locator("button").click();
    // As the key does; and a run has no causes.
    const run = await until(
        () => described(page, "#details"),
        ({ fields }) => fields.Track !== wait.fields.Track,
    );
    assert.equal(run.fields.Track, wait.fields["Woken up by"]);
    assert.equal(await causes.count(), 0);
});

onPage("a selected wait that no thread ended says so, and blames none that woke the thread up before", {}, async (page) => {
    await page.setViewportSize({ width: 1280, height: 1800 });
    await openCorpus(page, "blocked-io");
    await page.getByRole("button", { name: "Threads" }).first().click();
    const { left, y, roles } = await until(
        () => lane(page, "thread 1"),
        ({ roles }) => roles.includes("blocked"),
    );
    for (const at of [roles.indexOf("blocked"), roles.lastIndexOf("blocked")]) {
        await page.mouse.click(left + at, y);
        const text = await until(
            () => page.locator("#details log-causes").innerText(),
            (text) => text !== "",
        );
        assert.equal((await described(page, "#details")).title, "blocked in threadDelay");
        assert.match(text, /No wake-up was logged: the runtime, a timer, input or an exception ended this wait\.$/);
        assert.equal(await page.locator("#details log-causes li").count(), 0);
        await page.keyboard.press("Escape");
    }
});

onPage("the row of a thread says in a sentence what it did", {}, async (page) => {
    await opened(page);
    const row = page.locator("#headers .track", { hasText: "7 worker 0" }).first();
    await row.hover();
    const text = await until(
        () => page.textContent("#tooltip"),
        (text) => text.includes("of its life"),
    );
    assert.match(text, /(Ran|Was blocked|Could run and waited for a capability or a collection) \d+ % of its life/);
    assert.match(text, /\(mostly (on|in) /);
});

onPage("a selected idle time says why the capability was idle, and for how long each", {}, async (page) => {
    await openCorpus(page, LOG);
    const { left, y, roles } = await until(
        () => lane(page, "Capability 1"),
        ({ roles }) => roles.includes("running"),
    );
    // The longest one: idle time has the colour of the ground.
    const runs = [
        ...roles
            .map((role) => (role === "panel" ? "i" : "-"))
            .join("")
            .matchAll(/i+/g),
    ];
    const longest = runs.reduce((best, run) => (run[0].length > best[0].length ? run : best));
    await page.mouse.click(left + longest.index + longest[0].length / 2, y);
    const reasons = page.locator("#details log-idle li");
    await reasons.first().waitFor();
    const { fields } = await described(page, "#details");
    const times = await Promise.all((await reasons.locator(".muted").allTextContents()).map(async (text) => readTime(text).ns));
    const sum = times.reduce((sum, time) => sum + time, 0);
    const whole = readTime(fields.Duration).ns;
    assert.ok(Math.abs(sum - whole) <= whole / 500, `${sum} of ${whole}`);
    assert.match(await reasons.first().textContent(), /blocked|can run|collection|no other thread/);
});
