// Messages from other windows to a viewer in a frame: it listens only to its parent, refuses what it does not understand, and reports
// nothing about a log that the user has opened.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { chromium } from "playwright-core";
import { corpus } from "./support/page.js";
import { PATIENCE } from "./support/patience.js";
import { reachIn } from "./support/reach.js";
import { serve } from "./support/server.js";
import { until } from "./support/see.js";

const { CHROME, DIST } = process.env;
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
const folder = mkdtempSync(join(tmpdir(), "messages-"));
const viewer = await serve(DIST, "/");
const PARENT = `<!doctype html><link rel="icon" href="data:,"><script>heard = []; addEventListener("message", ({ data }) => heard.push(data));</script>`;
const FRAME = `<iframe name="viewer" src="${viewer.url}" width="1200" height="800"></iframe>`;
cpSync(DIST, folder, { recursive: true });
copyFileSync(corpus("threaded"), join(folder, "run.eventlog"));
writeFileSync(join(folder, "parent.html"), `${PARENT}${FRAME}`);
writeFileSync(join(folder, "stranger.html"), `${PARENT}${FRAME}<iframe name="stranger" srcdoc=""></iframe>`);
writeFileSync(
    join(folder, "element.html"),
    `${PARENT}<script type="module" src="js/main.js"></script><ghc-eventlog-viewer src="run.eventlog" style="display:block;height:700px"></ghc-eventlog-viewer>`,
);
const outer = await serve(folder, "/");
after(async () => {
    await browser.close();
    for (const server of [viewer, outer]) server.close();
    rmSync(folder, { recursive: true });
});

/** @param {(its: { page: import("playwright-core").Page, frame: import("playwright-core").Frame }) => Promise<void>} body */
async function inFrame(address, body) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(reachIn);
    const troubles = [];
    context.on("weberror", (error) => troubles.push(error.error().stack));
    context.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
    try {
        const page = await context.newPage();
        await page.goto(address);
        await until(
            () => page.evaluate(() => heard.some(({ kind }) => kind === "hello")),
            (said) => said,
        );
        await body({ page, frame: page.frame("viewer"), context });
        assert.deepEqual(troubles, []);
    } finally {
        await context.close();
    }
}

const kinds = (page) => page.evaluate(() => heard.map(({ kind }) => kind));

/** Opens a log in the frame by a message. */
const openIn = (page, bytes, name) =>
    page.evaluate(
        ({ bytes, name }) =>
            frames.viewer.postMessage(
                { viewer: "ghc-eventlog-viewer", version: 1, kind: "open", name, data: new Uint8Array(bytes).buffer },
                "*",
            ),
        { bytes: [...bytes], name },
    );

const THREADED = readFileSync(corpus("threaded"));

/** The user selects something, and moves the view; waits until events about that would have come. */
async function lookAround(page, frame) {
    await frame.locator("#timeline").focus();
    for (const key of [".", ".", "w"]) await page.keyboard.press(key);
    await page.waitForTimeout(500);
}

/** The user opens a log in the frame. */
async function readerOpens(frame) {
    await frame.setInputFiles("#open-file", corpus("single"));
    await frame.waitForSelector('html[data-state="ready"]', { state: "attached" });
    await frame.waitForFunction(() => document.getElementById("program").textContent === "single");
}

/** @param {string[]} told */
const ofALog = (told) => told.filter((kind) => ["ready", "rangechange", "select"].includes(kind));

test("nothing is reported about the user's log when one of the page's could not be shown", async () => {
    await inFrame(`${outer.url}parent.html`, async ({ page, frame }) => {
        await readerOpens(frame);
        await openIn(page, Buffer.from("no log"), "junk");
        await until(
            () => kinds(page),
            (told) => told.includes("error"),
        );
        assert.equal(await frame.textContent("#program"), "single");
        await lookAround(page, frame);
        assert.deepEqual(ofALog(await kinds(page)), []);
        // A log that can be shown is reported again.
        await openIn(page, THREADED, "mine");
        await until(
            () => kinds(page),
            (told) => told.includes("ready"),
        );
        await lookAround(page, frame);
        await until(
            () => kinds(page),
            (told) => told.includes("select") && told.includes("rangechange"),
        );
    });
});

