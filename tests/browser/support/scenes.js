// What the page can look like: each of its states, tabs, dialogs and panels, reached as a user reaches it. The tests of accessibility and
// of looks go through all of them, so whatever is added to the page belongs here, too.

import { choose, chooseTab, corpus, file, openCorpus, state } from "./page.js";
import { tablesSettled, until } from "./see.js";

/** @typedef {import("playwright-core").Page} Page */

/**
 * Types into the search field.
 * @param {Page} page
 * @param {string} text
 */
async function type(page, text) {
    await page.focus("#timeline");
    await page.keyboard.press("/");
    await page.keyboard.type(text);
}

/** @param {Page} page @param {string} text */
async function suggest(page, text) {
    await type(page, text);
    await page.waitForSelector("#suggestions:not([hidden]) li");
}

/**
 * Searches, and waits until all is found.
 * @param {Page} page
 * @param {string} query
 */
async function search(page, query) {
    await type(page, query);
    await page.keyboard.press("Enter");
    await until(
        () => page.textContent("#search-status"),
        (text) => text !== "" && !text.includes("…"),
    );
    await page.focus("#timeline");
}

/** Selects a span by the keyboard. @param {Page} page */
async function selectSpan(page) {
    await page.focus("#timeline");
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
}

/**
 * Presses a key of the timeline that opens a dialog.
 * @param {Page} page
 * @param {string} key
 * @param {string} dialog its selector
 */
async function openBy(page, key, dialog) {
    await page.focus("#timeline");
    await page.keyboard.press(key);
    await page.waitForSelector(`${dialog}[open]`);
}

/**
 * A tab of the drawer, in a log that has something to show there.
 * @param {string} key
 * @param {string} log
 */
const tab = (key, log) => async (/** @type {Page} */ page) => {
    await openCorpus(page, log);
    await chooseTab(page, key);
    await tablesSettled(page);
};

/** @param {string} log @param {(page: Page) => Promise<void>} then */
const inLog = (log, then) => async (/** @type {Page} */ page) => {
    await openCorpus(page, log);
    await then(page);
    await tablesSettled(page);
};

/**
 * Scrolls a part of the drawer into view.
 * @param {Page} page
 * @param {string} part
 */
async function showPart(page, part) {
    await page.waitForSelector(part);
    await page.$eval(part, (box) => box.scrollIntoView());
}

/**
 * Unfolds a group of rows, and scrolls to its end.
 * @param {Page} page
 * @param {string} group
 */
async function unfold(page, group) {
    const heading = page.locator(`#headers [data-group=${group}]`);
    await heading.scrollIntoViewIfNeeded();
    if ((await heading.getAttribute("aria-expanded")) === "false") await heading.click();
    await page.waitForSelector(`#headers [data-group=${group}][aria-expanded=true]`);
    await page.$eval("#timeline", (box) => (box.scrollTop = box.scrollHeight));
}

/** Focuses a row's name, which shows its tools. @param {Page} page @param {string} name */
async function focusRow(page, name) {
    await page.locator(`#headers .track[data-name="${name}"]`).focus();
}

/**
 * How each is reached from the page that has just been opened.
 * @type {Record<string, (page: Page) => Promise<void>>}
 */
