// docs/guide.md, clicked: each walk-through leads where the guide says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { corpus, onPage, openCorpus } from "./support/page.js";
import { WALKS, selected } from "./support/guide.js";
import { evidence, readTime, until } from "./support/see.js";

const text = readFileSync(fileURLToPath(new URL("../../docs/guide.md", import.meta.url)), "utf8");
const summaryOf = (log) => JSON.parse(readFileSync(corpus(log).replace(/log\.eventlog$/, "summary.json"), "utf8"));

test("the guide has a walk-through for each question, and a picture", () => {
    const questions = [...text.matchAll(/^## /gm)].length;
    const pictures = [...text.matchAll(/^!\[[^\]]+\]\(pictures\/(\w+)\.png\)$/gm)].map(([, name]) => name);
    assert.equal(questions, 7);
    assert.deepEqual(pictures, Object.keys(WALKS));
});

onPage("guide: the gravest finding has its evidence on the timeline", {}, async (page) => {
    await openCorpus(page, "returned");
    const title = await WALKS.wrong(page);
    assert.equal(await page.innerText("log-findings .finding[data-chosen] .title"), title);
    await until(
        () => evidence(page),
        (box) => box !== null,
    );
});

onPage("guide: the table of collections leads to the longest pause", {}, async (page) => {
    await openCorpus(page, "threaded");
    const { fields } = await WALKS.pause(page);
    const { max } = summaryOf("threaded").gc.pause_ns;
    assert.ok(Math.abs(readTime(fields.Pause).ns - max) < 1000, `${fields.Pause} is ${max} ns`);
});

onPage("guide: the longest wait is selected on its thread's row, and [ leads to who ended it", {}, async (page) => {
    await openCorpus(page, "threaded");
    const wait = await WALKS.wait(page);
    await page.keyboard.press("[");
    const waker = await selected(page, ({ fields }) => fields.Track !== wait.fields.Track);
    assert.equal(waker.fields.Thread, wait.fields["Woken up by"].split(" ")[0]);
});

onPage("guide: a range of a heap profile compares the censuses at its ends", {}, async (page) => {
    await openCorpus(page, "heap-type");
    const heads = await WALKS.memory(page);
    assert.ok(
        heads.some((head) => head.startsWith("Change")),
        heads.join(),
    );
});

onPage("guide: the summary divides each capability's time", {}, async (page) => {
    await openCorpus(page, "threaded");
    const heads = (await WALKS.cores(page)).map((head) => head.trim());
    for (const state of ["Running", "GC wait", "GC sync", "Idle"]) assert.ok(heads.includes(state), `${state} of ${heads}`);
});

onPage("guide: a drag from marker to marker selects the time between them", {}, async (page) => {
    await openCorpus(page, "threaded");
    const chip = await WALKS.markers(page);
    const [, length] = /· (\S+ \S+)/.exec(chip);
    // From "opening" to "half time", to a pixel.
    assert.ok(Math.abs(readTime(length).ns - (5_700_734 - 792_491)) < 60_000, chip);
});

onPage("guide: a log whose end is missing opens, and says so", {}, async (page) => {
    await openCorpus(page, "cut-in-event");
    assert.match(await WALKS.damage(page), /missing/);
});

/** Types a query and goes to its first hit, by keys alone. */
async function searched(page, query) {
    await page.focus("#timeline");
    await page.keyboard.press("/");
    await page.keyboard.type(query);
    await page.keyboard.press("Enter");
    await until(
        () => page.textContent("#search-status"),
        (text) => /\d+ hits?$/.test(text),
    );
}

onPage("guide: by search, a long collection is selected without a click", {}, async (page) => {
    await openCorpus(page, "threaded");
    const { max } = summaryOf("threaded").gc.pause_ns;
    await searched(page, `type:GC longer:${Math.floor(max / 1000) - 1}us`);
    const { fields } = await selected(page, ({ fields }) => fields.Pause !== undefined);
    assert.ok(Math.abs(readTime(fields.Pause).ns - max) < 1000, fields.Pause);
});

onPage("guide: by search, the time from a marker to the next one is selected without a click", {}, async (page) => {
    await openCorpus(page, "threaded");
    await searched(page, "type:marker opening");
    await page.waitForSelector("#details:not([hidden])");
    await page.focus("#timeline");
    await page.keyboard.press("j");
    const chip = await until(
        () => page.$$eval("#drawer .chip .range", (all) => all[0]?.textContent ?? ""),
        (text) => text.includes("·"),
    );
    const [, length] = /· (\S+ \S+)/.exec(chip);
    assert.ok(Math.abs(readTime(length).ns - (5_700_734 - 792_491)) < 60_000, chip);
});
