// Notes: written at a moment, seen on the timeline and in a list, kept for the log, in links and in saved pages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chooseTab, onPage, openCorpus, SAVES } from "./support/page.js";
import { until } from "./support/see.js";

const LOG = "threaded";

/** Writes a note at what is selected. */
async function write(page, text) {
    await page.focus("#timeline");
    await page.keyboard.press("m");
    await page.waitForSelector("#noting[open]");
    await page.keyboard.type(text);
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("#noting:not([open])", { state: "attached" });
}

const listed = async (page, number) => {
    await chooseTab(page, "notes");
    await until(
        () => page.locator(".notes li").count(),
        (count) => count === number,
    );
    return page.$$eval(".notes .text", (all) => all.map(({ innerText }) => innerText));
};
const inAddress = (page) => page.evaluate(() => decodeURIComponent(location.hash));

onPage("a note is written, changed and taken away, by the keyboard alone", {}, async (page) => {
    await openCorpus(page, LOG);
    await page.focus("#timeline");
    await page.keyboard.press("r");
    await write(page, "the whole of it");
    await page.keyboard.press("Escape");
    await write(page, "here <b>\u00e4</b>");
    assert.deepEqual((await listed(page, 2)).toSorted(), ["here <b>\u00e4</b>", "the whole of it"]);
    assert.match(await inAddress(page), /notes=\[\[.*"the whole of it"\]/);
    await page.locator(".notes li", { hasText: "here" }).locator("button", { hasText: "Change" }).press("Enter");
    await page.keyboard.type("there");
    await page.keyboard.press("Control+Enter");
    await until(
        () => listed(page, 2),
        (texts) => texts.includes("there"),
    );
    await page.locator(".notes li", { hasText: "there" }).locator("button", { hasText: "Change" }).press("Enter");
    await page.click("#note-remove");
    assert.deepEqual(await listed(page, 1), ["the whole of it"]);
});

onPage("an empty note is not kept, and says why", {}, async (page) => {
    await openCorpus(page, LOG);
    await page.focus("#timeline");
    await page.keyboard.press("m");
    await page.keyboard.press("Control+Enter");
    assert.match(await page.textContent("#note-trouble"), /Write something first/);
    await page.keyboard.press("Escape");
    await listed(page, 0);
});

onPage("notes are kept for their log, not for another one", {}, async (page) => {
    await openCorpus(page, LOG);
    await write(page, "kept");
    await openCorpus(page, "single");
    await listed(page, 0);
    await openCorpus(page, LOG);
    assert.deepEqual(await listed(page, 1), ["kept"]);
});

onPage("a saved page has the notes", SAVES, async (page) => {
    await openCorpus(page, LOG);
    await write(page, "look here");
    await page.keyboard.press("Escape");
    await chooseTab(page, "summary");
    await page.click("#save-page");
    assert.match(await page.innerText("#saving"), /and 1 note/);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#saving-start")]);
    const saved = readFileSync(await download.path(), "utf8");
    assert.match(saved, /data-notes="\[\[\d+,&quot;look here&quot;\]\]"/);
});
