// One browser for each test file, one page for each test. A test fails when its page reports an error, opens a dialog,
// or uses the network after it is loaded.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { PATIENCE } from "./patience.js";
import { reachIn } from "./reach.js";
import { until } from "./see.js";
import { serve } from "./server.js";

/** The page must work from wherever it is put. */
const BASE = "/some/where/";

let started;

function start() {
    started ??= (async () => {
        const { CHROME, DIST } = process.env;
        assert.ok(CHROME && DIST, "CHROME names the browser, DIST the folder of the built page");
        const server = await serve(DIST, BASE, { within: true });
        const browser = await chromium.launch({
            executablePath: CHROME,
            // Tests may collect garbage at any time.
            args: ["--no-sandbox", "--disable-background-networking", "--disable-quic", "--js-flags=--expose-gc"],
        });
        return { browser, server };
    })();
    return started;
}

after(async () => {
    if (!started) return;
    const { browser, server } = await started;
    await browser.close();
    server.close();
});

/** The part of the wasm that is loaded once the page has begun. */
const REST = "/wasm/ghc-eventlog-wasm_rest.wasm";

/** What the page may request when it first opens a file that the browser cannot unpack. */
const UNPACKER = /\/wasm\/ghc-eventlog-unpack-wasm(\.js|_bg\.wasm)$/;

/** The files that a page may request when it is saved as one HTML file. */
export const SAVES = {
    reads: ["viewer.html", "wasm/ghc-eventlog-report-wasm.js", "wasm/ghc-eventlog-report-wasm_bg.wasm"],
    acceptDownloads: true,
};

/**
 * A test with a page of its own, loaded and idle.
 * @param {string} name
 * @param {import("playwright-core").BrowserContextOptions & { unpacks?: boolean, restarts?: boolean, refuses?: boolean, reads?: string[],
 *     tab?: string | null, prepare?: (context: import("playwright-core").BrowserContext) => Promise<void> }} options `restarts`: another
 *     worker is started from the same files, for example since the first one dies; `refuses`: requests are refused, which the browser
 *     reports on the console; `reads`: the files that the page may request later; `tab`: the tab of the drawer that the page remembers,
 *     null if it remembers none; `prepare`: what is done before the page is opened
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 */
export function onPage(
    name,
    { unpacks = false, restarts = false, refuses = false, reads = [], tab = "summary", prepare, ...options },
    body,
) {
    test(name, async () => {
        const { browser, server } = await start();
        // The context's proxy, not the browser's: requests of the browser itself are not the page's.
        const proxy = { server: server.origin, bypass: "<-loopback>" };
        const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, proxy, ...options });
        context.setDefaultTimeout(PATIENCE);
        await context.addInitScript(reachIn);
        if (tab !== null) await context.addInitScript(presetTab, tab);
        // No service worker interferes with what is tested; offline.test.js tests that.
        await context.addInitScript(() => delete Navigator.prototype.serviceWorker);
        await prepare?.(context);
        const page = await context.newPage();
        const troubles = gather(page);
        try {
            server.requests.length = 0;
            await load(page, server);
            const loaded = server.requests.length;
            await body(page);
            const early = server.requests.slice(0, loaded);
            const allowed = (url) =>
                (url.startsWith(server.url) && unpacks && UNPACKER.test(url)) ||
                reads.some((name) => url === server.url + name) ||
                (restarts && early.includes(url)) ||
                // Comes after what a page begins with: also after it is loaded anew.
                (url.startsWith(server.url) && url.endsWith(REST));
            const late = server.requests.slice(loaded).filter((url) => !allowed(url));
            const stray = [...early.filter((url) => !url.startsWith(server.url)), ...late];
            troubles.push(...stray.map((url) => `asked the network for ${url}`));
            const isExpected = (trouble) => refuses && trouble.startsWith("console: Failed to load resource");
            assert.deepEqual(
                troubles.filter((trouble) => !isExpected(trouble)),
                [],
            );
        } catch (error) {
            const told = `\nIn ${process.argv[1]}. The page: ${[...troubles, await seen(page), ...server.requests.slice(-8)].join("\n")}`;
            error.message += told;
            // Of an error from the browser's driver, the stack is printed, which contains the original message.
            if (!error.stack.includes(told)) error.stack += told;
            throw error;
        } finally {
            await context.close();
        }
    });
}

