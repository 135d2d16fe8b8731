// Reports: one HTML file from the command line, opened from the disk, with scripts blocked, and beside a log that is too long for it.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { corpus } from "./support/page.js";
import { PATIENCE } from "./support/patience.js";
import { reachIn } from "./support/reach.js";
import { serve } from "./support/server.js";
import { until } from "./support/see.js";

const { CHROME, DIST, GHC_EVENTLOG } = process.env;
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
const folder = mkdtempSync(join(tmpdir(), "report-"));
after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
});

/** A report of some logs of the corpus; `options` are the command's. */
function report(name, cases, ...options) {
    const out = join(folder, name);
    const logs = cases.map((name) => {
        copyFileSync(corpus(name), join(folder, `${name}.eventlog`));
        return `${name}.eventlog`;
    });
    execFileSync(GHC_EVENTLOG, ["report", "--viewer", join(DIST, "viewer.html"), "-o", out, ...options, ...logs], {
        cwd: folder,
        stdio: "pipe",
    });
    return out;
}

/** Opens it in a page of its own, which may only send requests that `allowed` accepts. */
async function opened(url, options, body, allowed = () => false) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
    await context.addInitScript(reachIn);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => message.type() === "error" && !allowed(message.location().url) && troubles.push(message.text()));
    page.on("request", (request) => {
        const asked = request.url();
        if (asked !== url && !/^(blob|data):/.test(asked) && !allowed(asked)) troubles.push(`asked for ${asked}`);
    });
    try {
        await page.goto(url);
        await body(page);
        assert.deepEqual(troubles, []);
    } finally {
        await context.close();
    }
}

const ready = (page) => page.waitForSelector('html[data-state="ready"]:not([data-following])');
const address = (path) => pathToFileURL(path).href;

test("a report opens from the disk, with its log, and sends no requests", async () => {
    const path = report("one.html", ["threaded"]);
    await opened(address(path), {}, async (page) => {
        await ready(page);
        assert.match(await page.title(), /threaded\.eventlog|threaded/);
        assert.match(await page.innerText("#bar"), /1\s644 events/);
        assert.equal(await page.locator("nav.logs select").count(), 0, "one log needs no choice");
        assert.ok(!(await page.isVisible("#report")));
        await page.click("nav.logs >> text=Report");
        assert.ok(await page.isVisible("#report svg"));
        assert.ok(!(await page.isVisible("#timeline")));
        // A closed log comes back.
        await page.click("nav.logs >> text=Viewer");
        await page.click("#close");
        await page.waitForSelector('html[data-state="empty"]');
        await page.click("nav.logs >> text=Viewer");
        await ready(page);
        await page.click("#help-button");
        await page.click("#licences summary");
        assert.match(await page.innerText("#licences pre"), /^wasm-bindgen \d/m);
    });
});

// The published page may have 800 KB (docs/measuring.md). The page for tests is compiled quickly, and larger. It must not grow further
// without being noticed.
test("the viewer's share of a report is no more than 870 KB", () => {
    assert.ok(statSync(join(DIST, "viewer.html")).size <= 870_000);
});

test("several logs are one page, each a choice", async () => {
    const path = report("two.html", ["threaded", "heap-closure"]);
    await opened(address(path), {}, async (page) => {
        await ready(page);
        const first = await page.innerText("#bar");
        await page.selectOption("nav.logs select", "heap-closure.eventlog");
        await until(
            () => page.innerText("#bar"),
            (text) => /heap-closure\.eventlog/.test(text),
        );
        assert.notEqual(await page.innerText("#bar"), first);
        await page.getByRole("button", { name: "Report" }).click();
        assert.ok(await page.isVisible("#report article >> nth=1 >> svg >> nth=0"), "both are in the report");
        // And back to the first, whose text is gone from the page by then; the report stays the report.
        await page.selectOption("nav.logs select", "threaded.eventlog");
        assert.ok(await page.isVisible("#report svg >> nth=0"));
        await page.getByRole("button", { name: "Viewer" }).click();
        await until(
            () => page.innerText("#bar"),
            (text) => /threaded\.eventlog/.test(text),
        );
    });
});

