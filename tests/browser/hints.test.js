// The three hints of a first visit.

import assert from "node:assert/strict";
import { onPage, openCorpus, state } from "./support/page.js";
import { lane, select, until } from "./support/see.js";

/** A page on which nothing is remembered, as on a first visit. */
const FIRST = { tab: null, restarts: true };

const hint = (page) =>
    page.evaluate(() => {
        const shown = [...document.querySelectorAll(".hint[data-shown]")].filter((part) => part.checkVisibility());
        return shown.map((part) => part.querySelector("span").textContent).join(" | ");
    });
const waitFor = (page, wanted) =>
    until(
        () => hint(page),
        (text) => wanted.test(text),
    );

onPage("each goes when one does what it says, and the next comes; a reload brings none back", FIRST, async (page) => {
    await waitFor(page, /^New here\? Drop a log on this page, or try the example\.$/);
    await openCorpus(page, "threaded");
    await waitFor(page, /^Drag over the tracks to select a range of time\.$/);
    // Screen readers read it once, as what has changed in a region that was there before.
    assert.equal(await page.getAttribute("#hint .hint", "role"), "status");
    const { y } = await lane(page, "Capability 0");
    await select(page, 500, 800, y);
    await waitFor(page, /^Press \? to see all keys and gestures\.$/);
    await page.reload();
    await state(page, "empty");
    await waitFor(page, /^$/);
    await openCorpus(page, "threaded");
    await waitFor(page, /^Press \?/);
    await page.keyboard.press("?");
    await page.keyboard.press("Escape");
    await waitFor(page, /^$/);
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, "threaded");
    await page.waitForTimeout(100);
    assert.equal(await hint(page), "");
});

onPage("Esc and the button close one, and nothing else goes with it", FIRST, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, /^Drag over/);
    // What is open over the timeline is closed first.
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
    // It does not cover what was chosen.
    await waitFor(page, /^$/);
    await page.keyboard.press("Escape");
    await page.waitForSelector("#details", { state: "hidden" });
    await waitFor(page, /^Drag over/);
    await page.keyboard.press("Escape");
    await waitFor(page, /^Press \?/);
    await page.click("#hint button");
    await waitFor(page, /^$/);
    // What it covered can be clicked.
    assert.equal(await page.evaluate(() => document.activeElement?.id || document.querySelector(":focus")?.id), "timeline");
});

onPage("who has been here before sees none", { restarts: true }, async (page) => {
    await page.waitForTimeout(50);
    assert.equal(await hint(page), "");
    await openCorpus(page, "threaded");
    await page.waitForTimeout(100);
    assert.equal(await hint(page), "");
});

onPage("none is about dragging where a log has nothing to drag over", FIRST, async (page) => {
    await openCorpus(page, "malformed-14-header-only");
    await page.waitForSelector("log-findings .finding");
    assert.equal(await hint(page), "");
});