test("nothing is reported about the user's log after one of the page's was given up", async () => {
    await inFrame(`${outer.url}parent.html`, async ({ page, frame }) => {
        await readerOpens(frame);
        // A zip of two logs waits until one is chosen.
        await openIn(page, zipSync({ "a.eventlog": new Uint8Array(THREADED), "b.eventlog": new Uint8Array(THREADED) }), "two.zip");
        await frame.waitForSelector('html[data-state="choosing"]', { state: "attached" });
        await page.evaluate(() => (heard.length = 0));
        await frame.locator("#choice").getByRole("button", { name: "Cancel" }).click();
        await frame.waitForSelector('html[data-state="ready"]', { state: "attached" });
        await lookAround(page, frame);
        assert.deepEqual(ofALog(await kinds(page)), []);
    });
});

test("a log that fails is reported to the page that opened it, but not one of the user's", async () => {
    await inFrame(`${outer.url}parent.html`, async ({ page, frame }) => {
        await openIn(page, THREADED, "mine");
        await until(
            () => kinds(page),
            (told) => told.includes("ready"),
        );
        await page.evaluate(() => (heard.length = 0));
        await frame.setInputFiles("#open-file", { name: "private name", mimeType: "", buffer: Buffer.from("no log") });
        await frame.waitForFunction(() => document.getElementById("error")?.textContent.includes("private name"));
        await page.waitForTimeout(300);
        assert.ok(!JSON.stringify(await page.evaluate(() => heard)).includes("private name"));
    });
});

/** Sends messages that make no sense: of any kind, with anything in them. */
function sayJunk(target) {
    const [viewer, version] = ["ghc-eventlog-viewer", 1];
    const cyclic = { viewer, version, kind: "show" };
    cyclic.t0 = cyclic.panel = cyclic;
    const values = [
        null,
        undefined,
        0,
        -1,
        NaN,
        Infinity,
        -0,
        2 ** 60,
        10n,
        "",
        "gc",
        "\u202e<b>",
        "x".repeat(1e6),
        [],
        {},
        [[cyclic]],
        new Date(NaN),
        /x/,
        new Map([[1, cyclic]]),
        new Set(),
        new Error("no"),
        new Uint8Array(5),
        new ArrayBuffer(0),
        new Blob([]),
        new Blob(["no log"]),
        true,
        new ImageData(1, 1),
    ];
    const names = ["__proto__", "constructor", "toString", "hello", "ready", "refused", "error", "select"];
    const junk = [
        ...values,
        cyclic,
        new Array(1e6).fill(1),
        { viewer },
        { viewer, version: "1" },
        { viewer, version: 2, kind: "close" },
        { viewer: [viewer], version, kind: "close" },
    ];
    for (const kind of [...values, ...names]) junk.push({ viewer, version, kind });
    for (const value of values) {
        junk.push({ viewer, version, kind: "open", name: value, data: value }, { viewer, version, kind: "open", name: "x", data: value });
        for (const field of ["t0", "t1", "panel"]) junk.push({ viewer, version, kind: "show", [field]: value });
    }
    for (const panel of names) junk.push({ viewer, version, kind: "show", panel });
    for (const message of junk) target.postMessage(message, "*");
    return junk.length;
}

test("nonsense from its parent is refused or ignored, and the viewer goes on", async () => {
    await inFrame(`${outer.url}parent.html`, async ({ page, frame }) => {
        await openIn(page, THREADED, "mine");
        await until(
            () => kinds(page),
            (told) => told.includes("ready"),
        );
        assert.ok((await page.evaluate(`(${sayJunk})(frames.viewer)`)) > 200);
        await until(
            () => kinds(page),
            (told) => told.filter((kind) => kind === "refused").length > 100,
        );
        await page.evaluate(() => (heard.length = 0));
        await openIn(page, THREADED, "mine");
        await until(
            () => kinds(page),
            (told) => told.includes("ready"),
        );
        assert.equal(await frame.textContent("#program"), "threaded");
    });
});

