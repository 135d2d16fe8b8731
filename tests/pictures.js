// Takes the pictures of the README and docs/: node tests/pictures.js BROWSER LOG REPORT, after `cargo xtask build`. REPORT is what
// `ghc-eventlog report` has made of the log. The guide's pictures show where its walk-throughs lead.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { WALKS } from "./browser/support/guide.js";
import { openCorpus } from "./browser/support/page.js";
import { reachIn } from "./browser/support/reach.js";
import { serve } from "./browser/support/server.js";

const [executablePath, log, report] = process.argv.slice(2);
const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const picture = (name) => ({ path: at(`../web/pictures/${name}.png`) });

/** The page, with another page that embeds it, and the log that this shows. */
const site = mkdtempSync(join(tmpdir(), "pictures-"));
cpSync(at("../dist"), site, { recursive: true });
cpSync(at("../web/embedding/element.html"), join(site, "element.html"));
cpSync(log, join(site, "run.eventlog"));
const server = await serve(site, "/");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** The viewer, zoomed in, with a range and a span selected. */
async function takePage() {
    const page = await browser.newPage({ viewport: { width: 1280, height: 680 }, deviceScaleFactor: 1.5, serviceWorkers: "block" });
    await page.goto(server.url);
    await page.setInputFiles("#open-file", log);
    await page.waitForSelector("html[data-state=ready]");
    // A place where threads with labels run at the same time for a while.
    await page.locator("#timeline").hover({ position: { x: 960, y: 130 } });
    for (const key of ["w", "w", "w", "w"]) await page.keyboard.press(key);
    await page.waitForTimeout(500);
    await page.mouse.move(560, 200);
    await page.mouse.down();
    await page.mouse.move(700, 200);
    await page.mouse.move(880, 200);
    await page.mouse.up();
    await page.locator("#timeline").click({ position: { x: 640, y: 150 } });
    await page.locator("#timeline").hover({ position: { x: 760, y: 265 } });
    await page.waitForSelector("#tooltip:not([hidden])");
    await page.screenshot(picture("page"));
}

/** A report where scripts are blocked. */
async function takeReport() {
    const context = await browser.newContext({ viewport: { width: 1200, height: 700 }, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(report).href);
    await page.screenshot(picture("report"));
}

/** The viewer beside other content. */
async function takeElement() {
    const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, serviceWorkers: "block" });
    await page.goto(`${server.url}element.html`);
    await page.waitForFunction(() => document.getElementById("seen").textContent.includes("ms"));
    // The drawer comes after the tracks.
    await page.waitForTimeout(1000);
    await page.screenshot(picture("element"));
}

/** The pictures of the guide's walk-throughs: in which log, and where to scroll. */
const TAKEN = [
    ["wrong", "returned", null],
    ["pause", "threaded", ".track"],
    ["wait", "threaded", null],
    ["memory", "heap-type", ".track.banded"],
    ["cores", "threaded", ".track"],
    ["markers", "threaded", ".track"],
    ["damage", "cut-in-event", ".track"],
];

async function takeGuide() {
    for (const [name, log, seen] of TAKEN) {
        const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, serviceWorkers: "block" });
        await page.addInitScript(reachIn);
        await page.goto(server.url);
        await openCorpus(page, log);
        await WALKS[name](page);
        if (seen) await page.locator(seen).first().scrollIntoViewIfNeeded();
        await page.mouse.move(500, 5);
        await page.waitForTimeout(500);
        await page.screenshot({ path: at(`../docs/pictures/${name}.png`) });
        await page.close();
    }
}

try {
    await takeGuide();
    await takePage();
    await takeReport();
    await takeElement();
} finally {
    await browser.close();
    server.close();
    rmSync(site, { recursive: true });
}
