// The list of events: its order, the query that filters it, its columns, all of the chosen event, and how it goes with the timeline.

import { after } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeLarge } from "./support/eventlog.js";
import { choose, chooseTab, onPage, openCorpus, state } from "./support/page.js";
import { lane, readTime, tablesSettled, until } from "./support/see.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));

const LIST = "log-events log-table";
const FIELD = "log-query .search";

const rows = (page) =>
    page.$$eval(`${LIST} tbody tr`, (all) =>
        all.map((row) =>
            [...row.children].map((cell) =>
                cell.textContent
                    .replaceAll("\u202f", "")
                    .replace(/[ \n]+/g, " ")
                    .trim(),
            ),
        ),
    );

/** The rows of the list. As long as it asks for others, those of the query before are still there. */
async function settled(page) {
    await tablesSettled(page);
    return until(
        () => rows(page),
        (all) => all.length > 0 && all.every(([time]) => time !== "…"),
    );
}

const heads = (page) => page.$$eval(`${LIST} thead th`, (all) => all.map((head) => head.textContent.trim()));
const status = (page) => page.innerText("#events-status").then((text) => text.replaceAll("\u202f", " "));

async function openList(page) {
    await chooseTab(page, "events");
    await settled(page);
}

/** Types a query, and waits until all events that fit it have been counted. */
async function filter(page, query) {
    await page.focus(FIELD);
    await page.keyboard.press("Control+A");
    await page.keyboard.type(query);
    await page.keyboard.press("Enter");
    // Until then, the status is that of the query before.
    await until(
        () => page.$eval("log-events", ({ rows, counting }) => ({ query: rows.query, state: counting?.state })),
        (now) => now.query === query && now.state === "done",
    );
    return status(page);
}

onPage("events come in order of time, or of the file; the choice is remembered", { restarts: true }, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    const inOrder = (all, column, key = Number) => all.every((row, at) => at === 0 || key(row[column]) >= key(all[at - 1][column]));
    const ns = (text) => readTime(text).ns;
    assert.ok(inOrder(await settled(page), 0, ns));
    // Somewhere, capabilities' blocks overlap.
    await page.focus(`${LIST} table`);
    let there = await settled(page);
    for (let pages = 0; pages < 100 && inOrder(there, 7); pages++) {
        await page.keyboard.press("PageDown");
        there = await settled(page);
    }
    assert.ok(!inOrder(there, 7), "all is in the order of the file");
    assert.ok(inOrder(there, 0, ns), "it is in order of time there, too");
    await page.keyboard.press("Home");
    await page.selectOption("log-events .order select", { label: "the file" });
    await until(
        () => settled(page),
        (all) => all[0][7] === "1" && inOrder(all, 7),
    );
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, "threaded");
    await openList(page);
    assert.equal(await page.$eval("log-events .order select", (select) => select.value), "");
});

onPage("a query filters the list, with the completions of the search field, and says how many fit", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    await page.focus(FIELD);
    await page.keyboard.type("type:GC_ST");
    await until(
        () => page.$$eval("#query-suggestions li .text", (all) => all.map((one) => one.textContent)),
        (all) => all.some((text) => text.includes("GC_START")),
    );
    while (
        (await page.$eval("#query-suggestions [aria-selected=true] .text", (one) => one.textContent).catch(() => "")) !== "type:GC_START"
    ) {
        await page.keyboard.press("ArrowDown");
        assert.ok(await page.isVisible("#query-suggestions"));
    }
    await page.keyboard.press("Enter");
    await until(
        () => page.innerText(FIELD),
        (text) => text.trim() === "type:GC_START",
    );
    await page.keyboard.press("Enter");
    await until(
        () => status(page),
        (text) => text === "79 events",
    );
    // The rows come after their number.
    await until(
        () => page.innerText(`${LIST} .table-bar .muted`),
        (text) => /^79 of 1.644 events$/.test(text),
    );
    assert.deepEqual([...new Set((await settled(page)).map((row) => row[4]))], ["GC_START"]);
    // The types that are chosen and the query both hold.
    await filter(page, "cap:0 type:thread");
    const some = await settled(page);
    assert.ok(
        some.every((row) => row[1] === "cap 0" && /THREAD/.test(row[4])),
        JSON.stringify(some[0]),
    );
    await page.click("log-events button:text('All events')");
    await until(
        () => page.innerText(`${LIST} .table-bar .muted`),
        (text) => /^1.644 events$/.test(text),
    );
    assert.equal((await page.innerText(FIELD)).trim(), "");
});

