// The list of all events, and the tracks of those that have no other: nothing in a log is invisible.

import { after } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeLarge } from "./support/eventlog.js";
import { choose, chooseTab, corpus, onPage, openCorpus, state } from "./support/page.js";
import { described, lane, press, readTime, select, tablesSettled, tracks, until } from "./support/see.js";
import { LEFT, WIDTH, isWhole, middle, near, view, width } from "./support/view.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));

const LIST = "log-table.listing";
/** The number of events in the log of these tests, and its length in ns. */
const [EVENTS, LENGTH] = [1644, 30.4e6];

/** Opens the tab with the list in the order of the file, and waits until it has rows. */
async function openList(page) {
    await chooseTab(page, "events");
    await page.selectOption("log-events .order select", "");
    await page.waitForSelector(`${LIST} table:not([aria-busy])`);
    await settled(page);
}

/** The texts of the rows' cells, once all rows have come; those of an older question may still be there. */
async function settled(page) {
    await tablesSettled(page);
    return until(
        () => rows(page),
        (all) => all.length > 0 && all.every(([time]) => time !== "…"),
    );
}

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

const note = (page) => page.innerText(`${LIST} .table-bar .muted`).then((text) => text.replaceAll("\u202f", " "));

/** The row with the cursor: its place among all rows, and its texts. */
const cursor = (page) =>
    page.$eval(`${LIST} table`, (table) => {
        const row = table.querySelector("tbody tr.cursor");
        return (
            row && { at: Number(row.getAttribute("aria-rowindex")) - 2, texts: [...row.children].map((cell) => cell.textContent.trim()) }
        );
    });

/** How many rows PageDown and PageUp lead on: all that are visible at once, but one. */
const pageOf = (page) =>
    page.$eval(`${LIST} .table-box`, (box) => {
        const [head, row] = ["thead", "tbody tr"].map((part) => box.querySelector(part).getBoundingClientRect().height);
        return Math.floor((box.clientHeight - head) / row) - 1;
    });

/** Presses a key in the list, and waits for the row it leads to. */
async function goBy(page, key, at) {
    await page.keyboard.press(key);
    return until(
        () => cursor(page),
        (row) => row?.at === at && row.texts[0] !== "…",
    );
}

/** Opens the list of types, and turns some on or off. */
async function toggle(page, ...names) {
    if (!(await page.$eval(`${LIST} .choices`, (list) => list.open))) await page.click(`${LIST} .choices summary`);
    for (const name of names) await page.locator(`${LIST} .choice-list button`, { hasText: name }).first().click();
}

const heading = (page, name) => page.locator(".heading button", { hasText: name });

/** The events of a log as `show` prints them, except block markers: time, capability, and the rest. */
function shownEvents(name) {
    const text = readFileSync(new URL(`../corpus/${name}/show.txt`, import.meta.url), "utf8");
    const lines = text
        .split("\nEvents:\n")[1]
        .split("\n")
        .filter((line) => /^\d+: /.test(line) && !line.includes("event block: "));
    return lines.map((line) => {
        const [, time, cap = "–", event] = /^(\d+): (?:cap (\d+): )?(.*)$/.exec(line);
        return { time: Number(time), cap: cap === "–" ? cap : `cap ${cap}`, event };
    });
}

onPage("the list has every event of a log, with the text that `show` prints", { viewport: { width: 1280, height: 1600 } }, async (page) => {
    const name = "malformed-19-unknown-types";
    await openCorpus(page, name);
    await page.focus("#drawer [role=separator]");
    await page.keyboard.press("End");
    await openList(page);
    const expected = shownEvents(name);
    const found = await until(
        () => rows(page),
        (all) => all.length === expected.length && all.every(([time]) => time !== "…"),
    );
    const first = expected[0].time;
    const line = ({ time, cap, event }) => `${String(time - first).padStart(9)} ${cap} ${event}`;
    const seen = found.map(([time, cap, , , , event]) => line({ time: Math.round(readTime(time).ns) + first, cap, event }));
    assert.deepEqual(seen.toSorted(), expected.map(line).toSorted());
    assert.equal(await note(page), `${expected.length} events`);
    // Offsets increase: the order is that of the file.
    const offsets = found.map((row) => Number(row[6]));
    assert.ok(offsets.every((offset, at) => at === 0 || offset > offsets[at - 1]));
    assert.ok(found.some(([, , , , type]) => type === "Of the future, 301"));
});

