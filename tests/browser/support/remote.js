// Logs on servers: a page, its own server and two others, with the requests to each.

import { after } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { corpus, state } from "./page.js";
import { PATIENCE } from "./patience.js";
import { reachIn } from "./reach.js";
import { serve } from "./server.js";
import { Logs } from "./logs.js";
import { drawn, until } from "./see.js";
import { writeLarge } from "./eventlog.js";
import { workerOf } from "./worker.js";

const { CHROME } = process.env;
export const { DIST } = process.env;

export const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
export const folder = mkdtempSync(join(tmpdir(), "remote-"));
export const [own, others, thirds] = [new Logs(), new Logs(), new Logs()];
export const server = await serve(DIST, "/", { logs: own });
export const [other, third] = [await serve(folder, "/", { logs: others }), await serve(folder, "/", { logs: thirds })];
after(async () => {
    await browser.close();
    server.close();
    other.close();
    third.close();
    rmSync(folder, { recursive: true });
});

export const LOG = readFileSync(corpus("threaded"));
export const LONG = join(folder, "long.eventlog");
// Longer than a log that is kept in a copy.
writeLarge(LONG, 24e6);
/** Fewer bytes than a short log has, compressed or not. */
export const CAP_OF_SHORT = Math.floor(gzipSync(LOG).length / 4);
export const SIZE = statSync(LONG).size;
export const MIB = (SIZE / 2 ** 20).toPrecision(3).replace(".", "\\.");
export const ETAG = { etag: '"1"', "last-modified": "Wed, 21 Oct 2015 07:28:00 GMT" };

/**
 * A test with a page at an address. The browser's own reports of failed requests do not fail it.
 * @param {string} address relative to the server's
 * @param {(page: import("playwright-core").Page, context: import("playwright-core").BrowserContext) => Promise<void>} body
 * @param {(page: import("playwright-core").Page) => Promise<void>} [before] called before the page is loaded
 */
export async function at(address, body, before = async () => {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    await context.addCookies([server, other].map(({ origin: url }) => ({ name: "session", value: "secret", url })));
    await context.addInitScript(reachIn);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on(
        "console",
        (message) =>
            message.type() === "error" &&
            !/Failed to load|CORS|Content Security|net::/.test(message.text()) &&
            troubles.push(message.text()),
    );
    try {
        await before(page);
        await page.goto(`${server.origin}/${address}`);
        await body(page, context);
        assert.deepEqual(troubles, []);
    } finally {
        await context.close();
    }
}

/** A page that opens a log by its address. */
export const opening = (url, body, before) => at(`#url=${encodeURIComponent(url)}`, body, before);
export const beside = (name) => `logs/${name}`;
export const elsewhere = (name) => `${other.origin}/logs/${name}`;

export const facts = (page) => page.textContent("#facts");
export const notices = (page) => page.textContent("#notices");
export const error = async (page) => {
    await state(page, "error");
    return page.textContent("#error");
};
export const streams = (asked) => asked.filter(({ range }) => /-$/.test(range ?? "-"));
export const parts = (asked) => asked.filter(({ range }) => /-\d+$/.test(range ?? ""));

/** Zooms in so far that the place must be read again, and waits until it is drawn. */
export async function lookClosely(page) {
    await page.focus("#timeline");
    for (let press = 0; press < 24; press++) await page.keyboard.press("w");
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
    await until(
        () => drawn(page, "Capability 0"),
        (pixels) => pixels > 0,
    );
}

/** Makes time go faster for the page's worker. */
export async function hurried(page, times) {
    const session = await page.context().newCDPSession(page);
    const send = await workerOf(session);
    // A new worker has no timers yet.
    const timers = () => send("Runtime.evaluate", { expression: "typeof self.setTimeout" });
    await until(
        async () => (await timers()).result.value,
        (type) => type === "function",
    );
    const expression = `{ const { setTimeout } = self; self.setTimeout = (act, ms, ...rest) => setTimeout(act, ms / ${times}, ...rest); }`;
    await send("Runtime.evaluate", { expression });
    await session.detach();
}

/** The other server, in a pattern. */
export const HOST = new URL(other.origin).host.replaceAll(".", "\\.");
