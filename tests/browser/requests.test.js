// Requests: each instance of a label of the program's own spans; and stretches of low use.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { choose, chooseTab, corpus, file, onPage, openCorpus, state } from "./support/page.js";
import { writeSpans } from "./support/eventlog.js";
import { described, readTime, until } from "./support/see.js";

/** What the command line tells of each instance of a label. */
function each(label) {
    const json = execFileSync(process.env.GHC_EVENTLOG, ["summary", "--json", "--each", label, corpus("spans")]);
    return JSON.parse(json).requests;
}

onPage("a label's instances are listed, a bar chooses some, and a row leads to the timeline", {}, async (page) => {
    await openCorpus(page, "spans");
    await chooseTab(page, "requests");
    await page.waitForSelector("log-requests select.label option[value=step]", { state: "attached" });
    await page.selectOption("log-requests select.label", "step");
    await page.waitForSelector('log-requests [data-key="requests.slowest"]');
    assert.equal(await page.inputValue("log-requests select.label"), "step");
    const { count, slowest, duration_ns } = each("step");
    assert.equal(await page.textContent('log-requests [data-key="requests.slowest"] dd'), slowest);
    const instances = () => page.evaluate(() => [...document.querySelectorAll("log-requests log-table")].at(-1)?.rows?.found);
    await until(instances, (found) => found === count);
    // The last bar has the slowest ones.
    await page.locator("log-requests log-histogram button.bars").last().click();
    const chosen = await until(instances, (found) => found > 0 && found < count);
    assert.equal(await page.textContent('log-requests [data-key="requests.chosen.count"] dd'), String(chosen));
    assert.equal(await page.textContent('log-requests [data-key="requests.count"] dd'), String(count));
    assert.equal(await page.locator("log-requests log-histogram button.bars").last().getAttribute("aria-pressed"), "true");
    await page.click("log-requests .requests-choice button");
    await until(instances, (found) => found === count);
    // A row shows its span.
    await page.locator("log-requests log-table").last().locator("tbody tr").first().click();
    await page.waitForSelector("#details dl");
    const details = await page.textContent("#details");
    assert.match(details, /step/);
    assert.ok(duration_ns.max > 0);
    // From there, T leads to what the thread did meanwhile.
    const span = await described(page, "#details");
    await page.keyboard.press("t");
    const { fields } = await until(
        () => described(page, "#details"),
        ({ fields }) => fields.Track !== span.fields.Track,
    );
    assert.match(fields.Track, new RegExp(`^${span.fields.Thread}\\b`));
    assert.ok(readTime(fields.Start).ns <= readTime(span.fields.Start).ns);
});

onPage("a log without spans says that it has none, and offers nothing that would not help", {}, async (page) => {
    await openCorpus(page, "blocked-threads");
    await chooseTab(page, "requests");
    await until(
        () => page.textContent("log-requests"),
        (text) => /No message begins a span/.test(text),
    );
    assert.equal(await page.locator("log-requests button").count(), 0);
});

/** Opens a log whose only label is "query", of which a few spans are slow. */
async function openQueries(page) {
    await choose(page, file("queries.eventlog", writeSpans("query", 200)));
    await state(page, "ready");
}

/** The label whose spans are shown. */
const labelOf = (page) => page.textContent('log-requests [data-key="requests.label"] dd').catch(() => null);

onPage("the only label is chosen by itself; the address has it, and a link opens the tab with it", { restarts: true }, async (page) => {
    await openQueries(page);
    await chooseTab(page, "requests");
    await page.waitForSelector('log-requests [data-key="requests.slowest"]');
    assert.equal(await labelOf(page), "query");
    assert.equal(await page.inputValue("log-requests select.label"), "query");
    assert.match(new URL(page.url()).hash, /^#label=query&file=queries.eventlog&/);
    await chooseTab(page, "gc");
    await page.reload();
    await state(page, "empty");
    await openQueries(page);
    await page.waitForSelector("#tab-requests[aria-selected=true]");
    await page.waitForSelector('log-requests [data-key="requests.slowest"]');
    // Another log has no such label.
    await openCorpus(page, "heap-type");
    await page.waitForFunction(() => !location.hash.includes("label="));
});

onPage("labels that differ only in a number can be looked at together", {}, async (page) => {
    await openCorpus(page, "threaded");
    await chooseTab(page, "requests");
    // All labels of this log are of one family, so there is nothing to choose.
    await until(
        () => labelOf(page),
        (label) => label === "job #",
    );
    assert.equal(await page.inputValue("log-requests select.label"), "job #");
    assert.equal(await page.textContent('log-requests [data-key="requests.count"] dd'), "12");
    const rows = page.locator("log-requests log-table").last().locator("tbody tr");
    await until(
        () => rows.allInnerTexts(),
        (texts) => texts.length === 12 && texts.every((text) => /job \d+/.test(text)),
    );
    await rows.first().click();
    await page.waitForSelector("#details dl");
    assert.match(await page.textContent("#details"), /job \d+/);
    await page.selectOption("log-requests select.label", "job 7");
    await until(
        () => labelOf(page),
        (label) => label === "job 7",
    );
    assert.equal(await page.textContent('log-requests [data-key="requests.count"] dd'), "1");
    // The details of a span lead to all spans like it.
    await chooseTab(page, "gc");
    await page.locator("#details").getByRole("button", { name: "compare" }).click();
    await until(
        () => labelOf(page),
        (label) => label === "job #",
    );
    assert.equal(await page.getAttribute("#tab-requests", "aria-selected"), "true");
});

onPage("of several labels, the one in the address is chosen", { restarts: true }, async (page) => {
    await page.evaluate(() => void (location.hash = "#label=step"));
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, "spans");
    await until(
        () => labelOf(page),
        (label) => label === "step",
    );
    assert.ok((await page.locator("log-requests select.label option").count()) > 2);
    // One that is chosen replaces it.
    const other = await page.$eval("log-requests select.label", ({ options }) =>
        [...options].map(({ value }) => value).find((value) => value && value !== "step"),
    );
    await page.selectOption("log-requests select.label", other);
    await until(
        () => labelOf(page),
        (label) => label === other,
    );
    assert.ok(new URL(page.url()).hash.includes(`label=${encodeURIComponent(other)}`));
});

onPage("a finding about slow spans leads to them", { tab: null }, async (page) => {
    await openQueries(page);
    await page.click('log-findings .finding[data-finding="slow-requests"] .head');
    await page.click("log-findings .finding[data-chosen] .each");
    await page.waitForSelector("#tab-requests[aria-selected=true]");
    await page.waitForSelector('log-requests [data-key="requests.slowest"]');
    assert.equal(await labelOf(page), "query");
    // With a range, the tab says that it is of the whole log.
    await page.focus("#timeline");
    await page.keyboard.press("r");
    await page.waitForSelector("#drawer .chip");
    await until(
        () => page.innerText("log-requests"),
        (text) => text.includes("Of the whole log."),
    );
});

onPage("stretches of low use are listed, and another threshold has others", {}, async (page) => {
    await openCorpus(page, "spans");
    await chooseTab(page, "summary");
    await page.waitForSelector("select.low-use");
    const found = () =>
        page.evaluate(() => [...document.querySelectorAll("log-table")].find(({ info }) => info?.key === "low_use")?.rows?.found);
    const json = JSON.parse(execFileSync(process.env.GHC_EVENTLOG, ["summary", "--json", corpus("spans")]));
    await until(found, (rows) => rows === json.low_use.length);
    await page.selectOption("select.low-use", "100");
    await until(found, (rows) => rows !== undefined && rows !== json.low_use.length);
});