export const SCENES = {
    start: async () => {},
    error: async (page) => {
        await choose(page, file("text.eventlog", "this is a text\n".repeat(20)));
        await state(page, "error");
    },
    "error beside a log": inLog("threaded", async (page) => {
        await choose(page, file("text.eventlog", "this is a text\n".repeat(20)));
        await state(page, "error");
    }),
    "choosing a file": async (page) => {
        await choose(page, [corpus("single"), corpus("threaded")]);
        await state(page, "choosing");
    },
    damage: inLog("cut-in-event", (page) => page.waitForSelector("#notices", { state: "visible" }).then(() => {})),
    "findings tab": tab("findings", "returned"),
    "open finding": inLog("returned", async (page) => {
        await chooseTab(page, "findings");
        await page.locator("log-findings .finding .head").first().click();
        await page.locator("log-findings .finding-acts").waitFor();
    }),
    "account as a list": inLog("threaded", async (page) => {
        await chooseTab(page, "findings");
        await page.click(".list-parts");
        await page.waitForSelector("#account-parts");
    }),
    "summary tab": tab("summary", "threaded"),
    "gc tab": tab("gc", "threaded"),
    "heap tab": tab("heap", "heap-type"),
    "threads tab": tab("threads", "threaded"),
    "sparks tab": tab("sparks", "sparks"),
    "messages tab": tab("messages", "messages"),
    "requests tab": tab("requests", "spans-user"),
    "events tab": tab("events", "threaded"),
    "search tab": tab("search", "threaded"),
    "notes tab": tab("notes", "threaded"),
    "profile tab": tab("profile", "time-profile"),
    "ticky tab": tab("ticky", "written-ticky-json"),
    "process tab": tab("process", "threaded"),
    "tab without data": tab("sparks", "single"),
    selection: inLog("threaded", selectSpan),
    range: inLog("threaded", async (page) => {
        await selectSpan(page);
        await page.keyboard.press("r");
        await page.waitForSelector("#drawer .chip");
    }),
    suggestions: inLog("threaded", (page) => suggest(page, "type:GC")),
    palette: inLog("threaded", (page) => suggest(page, ">zo")),
    hits: inLog("threaded", (page) => search(page, "type:GC longer:100us")),
    notes: inLog("threaded", async (page) => {
        await openBy(page, "m", "#noting");
        await page.keyboard.type("slow from here on");
        await page.keyboard.press("Control+Enter");
        await chooseTab(page, "notes");
        await page.waitForSelector(".notes li");
    }),
    grid: inLog("threaded", async (page) => {
        await page.focus("#timeline");
        await page.keyboard.press("q");
        await page.waitForSelector("#grid [role=gridcell]:focus");
    }),
    "note dialog": inLog("threaded", (page) => openBy(page, "m", "#noting")),
    "going to a moment": inLog("threaded", (page) => openBy(page, "g", "#go")),
    help: inLog("threaded", (page) => openBy(page, "?", "#help")),
    "save dialog": inLog("threaded", async (page) => {
        await page.click("#save-page");
        await page.waitForSelector("#saving[open]");
    }),
    "rows of threads": inLog("threaded", async (page) => {
        await page.locator("#headers [data-group=threads]").click();
        await page.locator("#headers [data-rows=threads]").click();
        await page.waitForSelector("dialog[open]");
    }),
    "rows of spans": inLog("spans-user", async (page) => {
        await page.locator("#headers [data-group=spans][aria-expanded=false]").click();
        await page.locator("#headers [data-rows=spans]").click();
        await page.waitForSelector("dialog[open]");
    }),
    tooltip: inLog("threaded", async (page) => {
        const header = page.locator("#headers .track", { hasText: "Capability 2" });
        await header.scrollIntoViewIfNeeded();
        const row = await header.boundingBox();
        await page.mouse.move(row.x + row.width + 60, row.y + row.height / 2);
        await page.waitForSelector("#tooltip:not([hidden])");
    }),
    "heap profile": inLog("heap-type", async (page) => {
        await page.$eval("#timeline", (box) => (box.scrollTop = box.scrollHeight));
        await page.locator(".track.banded").first().scrollIntoViewIfNeeded();
        await page.waitForSelector(".bands li");
    }),
    points: inLog("threaded", (page) => unfold(page, "other")),
    "flame graph": inLog("torn", async (page) => {
        await chooseTab(page, "profile");
        await showPart(page, "log-flame-graph");
    }),
    "call tree": inLog("torn", async (page) => {
        await chooseTab(page, "profile");
        await showPart(page, "log-call-tree tbody tr[aria-level]");
        await page.focus("log-call-tree table");
        await page.keyboard.press("ArrowRight");
    }),
    histogram: inLog("threaded", async (page) => {
        await chooseTab(page, "gc");
        await showPart(page, "log-histogram");
    }),
    "details of an event": inLog("threaded", async (page) => {
        await chooseTab(page, "events");
        await page.focus("log-events log-table table");
        for (const key of [...Array(6).fill("ArrowDown"), "Enter"]) await page.keyboard.press(key);
        await page.waitForSelector("log-event");
    }),
    measuring: inLog("threaded", async (page) => {
        await selectSpan(page);
        await page.keyboard.press("i");
        await page.keyboard.press(".");
        await page.waitForSelector("#details log-measured dl");
    }),
    "tools of a row": inLog("threaded", async (page) => {
        await focusRow(page, "Capability 1");
        await page.waitForSelector(".row-tools:not([hidden])");
    }),
    "menu of a row": inLog("threaded", async (page) => {
        await focusRow(page, "Capability 1");
        await page.keyboard.press("Shift+F10");
        await page.waitForSelector(".row-menu[open]");
    }),
    "arranged rows": inLog("threaded", async (page) => {
        await focusRow(page, "Capability 0");
        await page.keyboard.press("p");
        await focusRow(page, "Capability 1");
        await page.keyboard.press("h");
        await page.waitForSelector(".row-notice");
    }),
    "saved views": inLog("threaded", async (page) => {
        await focusRow(page, "Capability 1");
        await page.keyboard.press("p");
        await page.click("#arrange-rows");
        await page.click("#view-name");
        await page.keyboard.type("one capability");
        await page.keyboard.press("Enter");
        await page.waitForSelector("#saved-views .view");
    }),
};