onPage("Enter twice takes a suggestion and filters, even before other suggestions come", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    await page.focus(FIELD);
    await page.keyboard.type("type:GC_STAR");
    await until(
        () => page.$$eval("#query-suggestions li .text", (all) => all.map((one) => one.textContent)),
        (all) => all.join() === "type:GC_START",
    );
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("#query-suggestions [aria-selected=true]");
    // In one task: no answer of the worker comes in between.
    await page.$eval(FIELD, (field) => {
        for (let times = 0; times < 2; times++) field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    });
    await until(
        () => status(page),
        (text) => text === "79 events",
    );
    assert.equal((await page.innerText(FIELD)).trim(), "type:GC_START");
});

onPage("what is no query is explained, and the list stays", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    await page.focus(FIELD);
    await page.keyboard.type("cap:0 longer:soon");
    await page.keyboard.press("Enter");
    const said = await until(
        () => page.innerText("log-events .wrong-query"),
        (text) => text.includes("soon"),
    );
    assert.match(said, /cap:0 longer:soon .{10,}/);
    assert.equal(await page.$eval("log-events .wrong-query mark", (mark) => mark.textContent), "soon");
    assert.match(await page.innerText(`${LIST} .table-bar .muted`), /^1.644 events$/);
    await filter(page, "cap:0");
    assert.equal(await page.locator("log-events .wrong-query").count(), 0);
});

onPage("where one type is chosen, its fields are columns, with their units", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    assert.deepEqual(await heads(page), ["Time", "Capability", "Thread", "Label", "Type", "Event", "Byte", "Number"]);
    await filter(page, "type:GC_STATS_GHC");
    const names = await until(
        () => heads(page),
        (all) => all.includes("copied_bytes"),
    );
    assert.ok(names.indexOf("generation") > 3 && !names.includes("Type"));
    const at = names.indexOf("copied_bytes");
    const [row] = await settled(page);
    assert.match(row[at], /^[\d.]+ ([KM]i)?B$/);
    assert.ok(await page.$eval(`${LIST} tbody tr :nth-child(${at + 1})`, (cell) => cell.classList.contains("number")));
    // The thread that ran there, and its number in the event.
    await filter(page, "type:STOP_THREAD");
    await until(
        () => heads(page),
        (all) => all.includes("status"),
    );
    const stops = await settled(page);
    assert.ok(
        stops.every((row) => row[2] !== "–" && row[2] === row[4]),
        JSON.stringify(stops[0]),
    );
});

onPage(
    "all of the chosen event is shown, and the timeline goes there",
    { viewport: { width: 1280, height: 1400 }, permissions: ["clipboard-read", "clipboard-write"] },
    async (page) => {
        await openCorpus(page, "threaded");
        await openList(page);
        await filter(page, "type:USER_MARKER");
        const all = await settled(page);
        await page.focus(`${LIST} table`);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        const text = await until(
            () => page.innerText("log-event").catch(() => ""),
            (text) => text.includes("USER_MARKER"),
        );
        assert.match(text, /A marker of the program/i);
        const [, second] = all;
        assert.equal((await page.innerText("log-event .whole-text")).trim(), second[names(all)].replace(/\s+/g, " "));
        const dump = await page.textContent("log-event .bytes");
        assert.match(dump, /^[0-9a-f]{6} {2}00 3a( [0-9a-f]{2})+/, "the type's number is 58");
        // What the capability did at that time is selected, and the list stays where it is.
        await until(
            () => page.isVisible("#details"),
            (visible) => visible,
        );
        assert.equal(await page.getAttribute(`${LIST} tbody tr:nth-child(2)`, "aria-selected"), "true");
        await page.click("log-event button:text('copy as JSON')");
        const copied = await until(
            () => page.evaluate(() => navigator.clipboard.readText()),
            (text) => text.startsWith("{"),
        );
        const event = JSON.parse(copied);
        assert.deepEqual([event.kind, event.type, event.length_ns], ["marker", "USER_MARKER", null]);
        assert.equal(event.text, second[names(all)]);
        await page.click("log-event [aria-label='Close the details']");
        await until(
            () => page.locator("log-event").count(),
            (count) => count === 0,
        );
        // All rows, one in a line.
        await page.click(".events-bar button:text('copy as JSON')");
        const lines = await until(
            () => page.evaluate(() => navigator.clipboard.readText()),
            (text) => text.split("\n").length === all.length + 1,
        );
        const events = lines
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
        assert.deepEqual(
            events.map(({ type }) => type),
            all.map(() => "USER_MARKER"),
        );
    },
);