/**
 * Lets a page that remembers no layout of the drawer begin with another tab than the first one. Runs in the page.
 * @param {string} tab
 */
export function presetTab(tab) {
    try {
        if (localStorage.getItem("ghc-eventlog-viewer.drawer") === null)
            localStorage.setItem("ghc-eventlog-viewer.drawer", JSON.stringify({ tab }));
    } catch {
        // Not every page may store anything.
    }
}

/** The state of the page, for the message of a test that fails. */
async function seen(page) {
    const words = page.evaluate(
        () => `${document.documentElement.dataset.state} (${document.readyState}): ${document.body.innerText.slice(0, 300)}`,
    );
    const late = new Promise((resolve) => setTimeout(resolve, 3000, "does not answer"));
    return Promise.race([words.catch((error) => error.message), late]);
}

/** Collects what no page should do. */
function gather(page) {
    const troubles = [];
    page.on("crash", () => troubles.push("the browser's own process for it crashed"));
    page.on("pageerror", (error) => troubles.push(`error: ${error.stack}`));
    page.on("console", (message) => {
        if (message.type() === "error") troubles.push(`console: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
        troubles.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    return troubles;
}

/** Waits until the page is loaded: its wasm and its worker come last. */
async function load(page, server) {
    await page.goto(server.url);
    await state(page, "empty");
    // Ask the server: the browser does not report every request of a worker.
    const asked = () => ["-wasm_bg.wasm", REST, "/worker.js"].every((end) => server.requests.some((url) => url.endsWith(end)));
    await until(asked, (all) => all);
}

/** Waits until the page is in a state. When a log is ready, its figures and tables come a frame after its tracks. */
export async function state(page, name) {
    await page.waitForSelector(`html[data-state="${name}"]`, { state: "attached" });
    if (name !== "ready") return;
    // A short log's threads are followed at once: wait until everything is known.
    await page.waitForSelector("html:not([data-following])", { state: "attached" });
    await page.waitForSelector("#panel:not([aria-busy])", { state: "attached" });
}

/** A log of the corpus. */
export function corpus(name) {
    return fileURLToPath(new URL(`../../corpus/${name}/log.eventlog`, import.meta.url));
}

/**
 * Chooses a tab of the drawer. A greyed one can be chosen, too, but the browser's driver would wait for it to be enabled.
 * @param {import("playwright-core").Page} page
 * @param {string} key
 */
export async function chooseTab(page, key) {
    for (let tries = 0; tries < 5; tries++) {
        await page.click(`#tab-${key}`, { force: true });
        // A second click at once would be a double click, which folds the drawer.
        const chosen = page.waitForSelector(`#tab-${key}[aria-selected=true]`, { timeout: 1000 });
        if (
            await chosen.then(
                () => true,
                () => false,
            )
        )
            return;
    }
    throw new Error(`the tab ${key} cannot be chosen`);
}

/** A file that exists only in memory. */
export function file(name, bytes) {
    return { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
}

/** Opens a file by its path, or one made with `file`. */
export async function choose(page, what) {
    await page.setInputFiles("#open-file", what);
}

/** Opens a log of the corpus, and waits until it is ready. */
export async function openCorpus(page, name) {
    await choose(page, corpus(name));
    await state(page, "ready");
}

/** Drops a file somewhere on the page. */
export async function drop(page, selector, path) {
    await dropAll(page, selector, { "dropped.eventlog": readFileSync(path) });
}

/**
 * Drops files at once.
 * @param {import("playwright-core").Page} page
 * @param {string} selector
 * @param {Record<string, Uint8Array>} contents by their names
 */
export async function dropAll(page, selector, contents) {
    const files = Object.entries(contents).map(([name, bytes]) => ({ name, base64: Buffer.from(bytes).toString("base64") }));
    await page.evaluate(
        async ({ selector, files }) => {
            const dataTransfer = new DataTransfer();
            for (const { name, base64 } of files) {
                const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
                dataTransfer.items.add(new File([bytes], name));
            }
            const target = document.querySelector(selector);
            for (const type of ["dragenter", "dragover", "drop"]) {
                target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, composed: true, cancelable: true }));
            }
        },
        { selector, files },
    );
}