/** Sends messages that would close the log, open another one, and change the view, if the viewer listened. */
function sayWishes(target) {
    const form = { viewer: "ghc-eventlog-viewer", version: 1 };
    target.postMessage({ ...form, kind: "show", t0: 0, t1: 1, panel: "heap" }, "*");
    target.postMessage({ ...form, kind: "open", name: "theirs", data: new Blob(["theirs"]) }, "*");
    target.postMessage({ ...form, kind: "run" }, "*");
    target.postMessage({ ...form, kind: "close" }, "*");
}

/** Checks that the viewer shows the same as before. */
async function isUnmoved(frame, tab) {
    await frame.waitForTimeout(500);
    assert.equal(await frame.textContent("#program"), "threaded");
    assert.equal(await frame.getAttribute('[role=tab][aria-selected="true"]', "id"), tab);
    assert.equal(await frame.getAttribute("ghc-eventlog-viewer", "t1"), null);
}

test("messages from a frame beside it, from itself, and from a window that opened it are ignored", async () => {
    await inFrame(`${outer.url}stranger.html`, async ({ page, frame, context }) => {
        await openIn(page, THREADED, "mine");
        await until(
            () => kinds(page),
            (told) => told.includes("ready"),
        );
        const tab = await frame.getAttribute('[role=tab][aria-selected="true"]', "id");
        await page.frame("stranger").evaluate(`(${sayWishes})(parent.frames.viewer)`);
        await frame.evaluate(`(${sayWishes})(window)`);
        await isUnmoved(frame, tab);
        assert.ok(!(await kinds(page)).includes("refused"));
        // A window that the page around has opened, and one in which the viewer has been opened.
        const [popup] = await Promise.all([
            context.waitForEvent("page"),
            page.evaluate((url) => void (window.opened = open(url)), viewer.url),
        ]);
        await popup.waitForSelector('html[data-state="empty"]', { state: "attached" });
        await popup.setInputFiles("#open-file", corpus("threaded"));
        await popup.waitForSelector('html[data-state="ready"]', { state: "attached" });
        const itsTab = await popup.getAttribute('[role=tab][aria-selected="true"]', "id");
        await page.evaluate(`(${sayWishes})(window.opened)`);
        await isUnmoved(popup, itsTab);
    });
});

test("an element in a page ignores all messages", async () => {
    const context = await browser.newContext();
    try {
        const page = await context.newPage();
        const troubles = [];
        page.on("pageerror", (error) => troubles.push(error.stack));
        await page.goto(`${outer.url}element.html`);
        await page.waitForSelector('ghc-eventlog-viewer[data-state="ready"]');
        await page.evaluate(`(${sayWishes})(window)`);
        await page.evaluate(`(${sayJunk})(window)`);
        await page.waitForTimeout(500);
        assert.equal(await page.getAttribute("ghc-eventlog-viewer", "data-state"), "ready");
        assert.equal(await page.getAttribute("ghc-eventlog-viewer", "t1"), null);
        assert.deepEqual(troubles, []);
    } finally {
        await context.close();
    }
});

test("a page from the disk is answered, too", async () => {
    await inFrame(`file://${join(folder, "parent.html")}`, async ({ page }) => {
        await openIn(page, THREADED, "mine");
        await until(
            () => kinds(page),
            (told) => told.includes("ready"),
        );
        await page.evaluate(() => frames.viewer.postMessage({ viewer: "ghc-eventlog-viewer", version: 1, kind: "run" }, "*"));
        await until(
            () => kinds(page),
            (told) => told.includes("refused"),
        );
    });
});
