// The search: what is found and where it leads, what is suggested, commands, and how it is undone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { corpus, onPage, openCorpus } from "./support/page.js";
import { until } from "./support/see.js";
import { isWhole, view } from "./support/view.js";

/** A log with messages, spans, collections and threads with labels. */
const LOG = "threaded";

/** What the command line finds: exits with 1 if that is nothing. */
const foundBy = (log, ...query) => {
    const arguments_ = ["find", "--json", corpus(log), ...query];
    const lines = execFileSync(process.env.GHC_EVENTLOG, arguments_, { encoding: "utf8" }).trim().split("\n");
    return lines.map((line) => JSON.parse(line));
};

const field = "#search-field";
const status = (page) => page.textContent("#search-status");
const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ");
const hits = (page, kind) => page.locator(`log-hits .hits[data-kind="${kind}"] .hit`);

/** Searches by the keyboard, and waits until all is found. */
async function search(page, query) {
    await page.focus("#timeline");
    await page.keyboard.press("/");
    await page.keyboard.type(query);
    await page.keyboard.press("Enter");
    await until(
        () => status(page),
        (text) => text !== "" && !text.includes("…"),
    );
}

const suggestions = async (page, isThere) =>
    until(
        () => page.$$eval("#suggestions .text", (all) => all.map(({ textContent }) => textContent)),
        (all) => isThere(all),
    );

onPage("collections longer than a time: as many as the command line finds, and Enter goes along them in order", {}, async (page) => {
    const expected = foundBy(LOG, "type:GC", "longer:100us");
    assert.ok(expected.length > 2);
    await openCorpus(page, LOG);
    await search(page, "type:GC longer:100us");
    // The search leads to the first one.
    await until(
        () => status(page),
        (text) => plain(text) === `1 of ${expected.length} hits`,
    );
    assert.equal(await page.getAttribute("#tab-search", "aria-selected"), "true");
    assert.equal(plain(await page.innerText("#tab-search .count")), String(expected.length));
    assert.match(plain(await page.innerText("log-hits h3")), new RegExp(`Collections\\s+${expected.length}`));
    const current = () => page.$$eval("log-hits .hit", (all) => all.findIndex((hit) => hit.getAttribute("aria-current") === "true"));
    for (const at of [0, 1, 2]) {
        if (at > 0) await page.keyboard.press("Enter");
        await until(current, (index) => index === at);
        // The collection is selected, and its moment is in view.
        await page.waitForSelector("#details:not([hidden])");
    }
    await page.keyboard.press("Shift+Enter");
    await until(current, (index) => index === 1);
    assert.match(await page.textContent("#details h2"), /GC|collection/i);
});

onPage("a hit out of view is brought into view", {}, async (page) => {
    await openCorpus(page, LOG);
    await page.focus("#timeline");
    for (let press = 0; press < 12; press++) await page.keyboard.press("w");
    const before = await view(page, (seen) => !isWhole(seen));
    await search(page, "type:GC");
    await hits(page, "gc").first().click();
    await view(page, (seen) => seen.from < before.from);
});

onPage("a search is undone by Esc, and the address keeps it for a reload", {}, async (page) => {
    await openCorpus(page, LOG);
    await search(page, "type:GC longer:100us");
    const count = await until(
        () => status(page),
        (text) => text.startsWith("1 of "),
    );
    assert.match(decodeURIComponent(await page.evaluate(() => location.hash)), /find=type:GC longer:100us/);
    await page.keyboard.press("Escape");
    // The first one leaves the field, the second one the hit, the third one takes the hits away.
    assert.equal(await status(page), count);
    await page.keyboard.press("Escape");
    await page.waitForSelector("#details[hidden]", { state: "attached" });
    assert.equal(await status(page), count);
    await page.keyboard.press("Escape");
    await until(
        () => status(page),
        (text) => text === "",
    );
    assert.doesNotMatch(await page.evaluate(() => location.hash), /find=/);
    assert.match(await page.textContent("log-hits"), /No search yet/);
});

onPage("what is no query says where and why; nothing found says so", {}, async (page) => {
    await openCorpus(page, LOG);
    await search(page, "longer:soon");
    assert.equal(await status(page), "not a query");
    assert.equal(await page.getAttribute(field, "aria-invalid"), "true");
    assert.match(await page.innerText("log-hits .wrong-query"), /longer:soon/);
    await search(page, "no-such-word-in-it");
    assert.equal(await status(page), "0 hits");
    assert.match(await page.innerText("log-hits"), /Nothing in the log fits no-such-word-in-it/);
});

onPage("conditions are suggested, and put into the field by keys or a click", {}, async (page) => {
    await openCorpus(page, LOG);
    await page.focus("#timeline");
    await page.keyboard.press("/");
    await suggestions(page, (all) => all.includes("thread:") && all.includes("longer:"));
    await page.keyboard.type("typ");
    await suggestions(page, (all) => all[0] === "type:");
    await page.keyboard.press("ArrowDown");
    // Keys act on the suggestions for what is written by now, which may have to come first.
    await until(
        () => page.getAttribute(field, "aria-activedescendant"),
        (active) => active === "suggestion-0",
    );
    await page.keyboard.press("Enter");
    await until(
        () => page.textContent(field),
        (text) => text === "type:",
    );
    await suggestions(page, (all) => all.some((text) => text.startsWith("type:") || text === "GC"));
    await page.keyboard.type("GC_ST");
    await suggestions(page, (all) => all.length > 0 && all.every((text) => text.includes("GC_ST")));
    await page.locator("#suggestions li", { hasText: "GC_START" }).first().click();
    assert.match(await page.textContent(field), /GC_START/);
});

onPage("every command is found by what it does: one that has no key, a tab, a track", {}, async (page) => {
    await openCorpus(page, LOG);
    const run = async (text, first) => {
        await page.keyboard.press("Control+Shift+P");
        await page.keyboard.type(text);
        await suggestions(page, (all) => first.test(all[0] ?? ""));
        await page.keyboard.press("Enter");
    };
    await page.focus("#timeline");
    await run("colours: dark", /^colours: dark$/);
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await run("tab GC", /^tab GC$/);
    await page.waitForSelector('#tab-gc[aria-selected="true"]');
    // From a tab as from the timeline.
    await run("zoom in", /^zoom in$/);
    await view(page, (seen) => !isWhole(seen));
    await run("capability 1", /^Capabilities: Capability 1$/);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "timeline");
    assert.equal(await page.getAttribute(field, "aria-expanded"), "false");
});

onPage("names are found without a moment, and lead on", {}, async (page) => {
    await openCorpus(page, "chat");
    await search(page, "main");
    const names = page.locator("log-hits .names");
    assert.ok((await names.count()) > 0);
    const text = await names.first().locator("h3").innerText();
    assert.match(plain(text), /\d/);
});

onPage("what is typed stays text", {}, async (page) => {
    await openCorpus(page, LOG);
    await search(page, "<img src=x onerror=alert(1)>");
    assert.equal(await page.locator("log-hits img").count(), 0);
    assert.equal(await page.locator(`${field} img`).count(), 0);
});

onPage("before a log is open, commands are there, and a search says what is missing", {}, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("x");
    await page.keyboard.press("Enter");
    await until(
        () => page.textContent("#noted"),
        (text) => text.includes("Open a log first"),
    );
});

onPage("it is said that no command has some words, until one has", {}, async (page) => {
    const status = () => page.textContent("#search-status");
    await page.keyboard.press("/");
    await page.keyboard.type("> shwo");
    await until(status, (text) => text === "no command, tab or track has that");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await until(status, (text) => text === "");
});