onPage("keys lead to any place of the list", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    assert.equal(await note(page), "1 644 events");
    assert.equal(await page.getAttribute(`${LIST} table`, "aria-rowcount"), String(EVENTS + 1));
    await page.focus(`${LIST} table`);
    const last = await goBy(page, "End", EVENTS - 1);
    assert.match(last.texts[4], /^[A-Z_]+$/);
    await goBy(page, "ArrowUp", EVENTS - 2);
    const first = await goBy(page, "Home", 0);
    assert.notDeepEqual(first.texts, last.texts);
    const by = await pageOf(page);
    assert.ok(by > 1 && by < 50, `${by}`);
    await goBy(page, "PageDown", by);
    await goBy(page, "PageDown", 2 * by);
    await goBy(page, "PageUp", by);
    // Its heads do not sort: there is only one order.
    assert.equal(await page.locator(`${LIST} thead [aria-sort]`).count(), 0);
    assert.ok(isWhole(await view(page, () => true)));
});

onPage("the last pages of a large log are like those of the small one that it repeats", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    await page.focus(`${LIST} table`);
    const number = (text) => Number(text.replaceAll("\u202f", ""));
    const { texts: end } = await goBy(page, "End", EVENTS - 1);
    const log = join(folder, "large.eventlog");
    const { bytes } = writeLarge(log, 20e6);
    await choose(page, log);
    await state(page, "ready");
    const text = await until(
        () => note(page),
        (text) => /^[\d ]{9,} events$/.test(text),
    );
    const events = number(text.replaceAll(" ", "").replace("events", ""));
    await page.focus(`${LIST} table`);
    const { texts: last } = await goBy(page, "End", events - 1);
    assert.deepEqual([last[4], last[5], number(last[7])], [end[4], end[5], events]);
    assert.equal(bytes - number(last[6]), statSync(corpus("threaded")).size - number(end[6]), "it ends as the small one does");
    const numbers = (await settled(page)).map((row) => number(row[7]));
    assert.deepEqual(
        numbers,
        numbers.map((_, at) => events + 1 - numbers.length + at),
    );
    const before = await goBy(page, "PageUp", events - 1 - (await pageOf(page)));
    assert.equal(number(before.texts[7]), before.at + 1);
    // The last event of a type, too, has its number among all.
    await toggle(page, "GC_START");
    const some = await until(
        () => note(page),
        (text) => / of /.test(text),
    );
    const found = number(some.split(" of ")[0].replaceAll(" ", ""));
    await page.focus(`${LIST} table`);
    const collection = await goBy(page, "End", found - 1);
    assert.equal(collection.texts[4], "GC_START");
    assert.ok(number(collection.texts[7]) > events - 1000 && number(collection.texts[7]) < events, collection.texts[7]);
});

onPage("the list has the chosen types of events, and says how many", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    const all = await settled(page);
    await toggle(page, "GC_START");
    await until(
        () => note(page),
        (text) => text === "79 of 1 644 events",
    );
    assert.deepEqual([...new Set((await settled(page)).map((row) => row[4]))], ["GC_START"]);
    await toggle(page, "GC_END");
    await until(
        () => note(page),
        (text) => text === "158 of 1 644 events",
    );
    assert.equal(await page.innerText(`${LIST} .choices summary`), "GC_START and 1 more");
    await until(
        () => page.textContent("#announcer"),
        (text) => text === "158 events found",
    );
    await page.focus(`${LIST} table`);
    assert.equal(await page.$eval(`${LIST} .choices`, (list) => list.open), false, "the list of types closes");
    const last = await goBy(page, "End", 157);
    assert.match(last.texts[4], /^GC_(START|END)$/);
    assert.deepEqual(new Set((await settled(page)).map((row) => row[4])), new Set(["GC_START", "GC_END"]));
    await toggle(page, "all types");
    await until(
        () => note(page),
        (text) => text === "1 644 events",
    );
    await until(
        () => rows(page),
        (seen) => JSON.stringify(seen) === JSON.stringify(all),
    );
});

onPage("a range that is dragged over the whole log has all its events, the last ones too", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    const { y } = await lane(page, "Capability 0");
    await select(page, LEFT + 2, LEFT + WIDTH - 2, y);
    // While the range is dragged, the list shows the events selected so far.
    await until(
        () => note(page),
        (text) => text === "1 644 events · in the selected range",
    );
});

