// "Save as one HTML file": the file opens from the disk, has the log and its summary, and nothing that was to be left out.

import { after } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { SAVES, choose, corpus, file, onPage, openCorpus, presetTab, state } from "./support/page.js";
import { writeLarge, writeSmall } from "./support/eventlog.js";

const { DIST, GHC_EVENTLOG } = process.env;
const folder = mkdtempSync(join(tmpdir(), "saving-"));
after(() => rmSync(folder, { recursive: true }));

async function ask(page) {
    await page.click("#save-page");
    await page.waitForSelector("#saving[open]");
}

/** Saves the open log; returns the path of the file. */
async function save(page, { env = false } = {}) {
    await ask(page);
    if (env) await page.getByRole("checkbox").press("Space");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#saving-start")]);
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    await page.waitForSelector("#saving:not([open])", { state: "attached" });
    return path;
}

/** The log in a saved page. */
function held(path) {
    const [, base64] = /<script type="text\/plain" data-log="[^"]*">([^<]*)</.exec(readFileSync(path, "utf8"));
    return gunzipSync(Buffer.from(base64, "base64"));
}

/** The text of a page without scripts. */
function article(path) {
    const [found] = /<article class="report">[\s\S]*<\/article>/.exec(readFileSync(path, "utf8"));
    return found;
}

/** Opens the file in a page of its own, which must not send requests. */
async function opened(page, path, body) {
    const context = await page
        .context()
        .browser()
        .newContext({ viewport: { width: 1280, height: 720 } });
    const troubles = [];
    try {
        await context.addInitScript(presetTab, "summary");
        const saved = await context.newPage();
        saved.on("pageerror", (error) => troubles.push(error.message));
        saved.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
        saved.on("request", (request) => /^(file|blob|data):/.test(request.url()) || troubles.push(request.url()));
        await saved.goto(pathToFileURL(path).href);
        await saved.waitForSelector('html[data-state="ready"]:not([data-following])');
        await saved.waitForSelector("#panel:not([aria-busy])", { state: "attached" });
        await body(saved);
        assert.deepEqual(troubles, []);
    } finally {
        await context.close();
    }
}

/** The figures of the summary. */
const figures = (page) => page.locator("#summary dl").allInnerTexts();

const SECRETS = ["HOME=/home/somebody", "PASSWORD=hunter2-and-more"];
const SECRETIVE = writeSmall({ args: ["./prog"], labels: ["<i>label</i>"], env: SECRETS });

onPage("a saving that was given up does not end the one that comes after it", SAVES, async (page) => {
    await openCorpus(page, "threaded");
    let release;
    const held = new Promise((resolve) => (release = resolve));
    let asked = 0;
    // The first saving waits for its part of the page until the second one is over.
    await page.route("**/viewer.html", async (route) => {
        asked += 1;
        if (asked === 1) await held;
        await route.continue();
    });
    await ask(page);
    await page.click("#saving-start");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#saving:not([open])", { state: "attached" });
    await ask(page);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#saving-start").then(() => release())]);
    assert.match(download.suggestedFilename(), /\.html$/);
});

onPage("the saved page opens from the disk, and shows the same", SAVES, async (page) => {
    await openCorpus(page, "threaded");
    const shown = await figures(page);
    const path = await save(page);
    assert.ok(path.endsWith("log.eventlog.html"));
    assert.deepEqual(held(path), readFileSync(corpus("threaded")));
    await opened(page, path, async (saved) => {
        assert.match(await saved.title(), /threaded/);
        assert.deepEqual(await figures(saved), shown);
        await saved.click("nav.logs >> text=Report");
        const report = await saved.innerText("#report");
        for (const word of ["log.eventlog", "Garbage collection", "GC time", "Capability 0"]) assert.ok(report.includes(word), word);
        // A page of one file can be copied as it is.
        await saved.click("nav.logs >> text=Viewer");
        assert.equal(await saved.locator("#save-page").count(), 0);
    });
});

for (const name of ["threaded", "sparks-full", "disabled"]) {
    onPage(`with scripts blocked, the saved page of ${name} says the same as a report`, SAVES, async (page) => {
        await openCorpus(page, name);
        const path = await save(page);
        const report = join(folder, `${name}-report.html`);
        execFileSync(GHC_EVENTLOG, ["report", "--viewer", join(DIST, "viewer.html"), "-o", report, corpus(name)], { stdio: "pipe" });
        assert.equal(article(path), article(report));
        const context = await page.context().browser().newContext({ javaScriptEnabled: false });
        const saved = await context.newPage();
        await saved.goto(pathToFileURL(path).href);
        const { width, height } = await saved.locator("#report svg").first().boundingBox();
        assert.ok(width > 900 && height > 50, `${width} × ${height}`);
        assert.ok((await saved.locator("#report svg path").count()) > 3, "something is drawn");
        await context.close();
    });
}

onPage("the environment is not in it in any form, unless the user includes it", SAVES, async (page) => {
    await choose(page, file("run.eventlog", SECRETIVE));
    await state(page, "ready");
    const told = (path) =>
        [readFileSync(path, "latin1"), held(path).toString("latin1")].some((text) =>
            SECRETS.flatMap((secret) => secret.split("=")).some((part) => text.includes(part) && part !== "HOME"),
        );
    const without = await save(page);
    assert.ok(!told(without));
    assert.equal(held(without).length, SECRETIVE.length);
    const withIt = await save(page, { env: true });
    assert.ok(told(withIt));
    assert.deepEqual(held(withIt), SECRETIVE);
    // The choice is made again each time.
    assert.ok(!told(await save(page)));
});

onPage("a compressed log can be saved, too, and text from a log is text", SAVES, async (page) => {
    const name = `"><b onclick=x>&.gz`;
    await choose(page, file(name, gzipSync(readFileSync(corpus("single")))));
    await state(page, "ready");
    const path = await save(page);
    assert.equal(held(path).length, readFileSync(corpus("single")).length);
    await opened(page, path, async (saved) => {
        assert.equal(await saved.locator("b").count(), 0);
        assert.ok((await saved.title()).length > 0);
        await saved.click("nav.logs >> text=Report");
        assert.equal(await saved.textContent("#report h1"), name);
    });
});

onPage("saving a large log can be cancelled, and done again", SAVES, async (page) => {
    const path = join(folder, "large.eventlog");
    writeLarge(path, 60e6);
    await choose(page, path);
    await state(page, "ready");
    await ask(page);
    await page.click("#saving-start");
    await page.getByText(/^[1-9]\d? % packed$/).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForSelector("#saving:not([open])", { state: "attached" });
    assert.equal(held(await save(page)).length, readFileSync(path).length);
});

onPage("a log that is too long for a page says so, and what to do", SAVES, async (page) => {
    const path = join(folder, "long.eventlog");
    // Bytes that are not events, and cannot be compressed.
    writeFileSync(path, Buffer.concat([readFileSync(corpus("threaded")), randomBytes(51e6)]));
    await choose(page, path);
    await state(page, "ready");
    await ask(page);
    await page.getByRole("checkbox").press("Space");
    await page.click("#saving-start");
    await page.getByText(/takes more than 50 MB\. On the command line, ghc-eventlog report makes/).waitFor();
    // Without those bytes it is short.
    await page.click("#saving >> text=Cancel");
    assert.equal(held(await save(page)).length, readFileSync(path).length);
});
