// Scenes of searches and filters: what is found, and what is said where nothing is, or where a text is no query.

import { chooseTab } from "./page.js";
import { QUERY, fill, filterEvents, inLog, search, showPart } from "./scene-steps.js";
import { tablesSettled } from "./see.js";

/** @type {Record<string, import("./scene-steps.js").Reach>} */
export const SEARCHING = {
    "no hits": inLog("threaded", (page) => search(page, "nothing-like-this")),
    "wrong search": inLog("threaded", (page) => search(page, "type:GC longer:soon")),
    "hits in names": inLog("torn", (page) => search(page, "main")),
    "filtered events": inLog("threaded", (page) => filterEvents(page, "type:GC_STATS_GHC", "40")),
    "no such events": inLog("threaded", (page) => filterEvents(page, "nothing-like-this", "0")),
    "wrong filter of events": inLog("threaded", async (page) => {
        await filterEvents(page, "cap:0 longer:soon");
        await page.waitForSelector("log-events .wrong-query");
    }),
    "suggested filters of events": inLog("threaded", async (page) => {
        await chooseTab(page, "events");
        await fill(page, QUERY, "type:GC_ST");
        await page.waitForSelector("#query-suggestions:not([hidden]) li");
    }),
    "types of events": inLog("threaded", async (page) => {
        await chooseTab(page, "events");
        await page.click("log-events .choices summary");
        await page.waitForSelector("log-events .choice-list button");
    }),
    "filtered table": inLog("threaded", async (page) => {
        await chooseTab(page, "threads");
        await tablesSettled(page);
        await fill(page, "#panel log-table .search", "no such thread");
        await page.waitForSelector("#panel log-table:not(:has(tbody tr))", { state: "attached" });
    }),
    "search in a profile": inLog("torn", async (page) => {
        await chooseTab(page, "profile");
        await showPart(page, "log-call-tree tbody tr[aria-level]");
        await fill(page, "log-flame .search", "main");
        await page.waitForSelector("log-flame [role=status]:has-text('match')");
    }),
};
