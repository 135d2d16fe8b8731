// What the page can look like: each of its states, tabs, dialogs and panels, reached as a user reaches it. The tests of accessibility and
// of looks go through all of them, so whatever is added to the page belongs here, too.

import { choose, chooseTab, corpus, file, openCorpus, state } from "./page.js";
import { DIALOGS } from "./scenes-of-dialogs.js";
import { ROWS } from "./scenes-of-rows.js";
import { SEARCHING } from "./scenes-of-searching.js";
import { chooseMain, focusRow, inLog, openBy, pressOn, search, selectSpan, showPart, suggest, tab, unfold } from "./scene-steps.js";
import { tablesSettled, until } from "./see.js";

export { preparing } from "./scenes-of-dialogs.js";

/**
 * How each is reached from the page that has just been opened. What the browser remembers from before is prepared by `preparing`.
 * @type {Record<string, import("./scene-steps.js").Reach>}
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
        await unfold(page, "threads");
        await page.locator("#headers [data-rows=threads]").click();
        await page.waitForSelector("dialog[open]");
    }),
    "rows of spans": inLog("spans-user", async (page) => {
        await unfold(page, "spans");
        await page.locator("#headers [data-rows=spans]").click();
        await page.waitForSelector("dialog[open]");
    }),
    tooltip: inLog("threaded", async (page) => {
        const header = page.locator("#headers .track", { hasText: "Capability 0" });
        await header.scrollIntoViewIfNeeded();
        const row = await header.boundingBox();
        await page.mouse.move(row.x + row.width + 60, row.y + row.height / 2);
        await page.waitForSelector("#tooltip:not([hidden])");
    }),
    "heap profile": inLog("heap-type", async (page) => {
        await page.$eval("#timeline", (box) => (box.scrollTop = box.scrollHeight));
        await page.waitForSelector(".bands li");
        await page.$eval(".track.banded", (row) => row.scrollIntoView());
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
        await pressOn(page, "Capability 1", "Shift+F10");
        await page.waitForSelector(".row-menu[open]");
    }),
    "arranged rows": inLog("threaded", async (page) => {
        await pressOn(page, "Capability 0", "p");
        await pressOn(page, "Capability 1", "h");
        await page.waitForSelector(".row-notice");
    }),
    "saved views": inLog("threaded", async (page) => {
        await pressOn(page, "Capability 1", "p");
        await page.click("#arrange-rows");
        await page.click("#view-name");
        await page.keyboard.type("one capability");
        await page.keyboard.press("Enter");
        await page.waitForSelector("#saved-views .view");
    }),
    "several notes": inLog("threaded", async (page) => {
        for (const text of ["slow from here on", "a note\nof two lines: ".padEnd(180, "long ")]) {
            await openBy(page, "m", "#noting");
            await page.keyboard.insertText(text);
            await page.keyboard.press("Control+Enter");
            await selectSpan(page);
        }
        // In a narrow window, the selection is over the tabs.
        await page.keyboard.press("Escape");
        await chooseTab(page, "notes");
        await page.waitForSelector(".notes li + li");
    }),
    "heap profile tab": tab("profile", "heap-type"),
    "frame and row": inLog("torn", async (page) => {
        await chooseMain(page);
        await page.waitForSelector("log-call-tree [aria-selected=true]");
        await page.waitForSelector(".flame-said button");
        await showPart(page, "log-flame-graph");
    }),
    "callers and callees": inLog("torn", async (page) => {
        await chooseMain(page);
        await page.locator(".flame-said button", { hasText: "show callers and callees" }).click();
        await page.waitForSelector("log-flame-graph.callees");
        await showPart(page, "log-flame");
    }),
    "folded drawer": inLog("threaded", async (page) => {
        await page.click("#drawer .fold");
        await page.waitForSelector("log-drawer.folded");
    }),
    "as it was left": async (page) => {
        await openCorpus(page, "threaded");
        await page.focus("#timeline");
        await page.keyboard.press("w");
        // What is seen must rest before it is remembered.
        await until(
            () => page.evaluate(() => localStorage.getItem("ghc-eventlog-viewer.seen")),
            (seen) => seen?.includes("t0"),
        );
        await page.click("#close");
        await openCorpus(page, "threaded");
        await page.waitForSelector(".about-link");
        await tablesSettled(page);
    },
    ...SEARCHING,
    ...ROWS,
    ...DIALOGS,
};
