// axe-core finds nothing where the page is not alone, or not itself: while a log loads, before a server is asked, beside other content,
// in saved pages, in reports, and in the documentation.

import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { corpus, state } from "./support/page.js";
import { axeFindings } from "./support/axe.js";
import { PATIENCE } from "./support/patience.js";
import { DIST, LONG, SIZE, beside, browser, elsewhere, folder, opening, others, own, server } from "./support/remote.js";

const { GHC_EVENTLOG } = process.env;
const example = (name) => readFileSync(fileURLToPath(new URL(`../../web/embedding/${name}`, import.meta.url)), "utf8");

test("while a log loads", async () => {
    let release = () => {};
    const until = new Promise((resolve) => (release = resolve));
    own.put("slow.eventlog", { log: LONG, hold: { at: Math.floor(SIZE / 2), until } });
    await opening(beside("slow.eventlog"), async (page) => {
        await page.waitForFunction(() => /[1-9]\S* events/.test(document.getElementById("progress-text").textContent));
        await state(page, "loading");
        assert.deepEqual(await axeFindings(page), []);
        release();
        await state(page, "ready");
    });
});

test("before another server is asked", async () => {
    others.put("far.eventlog", { log: LONG });
    await opening(elsewhere("far.eventlog"), async (page) => {
        await state(page, "asking");
        assert.deepEqual(await axeFindings(page), []);
    });
});

/** Whether each is looked at in every way. */
const ALL = process.env.EXTENT === "all";

/**
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} options
 * @param {(page: import("playwright-core").Page) => Promise<unknown>} reach
 */
async function isClean(url, options, reach) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block", ...options });
    context.setDefaultTimeout(PATIENCE);
    try {
        const page = await context.newPage();
        await page.goto(url);
        await reach(page);
        assert.deepEqual(await axeFindings(page), [], url);
    } finally {
        await context.close();
    }
}

const ready = (page) => page.waitForSelector('[data-state="ready"]:not([data-following])');
const WAYS = [{ colorScheme: "light" }, { colorScheme: "dark" }, { forcedColors: "active" }, { viewport: { width: 320, height: 640 } }];

test("the element beside other content", async () => {
    await isClean(server.url, {}, async (tab) => {
        await tab.route("**/element.html", (route) => route.fulfill({ contentType: "text/html", body: example("element.html") }));
        await tab.route("**/run.eventlog", (route) => route.fulfill({ path: corpus("threaded") }));
        await tab.goto(`${server.url}element.html`);
        await ready(tab);
    });
});

test("a page that was saved with its log, and a report: with scripts and without", async () => {
    const log = join(folder, "run.eventlog");
    const out = join(folder, "report.html");
    copyFileSync(corpus("threaded"), log);
    execFileSync(GHC_EVENTLOG, ["report", "--viewer", join(DIST, "viewer.html"), "-o", out, log], { stdio: "pipe" });
    // axe is a script, too: instead of blocking scripts, the file has none.
    const bare = join(folder, "bare.html");
    writeFileSync(bare, readFileSync(out, "utf8").replaceAll(/<script[\s\S]*?<\/script>/g, ""));
    for (const way of WAYS) {
        await isClean(pathToFileURL(out).href, way, ready);
        await isClean(pathToFileURL(bare).href, way, (page) => page.waitForSelector("article.report svg"));
    }
});

test("every page of the documentation", async () => {
    const pages = readdirSync(join(DIST, "docs")).filter((name) => name.endsWith(".html"));
    assert.ok(pages.length > 8, pages.join());
    for (const [at, name] of pages.entries()) {
        const url = pathToFileURL(join(DIST, "docs", name)).href;
        for (const way of ALL ? WAYS : [WAYS[at % WAYS.length]]) await isClean(url, way, async () => {});
    }
});