onPage("the list has the events of a selected range, with their numbers in the log", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    const all = await settled(page);
    assert.deepEqual(
        all.slice(0, 3).map((row) => row[7]),
        ["1", "2", "3"],
    );
    const { left, y } = await lane(page, "Capability 0");
    await select(page, left + 300, left + 600, y);
    const text = await until(
        () => note(page),
        (text) => text.endsWith("in the selected range"),
    );
    const found = Number(/^([\d ]+) events · in the selected range$/.exec(text)[1].replaceAll(" ", ""));
    assert.ok(found > 100 && found < EVENTS / 2, text);
    const times = (await page.textContent("log-selection")).replaceAll("\u202f", "");
    const listed = await until(
        () => settled(page),
        (rows) => rows[0][7] !== "1",
    );
    const numbers = listed.map((row) => Number(row[7]));
    assert.ok(
        numbers.every((number, at) => at === 0 || number > numbers[at - 1]),
        `${numbers}`,
    );
    assert.ok(numbers[0] > 1, times);
    await toggle(page, "GC_START");
    await until(
        () => note(page),
        (text) => /^\d+ of 1 644 events · in the selected range$/.test(text),
    );
    assert.equal(await page.innerText(`${LIST} .choice-list p`), "counts are of the whole log");
    // Without a range it has all of them again.
    await toggle(page, "all types");
    await page.keyboard.press("Escape");
    await page.focus("ghc-eventlog-viewer");
    await page.keyboard.press("Escape");
    await until(
        () => note(page),
        (text) => text === "1 644 events",
    );
    await until(
        () => settled(page),
        (rows) => rows[0][7] === "1",
    );
});

onPage("an event that is chosen is shown at its time", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openList(page);
    await toggle(page, "USER_MARKER");
    await until(
        () => note(page),
        (text) => text === "3 of 1 644 events",
    );
    await page.keyboard.press("Escape");
    const [, second] = await settled(page);
    assert.match(second[5], /^marker: /);
    await page.locator(`${LIST} tbody tr`).nth(1).click();
    const near20 = await view(page, (seen) => width(seen) < 0.06);
    assert.ok(near(middle(near20), readTime(second[0]).ns / LENGTH, 0.01), `${middle(near20)} and ${second[0]}`);
    assert.equal(await page.getAttribute(`${LIST} tbody tr:nth-child(2)`, "aria-selected"), "true");
});

onPage("events without another track have a row for each type, with tooltips", {}, async (page) => {
    await openCorpus(page, "malformed-19-unknown-types");
    assert.equal(await heading(page, "Other events").getAttribute("aria-expanded"), "false");
    await heading(page, "Other events").click();
    const seen = await until(
        () => tracks(page),
        (all) => all.some(([name]) => name.includes("300")),
    );
    for (const name of ["CAP_CREATE", "Of the future, 300", "Of the future, 301", "Of the future, 302"]) {
        assert.ok(
            seen.some(([other]) => other === name),
            `${name} of ${seen}`,
        );
    }
    const row = await until(
        () => lane(page, "Of the future, 301"),
        ({ roles }) => roles.includes("muted"),
    );
    await page.mouse.click(row.left + row.roles.indexOf("muted"), row.y);
    // Unknown events are shown as bytes.
    const { title, fields } = await until(
        () => described(page, "#details").catch(() => ({})),
        ({ fields }) => fields?.Bytes,
    );
    assert.equal(title, "Of the future, 301");
    assert.match(fields.Bytes, /^([0-9a-f]{2} )+[0-9a-f]{2}$/);
});

onPage("keys step through the points of other events, with the same details", {}, async (page) => {
    await openCorpus(page, "threaded");
    // Markers' lines have the colour of points: hide them.
    await page.keyboard.press("Shift+M");
    await heading(page, "Other events").click();
    const row = await until(
        async () => {
            await page
                .locator(".track", { hasText: "USER_MARKER" })
                .first()
                .scrollIntoViewIfNeeded()
                .catch(() => {});
            return lane(page, "MIGRATE_THREAD");
        },
        ({ roles }) => roles.includes("muted"),
    );
    const at = row.roles.lastIndexOf("muted");
    await page.mouse.click(row.left + at, row.y);
    const texts = [];
    for (const key of [",", ","]) texts.push(JSON.stringify(await press(page, key)));
    for (const text of texts) assert.match(text, /migrating thread \d+ to cap \d/);
    assert.notEqual(texts[0], texts[1]);
});

onPage("single sparks have a row for each type under Sparks, with tooltips", { viewport: { width: 1280, height: 2200 } }, async (page) => {
    await openCorpus(page, "sparks-full");
    await heading(page, "Sparks").click();
    const names = async () => (await tracks(page)).map(([name]) => name).filter((name) => /SPARK/.test(name));
    const count = async (name) =>
        page
            .locator(".track", { has: page.getByText(name, { exact: true }) })
            .first()
            .innerText();
    const types = ["CREATE", "DUD", "OVERFLOW", "RUN", "STEAL", "FIZZLE", "GC"].map((name) => `SPARK_${name}`);
    await until(names, (seen) => types.every((name) => seen.includes(name)));
    assert.match(await count("SPARK_STEAL"), /\b8$/);
    const row = await until(
        () => lane(page, "SPARK_STEAL"),
        ({ roles }) => roles.includes("spark"),
    );
    await page.mouse.click(row.left + row.roles.lastIndexOf("spark"), row.y);
    await until(
        () => page.innerText("#details"),
        (text) => /stealing a spark from cap \d/.test(text),
    );
});