test("without scripts, a report shows the summary", async () => {
    const path = report("plain.html", ["threaded"]);
    await opened(address(path), { javaScriptEnabled: false }, async (page) => {
        const text = await page.innerText("body");
        for (const word of ["threaded.eventlog", "Capabilities", "Garbage collection", "GC time", "Capability 0"])
            assert.ok(text.includes(word), word);
        assert.ok(await page.isVisible("#report svg"));
        const { height, sheet } = await page.evaluate(() => ({ height: innerHeight, sheet: document.documentElement.scrollHeight }));
        assert.ok(sheet > 2 * height, "the document itself scrolls, and prints as a whole");
    });
});

test("a report shows its log's findings: in the viewer, by a link to one, and where scripts are blocked", async () => {
    const path = report("found.html", ["returned"]);
    const { findings } = JSON.parse(execFileSync(GHC_EVENTLOG, ["summary", "--json", corpus("returned")], { encoding: "utf8" }));
    const found = findings.filter(({ level }) => level === "warning" || level === "info");
    assert.ok(found.length > 0);
    const linked = async (page) => {
        await ready(page);
        await page.waitForSelector(`log-findings [data-finding="${found[0].id}"][data-chosen]`);
        assert.equal(await page.locator("log-findings .finding").count(), found.length);
    };
    await opened(`${address(path)}#finding=${found[0].id}`, {}, linked, (asked) => asked === address(path));
    await opened(address(path), { javaScriptEnabled: false }, async (page) => {
        const text = await page.innerText("#report");
        for (const { title } of found) assert.ok(text.includes(title), title);
        assert.ok(text.includes("Try:"), "what to try");
    });
});

/** What Jenkins sends with the artifacts of a build. */
const STRICT = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';";

test("if a strict policy blocks scripts and styles, the report and its picture are still visible", async () => {
    const path = report("strict.html", ["threaded"]);
    const server = await serve(folder, "/", { headers: { "content-security-policy": STRICT } });
    try {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(`${server.url}strict.html`);
        assert.match(await page.innerText("body"), /Garbage collection/);
        const fills = await page.$$eval("svg path", (paths) => new Set(paths.map((path) => getComputedStyle(path).fill)).size);
        assert.ok(fills > 3, `the picture has its colours: ${fills}`);
        await context.close();
    } finally {
        server.close();
    }
    assert.ok(path);
});

test("a log that is too long stays beside the report: a served report requests it, in another the user drops it", async () => {
    const path = report("long.html", ["threaded"], "--embed-limit", "1k");
    await opened(address(path), {}, async (page) => {
        await page.waitForSelector("nav.logs");
        assert.ok(await page.isVisible("#report svg"));
        assert.match(await page.innerText("nav.logs"), /Viewer/);
        await page.getByRole("button", { name: "Viewer" }).click();
        await page.waitForSelector("nav.logs >> text=/is not in this page: drop the file below/");
        await page.setInputFiles("#open-file", join(folder, "threaded.eventlog"));
        await ready(page);
        assert.doesNotMatch(await page.innerText("nav.logs"), /is not in this page/);
    });
    const server = await serve(folder, "/");
    try {
        const beside = (url) => url === `${server.url}threaded.eventlog`;
        await opened(
            `${server.url}long.html`,
            {},
            async (page) => {
                await ready(page);
                // An error about another file says nothing about this one.
                await page.setInputFiles("#open-file", { name: "none.eventlog", mimeType: "text/plain", buffer: Buffer.from("hello") });
                await page.waitForSelector("#error");
                assert.ok(!(await page.isVisible("#report svg >> nth=0")) && (await page.isVisible("#canvas")));
            },
            beside,
        );
        rmSync(join(folder, "threaded.eventlog"));
        await opened(
            `${server.url}long.html`,
            {},
            async (page) => {
                // First, the page requests the log; then it shows the report.
                await page.waitForSelector("body[data-shown=report]:has(nav.logs) #report svg");
                await page.getByRole("button", { name: "Viewer" }).click();
                await page.waitForSelector("nav.logs >> text=/threaded\\.eventlog is not in this page: drop the file below/");
                await page.waitForSelector("#error >> text=/threaded\\.eventlog cannot be shown/");
            },
            beside,
        );
    } finally {
        server.close();
    }
});
