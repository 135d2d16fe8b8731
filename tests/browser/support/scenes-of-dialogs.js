// Scenes of dialogs and hints, and of what the browser remembers from earlier visits.

import { chooseTab, openCorpus } from "./page.js";
import { fill, inLog, openBy, pressOn, suggest } from "./scene-steps.js";

/** @typedef {import("./scene-steps.js").Reach} Reach */

/** @param {import("playwright-core").Page} page */
async function openSources(page) {
    await chooseTab(page, "profile");
    await page
        .getByRole("button", { name: /link to your sources…/ })
        .first()
        .click();
    await page.waitForSelector("#sources[open]");
}

/** @type {Record<string, Reach>} */
export const DIALOGS = {
    "link to sources": inLog("torn", async (page) => {
        await openSources(page);
        await fill(page, "#sources-template", "https://example.org/me/program/blob/{commit}/{file}#L{line}");
        await fill(page, "#sources-commit", "1f2e3d");
    }),
    "wrong link to sources": inLog("torn", async (page) => {
        await openSources(page);
        await fill(page, "#sources-template", "javascript:alert(1)");
        await page.click("#sources-keep");
    }),
    "no such moment": inLog("threaded", async (page) => {
        await openBy(page, "g", "#go");
        await page.keyboard.type("3 h");
        await page.keyboard.press("Enter");
        await page.waitForSelector("#go-trouble:not(:empty)");
    }),
    "arranging rows": inLog("threaded", async (page) => {
        await pressOn(page, "Capability 1", "p");
        await pressOn(page, "Capability 0", "h");
        await page.click("#arrange-rows");
        await page.waitForSelector("#pinned-rows");
    }),
    "several saved views": async (page) => {
        await openCorpus(page, "threaded");
        await page.click("#arrange-rows");
        await page.waitForSelector("#saved-views .view");
    },
    "menu of a group": inLog("threaded", async (page) => {
        await page.locator("#headers [data-group=caps]").focus();
        await page.keyboard.press("Shift+F10");
        await page.waitForSelector(".row-menu[open]");
    }),
    "hint of a first visit": async (page) => {
        await page.waitForSelector("#first-hint .hint[data-shown]");
    },
    "hint to drag": inLog("threaded", async (page) => {
        await page.waitForSelector("#hint .hint[data-shown]");
    }),
    "hint about keys": inLog("threaded", async (page) => {
        await page.waitForSelector("#hint .hint[data-shown]");
    }),
    "recent logs": inLog("threaded", async (page) => {
        await suggest(page, ">open again");
    }),
    "start with a link": async (page) => {
        await page.evaluate(() => (location.hash = "#file=run.eventlog&size=123456&t0=1000&t1=5000"));
        await page.waitForSelector("#linked-file");
    },
    "link about another log": async (page) => {
        await page.evaluate(() => (location.hash = "#file=run.eventlog&size=123456&t0=1000&t1=5000"));
        await openCorpus(page, "threaded");
        await page.waitForSelector(".about-link");
    },
};

const PREFIX = "ghc-eventlog-viewer.";
const VIEW = { rows: "", folds: {}, time: null, called: {} };

/**
 * What the browser remembers when a scene begins, besides the tab: by the scene, and by the names of what is remembered.
 * @type {Record<string, Record<string, unknown>>}
 */
const REMEMBERED = {
    "hint of a first visit": { hints: "open drag help" },
    "hint to drag": { hints: "drag help" },
    "hint about keys": { hints: "help" },
    "several saved views": {
        "views-of-all": [
            { ...VIEW, name: "garbage collection only" },
            { ...VIEW, name: "all threads of the server, by how long they ran, first minute", time: [0, 60e9] },
            { ...VIEW, name: "heap" },
        ],
    },
    "recent logs": {
        recent: [
            { name: "yesterday.eventlog", size: 81_234_567 },
            { name: "a-server-with-a-long-name-under-load-for-ten-minutes.eventlog.zst", size: 1_234_567_890 },
            { name: "run.eventlog", size: 0, url: "https://example.org/logs/run.eventlog" },
        ],
    },
};

/**
 * Lets the browser remember what a scene needs.
 * @param {string} scene
 * @returns {(context: import("playwright-core").BrowserContext) => Promise<void>}
 */
export function preparing(scene) {
    const items = Object.entries(REMEMBERED[scene] ?? {}).map(([name, value]) => [
        PREFIX + name,
        typeof value === "string" ? value : JSON.stringify(value),
    ]);
    return async (context) => {
        if (items.length > 0)
            await context.addInitScript((items) => {
                for (const [name, value] of items) localStorage.setItem(name, value);
            }, items);
    };
}