/** Where the texts of events are in rows whose only field is the text. */
const names = (all) => all[0].findIndex((text) => text.startsWith("marker: "));

onPage("a click on the timeline brings the list to that moment", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    const first = await settled(page);
    const row = await until(
        () => lane(page, "Capability 0"),
        ({ roles }) => roles.includes("running"),
    );
    await page.mouse.click(row.left + row.roles.lastIndexOf("running"), row.y);
    const start = await until(
        () => page.innerText("#details"),
        (text) => text.includes("Start"),
    );
    const at = await until(
        () => page.$eval(`${LIST} tbody tr.cursor`, (row) => Number(row.getAttribute("aria-rowindex"))).catch(() => 0),
        (at) => at > 100,
    );
    const shown = await until(
        () => settled(page),
        (all) => all[0][0] !== first[0][0],
    );
    assert.ok(at > 100 && shown.length > 0, start);
    const cursor = await page.$eval(`${LIST} tbody tr.cursor`, (row) => row.children[0].textContent.trim());
    const said = /Start\s+(.*)/.exec(start)[1];
    assert.ok(Math.abs(readTime(cursor).ns - readTime(said).ns) <= Math.max(readTime(said).error ?? 0, 1e4), `${cursor}, ${said}`);
});

onPage("a search of a large log shows what it has found, and can be stopped", {}, async (page) => {
    const log = join(folder, "large.eventlog");
    writeLarge(log, 60e6);
    await choose(page, log);
    await state(page, "ready");
    await openList(page);
    await page.focus(FIELD);
    await page.keyboard.type("text:/a.*z/");
    await page.keyboard.press("Enter");
    // At once: while the driver waits for a button to be still, all may have been found.
    await page.waitForFunction(() => {
        const stop = [...document.querySelector("log-events").querySelectorAll("button")].find((button) => button.textContent === "Stop");
        stop?.click();
        return stop;
    });
    const stopped = await until(
        () => status(page),
        (text) => text.endsWith(", stopped"),
    );
    assert.match(stopped, /^at least [\d ]+, stopped$/);
    await page.click("log-events button:text('Go on')");
    await until(
        () => status(page),
        (text) => /^[\d ]+ events?$/.test(text),
    );
    // What the type decides is known at once.
    const collections = await filter(page, "type:GC_START");
    assert.match(collections, /^[\d ]+ events$/);
    const found = Number(collections.replace(/\D/g, ""));
    // The rows come after their number; the head is a row, too.
    await page.waitForSelector(`${LIST} table[aria-rowcount="${found + 1}"]`);
    await page.focus(`${LIST} table`);
    await page.keyboard.press("End");
    await page.waitForSelector(`${LIST} tbody tr.cursor[aria-rowindex="${found + 1}"]`);
    const last = await settled(page);
    assert.ok(
        last.every((row) => row[4] === "GC_START"),
        JSON.stringify(last),
    );
    assert.ok(last.every((row, at) => at === 0 || readTime(row[0]).ns >= readTime(last[at - 1][0]).ns));
});

onPage("keys that come faster than suggestions act on those for the whole text", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    await page.focus(FIELD);
    await page.keyboard.type("type:GC_STAR");
    // In one task, so that no answer comes in between.
    await page.$eval(FIELD, (field) => {
        field.textContent = "type:GC_START";
        getSelection().collapse(field.firstChild, field.textContent.length);
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
        for (const key of ["ArrowDown", "Enter"])
            field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    });
    await page.waitForTimeout(300);
    assert.equal((await page.innerText(FIELD)).trim(), "type:GC_START");
});
