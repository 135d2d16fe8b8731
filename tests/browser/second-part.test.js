// The second part of the wasm: what few logs need. It is loaded when that is asked for, once; and where it does not come, that is said.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chooseTab, openCorpus, state } from "./support/page.js";
import { reachIn } from "./support/reach.js";
import { serve } from "./support/server.js";
import { until } from "./support/see.js";

const { CHROME, DIST } = process.env;
const SECOND = "wasm/ghc-eventlog-wasm_second.wasm";

/** How the server answers those who ask for the second part: with what it is, if that is null. @type {((response: import("node:http").ServerResponse) => void) | null} */
let instead = null;
const browser = await chromium.launch({
    executablePath: CHROME,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-quic"],
});
const server = await serve(DIST, "/", {
    logs: {
        answer(_, response, { pathname }) {
            if (!instead || pathname !== `/${SECOND}`) return false;
            instead(response);
            return true;
        },
    },
});
after(async () => {
    await browser.close();
    server.close();
});

/** How often it was asked for. */
const asked = () => server.requests.filter((url) => url === server.url + SECOND).length;

/**
 * @param {string} name
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 */
function onPage(name, body) {
    test(name, async () => {
        const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
        context.setDefaultTimeout(20_000);
        await context.addInitScript(reachIn);
        await context.addInitScript(() => delete Navigator.prototype.serviceWorker);
        server.requests.length = 0;
        try {
            const page = await context.newPage();
            await page.goto(server.url);
            await state(page, "empty");
            await body(page);
        } finally {
            instead = null;
            await context.close();
        }
    });
}

const rows = (page) => page.$$eval(".listing tbody tr", (all) => all.map((row) => row.textContent));

const noticed = (page, text) => page.locator("#notices-summary", { hasText: new RegExp(text.replace(/[().]/g, "\\$&"), "i") }).waitFor();

onPage("nothing of it is needed to open a log, to look at it, or for its tables", async (page) => {
    await openCorpus(page, "threaded");
    for (const tab of ["process", "threads", "gc"]) await chooseTab(page, tab);
    await page.waitForSelector("#panel:not([aria-busy])");
    assert.equal(asked(), 0);
    // Until rows are sorted, say.
    await page.click('.tab-panel > log-table thead th:has-text("Pause")');
    await page.waitForSelector('th[aria-sort="descending"]');
    await until(asked, (times) => times === 1);
});

onPage("it is loaded for the first who needs it, and there for all others", async (page) => {
    await openCorpus(page, "time-profile");
    await chooseTab(page, "events");
    await until(
        () => rows(page),
        (all) => all.some((row) => row.includes("spark stats: 0 created")),
    );
    await chooseTab(page, "profile");
    await page.waitForSelector("log-flame canvas");
    await chooseTab(page, "summary");
    await page.click(".summary-copy");
    await until(
        () => page.textContent("#announcer"),
        (text) => text === "Summary copied",
    );
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\| Figure \| Value \|/);
    assert.equal(asked(), 1);
});

onPage("where it does not come, that is said; the log stays, and all is there once it comes", async (page) => {
    instead = (response) => response.writeHead(503).end();
    await openCorpus(page, "threaded");
    await chooseTab(page, "events");
    await noticed(page, "a part of the viewer could not be loaded (status 503). Try again once it can be reached");
    await comes(page);
    // Nothing is missing any more, and nothing says so.
    await page.waitForSelector("#notices", { state: "hidden" });
});

/** The log is still there, and so is the second part once the server has it. */
async function comes(page) {
    assert.equal(await page.getAttribute("html", "data-state"), "ready");
    instead = null;
    await chooseTab(page, "summary");
    await chooseTab(page, "events");
    await until(
        () => rows(page),
        (all) => all.some((row) => row.includes("spark stats: 0 created")),
    );
}

const WHOLE = readFileSync(join(DIST, SECOND));
const OTHERS = {
    "a page": Buffer.from("<!doctype html>Please log in"),
    nothing: Buffer.alloc(0),
    "half of it": WHOLE.subarray(0, WHOLE.length / 2),
};

for (const [what, body] of Object.entries(OTHERS)) {
    onPage(`where ${what} comes as if it were the second part, that is said, too`, async (page) => {
        instead = (response) => response.writeHead(200, { "content-type": "application/wasm" }).end(body);
        await openCorpus(page, "threaded");
        await chooseTab(page, "events");
        await noticed(page, "a part of the viewer could not be loaded (");
        await comes(page);
        await page.waitForSelector("#notices", { state: "hidden" });
    });
}

/** A module that wants of the first part what that does not have, as another version's may. */
const OTHER = Buffer.concat([
    Buffer.from("\0asm\x01\0\0\0", "latin1"),
    Buffer.from([1, 4, 1, 0x60, 0, 0]),
    Buffer.from([2, 17, 1, 5, ...Buffer.from("first"), 7, ...Buffer.from("nothing"), 0, 0]),
    Buffer.from([7, 15, 1, 11, ...Buffer.from("second-00-0"), 0, 0]),
]);

/** One that has nothing at all. */
const EMPTY = OTHER.subarray(0, 8);

for (const [what, module] of Object.entries({ "of another version": OTHER, empty: EMPTY })) {
    onPage(`one that is ${what} is not used`, async (page) => {
        assert.ok(WebAssembly.validate(module));
        instead = (response) => response.writeHead(200, { "content-type": "application/wasm" }).end(module);
        await openCorpus(page, "threaded");
        await chooseTab(page, "events");
        await noticed(page, "a part of the viewer is of another version than the rest. Reload the page");
        await comes(page);
    });
}
