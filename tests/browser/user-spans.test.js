// The program's own spans on the timeline: rows of labels or of threads, the durations of one label, and other words than START and STOP.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { choose, chooseTab, corpus, file, onPage, openCorpus } from "./support/page.js";
import { described, lane, tracks, until } from "./support/see.js";

const LOG = "spans";
const { spans } = JSON.parse(readFileSync(corpus(LOG).replace(/log\.eventlog$/, "summary.json"), "utf8"));

/** The names of the rows of spans in view, once all of them have one. */
async function rows(page) {
    const names = (await tracks(page, '#headers .rows[aria-label="Spans"]')).map(([name]) => name);
    return names.every(Boolean) ? names : [];
}

/** High enough for the rows to be there, unfolded. */
async function unfold(page) {
    await page.getByRole("button", { name: "Spans" }).first().click();
    return until(
        () => rows(page),
        (names) => names.length > 5,
    );
}

async function opened(page) {
    await page.setViewportSize({ width: 1280, height: 1800 });
    await openCorpus(page, LOG);
    return unfold(page);
}

async function dialogOf(page) {
    await page.locator("#headers").getByRole("button", { name: "Rows…" }).click();
    return page.getByRole("dialog", { name: "Rows of spans" });
}

onPage("spans have rows by label or by thread, with nested ones below each other", {}, async (page) => {
    const byLabel = await opened(page);
    for (const name of ["outer", "inner", "again", "again · 2", "request", "request · 2"]) assert.ok(byLabel.includes(name), name);
    const dialog = await dialogOf(page);
    const each = (name) => dialog.getByRole("button", { name });
    assert.equal(await each("each label").getAttribute("aria-pressed"), "true");
    // By keys alone.
    await each("each thread").focus();
    await page.keyboard.press("Enter");
    const byThread = await until(
        () => rows(page),
        (names) => names.length > 0 && names.join() !== byLabel.join(),
    );
    const nested = byThread.filter((name) => name.endsWith(" · 2"));
    assert.ok(nested.length > 0 && nested.every((name) => byThread.includes(name.slice(0, -" · 2".length))), byThread.join());
    await page.keyboard.press("Escape");
    await until(
        () => dialog.isVisible(),
        (is) => !is,
    );
    // The upper spans are open longer than those nested in them.
    const open = async (name) => (await lane(page, name)).roles.filter((role) => role === "accent").length;
    const name = nested[0].slice(0, -" · 2".length);
    await until(
        () => open(name),
        (pixels) => pixels > 0,
    );
    assert.ok((await open(name)) >= (await open(nested[0])));
    await (await dialogOf(page)).getByRole("button", { name: "each label" }).click();
    await until(
        () => rows(page),
        (names) => names.join() === byLabel.join(),
    );
});

onPage(
    "a row of the longest spans leads to the span; its panel gives the focus back, and never covers the element with the focus",
    {},
    async (page) => {
        await openCorpus(page, LOG);
        await chooseTab(page, "messages");
        const grid = page.getByRole("grid", { name: "Longest spans" });
        const first = grid.locator("tbody tr").first();
        await first.waitFor();
        const [, length, label] = (await first.locator("td, th").allTextContents()).map((text) => text.trim());
        const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName.toLowerCase());
        const select = async () => {
            await grid.focus();
            await page.keyboard.press("Enter");
            return until(
                () => described(page, "#details").catch(() => null),
                (details) => details?.fields.Duration === length,
            );
        };
        const span = await select();
        assert.equal(span.title, label);
        assert.ok(span.fields.Track.startsWith(label), span.fields.Track);
        // Both have room, so the focus stays: the user goes on to the next row.
        assert.equal(await focused(), "table");
        await page.locator("#details").getByRole("button", { name: "next" }).focus();
        await page.keyboard.press("Escape");
        await until(focused, (id) => id === "timeline");
        assert.ok(await page.locator("#details").isHidden());
        // In a narrow window it covers the table.
        await page.setViewportSize({ width: 420, height: 800 });
        await select();
        await until(focused, (id) => id === "timeline");
        // Its row is visible above it.
        const places = () =>
            page.evaluate(() => {
                const row = document.querySelector('#headers .track[aria-current="true"]:not(.heading)')?.getBoundingClientRect();
                const { bottom } = document.getElementById("timeline").getBoundingClientRect();
                return { row: row?.bottom ?? NaN, bottom, details: document.getElementById("details").getBoundingClientRect().top };
            });
        await until(places, ({ row, bottom, details }) => row <= bottom + 1 && bottom <= details + 1);
    },
);

