// The tables of a selected range, on paper, and as Markdown.

import assert from "node:assert/strict";
import { choose, chooseTab, file, onPage, openCorpus, state } from "./support/page.js";
import { readCorpus, writeCapabilities } from "./support/eventlog.js";
import { select, until } from "./support/see.js";
import { TABLE, clipboard, note, numberIn, openTab, raise, rows } from "./support/tables.js";
import { LEFT, opened } from "./support/view.js";

const { collections } = readCorpus("threaded");

onPage("figures and rows follow the selected range", {}, async (page) => {
    const { y } = await opened(page);
    await openTab(page, "gc");
    const all = await note(page);
    await select(page, LEFT + 300, LEFT + 700, y);
    // The range grows while it is dragged, and answers come a moment later: wait until tab and table agree.
    const { listed: number } = await until(
        async () => {
            const text = await note(page);
            return { text, listed: numberIn(text), counted: numberIn(await page.innerText("#tab-gc")) };
        },
        ({ text, listed, counted }) => text !== all && listed === counted,
    );
    assert.ok(number > 0 && number < collections.length);
    await until(
        () => page.getAttribute(`${TABLE} table`, "aria-rowcount"),
        (rows) => rows === String(number + 1),
    );
    // Tables that no range has are still there, and say so.
    await page.click("#tab-process");
    assert.match(await page.innerText("#panel"), /^Process\s+Process\s+Of the whole log\.\s+Program\s+\.\/threaded/);
    // What threads did in it is shown once they have been followed through the log.
    await chooseTab(page, "threads");
    await until(
        () => page.getAttribute(".tab-panel log-table >> nth=0 >> table", "aria-rowcount"),
        (rows) => rows === "13",
    );
    await openTab(page, "gc");
    // In a range with few rows, an earlier filter can still be cleared.
    await page.click(`${TABLE} [role=searchbox]`);
    await page.keyboard.type("minor");
    await until(
        () => note(page),
        (text) => text.includes(" of "),
    );
    await select(page, LEFT + 320, LEFT + 420, y);
    await until(
        () => page.getAttribute(`${TABLE} table`, "aria-rowcount"),
        (rows) => Number(rows) < 8,
    );
    await page.click(`${TABLE} [role=searchbox]`);
    await page.keyboard.press("Escape");
    await until(
        () => note(page),
        (text) => /^\d rows$/.test(text),
    );
    await page.focus("#timeline");
    await page.keyboard.press("Escape");
    await until(
        () => note(page),
        (text) => text === all,
    );
    assert.doesNotMatch(all, /whole/);
});

/** The printed table of the summary: its number of rows, the first and the last one, and its note. */
const printed = (page) =>
    page.evaluate(() => {
        dispatchEvent(new Event("beforeprint"));
        const table = document.querySelector("#summary log-table");
        const rows = [...(table?.querySelectorAll("tbody tr") ?? [])].filter((row) => row.checkVisibility());
        const known = rows.filter((row) => row.ariaBusy === null).map((row) => row.firstElementChild.textContent.trim());
        const box = table?.querySelector(".table-box");
        const seen = {
            rows: rows.length,
            known: known.length,
            last: known.at(-1),
            cut: (box?.scrollHeight ?? 0) - (box?.clientHeight ?? 0),
            said: table?.querySelector(".muted").textContent,
        };
        dispatchEvent(new Event("afterprint"));
        return seen;
    });

onPage("all rows of the summary's table are printed, even if another tab was chosen, or the drawer folded", {}, async (page) => {
    await openCorpus(page, "threaded");
    await page.click("#tab-gc");
    await page.click("#drawer .fold");
    await choose(page, file("many.eventlog", writeCapabilities(256)));
    await page.waitForFunction(() => document.getElementById("tab-threads").textContent.includes("256"));
    const seen = await until(
        () => printed(page),
        ({ known }) => known > 0,
    );
    assert.deepEqual(seen, { rows: 256, known: 256, last: "cap 255", cut: 0, said: "" });
    assert.equal(await page.locator("#panel :is(dl, table)").count(), 0);
});

onPage("a printed table looks as before afterwards", {}, async (page) => {
    const table = "#summary log-table";
    await choose(page, file("many.eventlog", writeCapabilities(256)));
    await state(page, "ready");
    await raise(page);
    await page.locator(`${table} .table-box`).evaluate((box) => (box.scrollTop = 2600));
    const before = await until(
        () => rows(page, table),
        ([first]) => first?.[0] === "cap 100",
    );
    assert.ok(before.length < 20);
    await until(
        () => printed(page),
        ({ known }) => known === 256,
    );
    await until(
        () => rows(page, table),
        (now) => JSON.stringify(now) === JSON.stringify(before),
    );
    assert.equal(await page.locator(`${table} .table-box`).evaluate((box) => box.scrollTop), 2600);
});

onPage("of a table that is too long for paper, the first rows are printed, and their number", {}, async (page) => {
    await choose(page, file("many.eventlog", writeCapabilities(1024)));
    await state(page, "ready");
    const seen = await until(
        () => printed(page),
        ({ known }) => known === 1000,
    );
    assert.equal(seen.last, "cap 999");
    assert.equal(seen.said.replace(/\s/g, " "), "the first 1 000 of 1 024 rows");
});

onPage("the summary is copied as Markdown, of the whole log and of the selected range", clipboard, async (page) => {
    await openCorpus(page, "threaded");
    const copy = async () => {
        await page.evaluate(() => navigator.clipboard.writeText(""));
        await page.click("#copy-summary");
        return until(() => page.evaluate(() => navigator.clipboard.readText()), Boolean);
    };
    const whole = await copy();
    await until(
        () => page.textContent("#announcer"),
        (text) => text === "Summary copied",
    );
    assert.ok(
        whole.includes("<summary>Garbage collection</summary>\n") && whole.includes(`| Collections | ${collections.length} |`),
        whole,
    );
    assert.ok(!whole.includes("<summary>Range</summary>"));
    await page.focus("#timeline");
    await page.keyboard.press("r");
    await page.waitForSelector(".chip");
    await until(copy, (text) => text.includes("<summary>Range</summary>\n"));
});
