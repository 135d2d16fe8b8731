// If the page cannot start, it says why, and what to do.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { PATIENCE } from "./support/patience.js";
import { serve } from "./support/server.js";

const { CHROME, DIST } = process.env;
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
const server = await serve(DIST, "/");
after(async () => {
    await browser.close();
    server.close();
});

/**
 * @param {string} name
 * @param {import("playwright-core").BrowserContextOptions} options
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 */
function onBarePage(name, options, body) {
    test(name, async () => {
        const context = await browser.newContext(options);
        context.setDefaultTimeout(PATIENCE);
        try {
            await body(await context.newPage());
        } finally {
            await context.close();
        }
    });
}

/** Checks that the page says why, shows nothing that would not work, and has the state of an error. */
async function saysWhy(frame, ...words) {
    await frame.waitForSelector("#error:not(:empty)", { state: "visible" });
    const text = await frame.textContent("#error");
    for (const word of words) assert.ok(text.includes(word), `${word} is not in: ${text}`);
    assert.equal(await frame.getAttribute("html", "data-state"), "error");
    assert.ok(await frame.isVisible("text=GHC Eventlog Viewer"), "and what could not start");
    for (const dead of [".start", ".tools", ".log", "#error-close"]) assert.ok(await frame.isHidden(dead), dead);
}

onBarePage("opened from a file, the page says how to serve it", {}, async (page) => {
    await page.goto(pathToFileURL(join(DIST, "index.html")).href);
    await saysWhy(page, "opened from a file", "python3 -m http.server", "http://localhost:8000/");
});

/** @returns {Promise<import("playwright-core").Frame>} the page in a frame of another one */
async function framed(page, sandbox) {
    await page.setContent(`<iframe ${sandbox} src="${server.url}" width="900" height="600"></iframe>`);
    const frame = page.frames()[1];
    await frame.waitForURL(server.url);
    return frame;
}

onBarePage("in a sandboxed frame the page says that it needs a tab of its own", {}, async (page) => {
    const frame = await framed(page, 'sandbox="allow-scripts"');
    await saysWhy(frame, "sandboxed frame", server.url);
});

onBarePage("it says the same if the server lets the frame load modules, but no worker", {}, async (page) => {
    await page.route("**/*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
    });
    const frame = await framed(page, 'sandbox="allow-scripts"');
    await saysWhy(frame, "sandboxed frame", server.url);
});

onBarePage("in a frame that is not sandboxed it works", {}, async (page) => {
    const frame = await framed(page, "");
    await frame.click("#example");
    await frame.waitForSelector('html[data-state="ready"]', { state: "attached" });
    assert.ok(await frame.isHidden("#error"));
});

onBarePage("without JavaScript the page says that it needs it", { javaScriptEnabled: false }, async (page) => {
    await page.goto(server.url);
    const text = await page.textContent("body noscript");
    assert.match(text, /needs JavaScript/);
    assert.ok(await page.isVisible(".unstarted"));
    assert.equal(await page.$eval(".unstarted", (element) => getComputedStyle(element).borderTopStyle), "solid", "with its style");
    for (const dead of [".start", ".tools"]) assert.ok(await page.isHidden(dead), dead);
});

onBarePage("if a part of the page does not come, it says so", {}, async (page) => {
    await page.route("**/main.js", (route) => route.fulfill({ status: 404 }));
    await page.goto(server.url);
    await saysWhy(page, "could not start", "Reload it");
});

onBarePage("under a strict policy for its content it works", {}, async (page) => {
    const policy =
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src data:";
    await page.route("**/*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
    });
    const troubles = [];
    page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
    await page.goto(server.url);
    await page.click("#example");
    await page.waitForSelector('html[data-state="ready"]', { state: "attached" });
    assert.deepEqual(troubles, []);
});

onBarePage("if it can start, none of these texts ever shows", {}, async (page) => {
    await page.goto(server.url, { waitUntil: "load" });
    assert.ok(await page.isHidden("#error"));
    assert.equal(await page.getAttribute("html", "data-state"), "empty");
    assert.ok(await page.isVisible(".start"));
    assert.ok(await page.isHidden(".its-name"));
});