onPage("a picked label has a histogram until it is picked again", {}, async (page) => {
    await openCorpus(page, LOG);
    await chooseTab(page, "messages");
    const { label, count } = spans.find(({ label }) => label === "step");
    const table = page.getByRole("grid", { name: "Spans by label" });
    const cell = table.getByRole("rowheader", { name: label, exact: true });
    await cell.waitFor();
    const histogram = page.locator('#drawer [data-key="durations.chosen"]');
    assert.equal(await histogram.count(), 0);
    await cell.click();
    await histogram.waitFor();
    // It is visible, wherever it is in the panel.
    const isSeen = () =>
        histogram.evaluate((part) => {
            const [box, panel] = [part.getBoundingClientRect(), part.closest("#panel").getBoundingClientRect()];
            return box.top >= panel.top - 1 && box.top < panel.bottom;
        });
    await until(isSeen, (seen) => seen);
    assert.equal(await histogram.getAttribute("aria-label"), `Durations of ${label}`);
    const counts = await histogram.locator("td.number").allTextContents();
    assert.equal(
        counts.reduce((sum, text) => sum + Number(text.replace(/\D/g, "")), 0),
        count,
    );
    await cell.click();
    await until(
        () => histogram.count(),
        (count) => count === 0,
    );
});

/** The log with other words instead of START and STOP, of the same length. */
function renamed() {
    const text = readFileSync(corpus(LOG)).toString("latin1");
    return Buffer.from(text.replaceAll("START ", "BEGIN ").replaceAll("STOP ", "DONE "), "latin1");
}

onPage("the user can add words for spans, before or after the label, and they are remembered", {}, async (page) => {
    const asAlways = await opened(page);
    await choose(page, file("other.eventlog", renamed()));
    // None of its spans is known: the panel has the button for other words.
    await until(
        () => rows(page),
        (names) => names.length === 0,
    );
    await chooseTab(page, "messages");
    const said = page.getByText(/^No message begins a span/);
    await said.waitFor();
    await page.locator("#drawer").getByRole("button", { name: "Rows…" }).click();
    const dialog = page.getByRole("dialog", { name: "Rows of spans" });
    const [begin, end] = ["A span begins with", "and ends with"].map((name) => dialog.getByRole("textbox", { name }));
    const look = dialog.getByRole("button", { name: "Look for these, too" });
    await look.click();
    assert.match(await dialog.getByRole("status").textContent(), /two different words/);
    await dialog.getByRole("button", { name: "after the label" }).click();
    await begin.fill("on");
    await end.fill("off");
    await look.click();
    const own = dialog.getByRole("list", { name: "Your words" }).getByRole("listitem");
    await until(
        () => own.count(),
        (count) => count === 1,
    );
    assert.match(await own.first().textContent(), /label on\s*…\s*label off/);
    await dialog.getByRole("button", { name: "before the label" }).click();
    await begin.fill("BEGIN");
    await end.fill("DONE");
    await page.keyboard.press("Enter");
    await until(
        () => rows(page),
        (names) => names.join() === asAlways.join(),
    );
    assert.equal(await page.evaluate(() => localStorage.getItem("ghc-eventlog-viewer.span-words")), "* on,* off,BEGIN,DONE");
    await dialog.getByRole("button", { name: "Remove BEGIN and DONE" }).click();
    await until(
        () => rows(page),
        (names) => names.length === 0,
    );
    await until(
        () => dialog.getByRole("status").textContent(),
        (text) => text === "No such span in this log",
    );
    await begin.fill("BEGIN");
    await end.fill("DONE");
    await look.click();
    await until(
        () => rows(page),
        (names) => names.join() === asAlways.join(),
    );
    await dialog.getByRole("button", { name: "Close" }).click();
    // The next log is read with them.
    await choose(page, file("again.eventlog", renamed()));
    await until(
        () => page.title(),
        (title) => title !== "",
    );
    await until(
        () => rows(page),
        (names) => names.join() === asAlways.join(),
    );
});

onPage("if no word fits, the panel leads to the choice of words; the page around can set them", {}, async (page) => {
    await page.setViewportSize({ width: 1280, height: 1800 });
    const viewer = page.locator("ghc-eventlog-viewer");
    await viewer.evaluate((viewer) => viewer.setAttribute("span-words", "none such,nor such,BEGIN,DONE"));
    await choose(page, file("other.eventlog", renamed()));
    await chooseTab(page, "messages");
    const said = page.locator('#drawer [data-key="spans.labels"]');
    await until(
        () => said.textContent(),
        (text) => !/Labels\s*0/.test(text),
    );
    await page.locator("#drawer").getByRole("button", { name: "Rows…" }).click();
    const dialog = page.getByRole("dialog", { name: "Rows of spans" });
    await until(
        () => dialog.getByRole("status").textContent(),
        (text) => /^\d+ rows$/.test(text),
    );
    await dialog.getByRole("button", { name: "Remove BEGIN and DONE" }).click();
    await until(
        () => said.textContent(),
        (text) => /Labels\s*0/.test(text),
    );
});
