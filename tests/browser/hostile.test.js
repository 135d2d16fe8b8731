// Text from a log is always text, never markup, and reverses no other text; and the page sends nothing to other servers.

import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, file, onPage, openCorpus, state } from "./support/page.js";
import { serve } from "./support/server.js";
import { writeSmall } from "./support/eventlog.js";
import { lane, stretch, until, walk } from "./support/see.js";

const MARKUP = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(2)</script>",
    "</dl></section><b id=injected>bold</b>",
    "&lt;i&gt;&#60;u&#62;",
    "<svg/onload=alert(3)>",
    "javascript:alert(4)",
];
const BIDI = ["right \u202egnirts\u202c to left", "isolate \u2067\u05d0\u05d1\u2069", "mark \u200f\u061c", "two\nlines\u0000\u001b[31m"];
const LONG = "ein Name ohne Ende ".repeat(500);
const LABELS = [...MARKUP, ...BIDI, LONG];

/** The kinds of elements on the page, and those that could only come from a log. */
function parts(page) {
    return page.evaluate(() => {
        const own = new Set(["script", "link", "meta"]);
        const all = [...document.querySelectorAll("*")].filter((part) => !document.head.contains(part) || !own.has(part.localName));
        const tags = new Set(all.map((part) => part.localName));
        const handlers = all.filter((part) => [...part.attributes].some(({ name }) => name.startsWith("on"))).length;
        const injected = document.querySelectorAll(
            "#injected, img, svg, iframe, object, embed, body script, a[href]:not(#documents a)",
        ).length;
        return { tags: [...tags], handlers, injected };
    });
}

/** All text of the page, and all its tooltips. */
function texts(page) {
    return page.evaluate(() => {
        const titles = [...document.querySelectorAll("[title], [aria-label]")].flatMap((part) => [part.title, part.ariaLabel ?? ""]);
        const shown = document.querySelector("ghc-eventlog-viewer").shadowRoot.textContent;
        return [document.title, shown, ...titles].join("\n");
    });
}

const HIDDEN = /[\p{Bidi_Control}\u0000-\u0008\u000b-\u001f\u007f]/u;

async function isClean(page, known) {
    const { tags, handlers, injected } = await parts(page);
    assert.deepEqual(
        tags.filter((tag) => !known.includes(tag)),
        [],
    );
    assert.deepEqual([handlers, injected], [0, 0]);
    assert.doesNotMatch(await texts(page), HIDDEN);
}

/** The kinds of elements on the page for a harmless log, with a selection and a tooltip. */
async function harmless(page) {
    await openCorpus(page, "cut-in-event");
    await lookAround(page, 3);
    return (await parts(page)).tags;
}

async function lookAround(page, spans) {
    const told = await walk(page, "Period", spans);
    await page.keyboard.press("f");
    const { from, to } = await until(
        () => stretch(page, "Capability 0", "running"),
        ({ from, to }) => to - from > 300,
    );
    const { y } = await lane(page, "Capability 0");
    await page.mouse.move((from + to) / 2, y);
    await page.waitForSelector("#tooltip", { state: "visible" });
    return told;
}

onPage("labels, arguments and file names with markup or bidi marks are shown as text", {}, async (page) => {
    const known = await harmless(page);
    const args = ["<b id=injected>prog<br>\u202e", "--name=<img src=x onerror=alert(5)>", "\u0007bell\n"];
    await choose(page, file("<img src=x onerror=alert(6)>\u202egol.eventlog", writeSmall({ args, labels: LABELS })));
    await page.waitForFunction(() => document.getElementById("program").textContent.startsWith("<b id=injected>prog<br>"));
    await state(page, "ready");
    const told = await lookAround(page, LABELS.length);
    MARKUP.forEach((label, at) => assert.equal(told[at].fields.Label, label));
    for (const { title, fields } of told) assert.doesNotMatch(title + fields.Label, HIDDEN);
    for (const text of ["--name=<img src=x onerror=alert(5)>", "<img src=x onerror=alert(6)>"]) {
        assert.ok((await page.textContent("#facts")).includes(text), text);
    }
    await isClean(page, known);
});

onPage("a very long label pushes nothing out of the window", {}, async (page) => {
    await choose(page, file("long.eventlog", writeSmall({ args: [LONG], labels: [LONG] })));
    await state(page, "ready");
    const [{ title }] = await lookAround(page, 1);
    assert.ok(title.includes(LONG.trim()), title);
    const box = await page.locator("#tooltip").boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 720, JSON.stringify(box));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280);
});

onPage("a real log full of markup, control characters and bidi marks opens like any other", {}, async (page) => {
    const known = await harmless(page);
    await openCorpus(page, "messages");
    await page.waitForFunction(() => document.getElementById("program").textContent === "messages");
    const told = await lookAround(page, 41);
    assert.ok(told.some(({ fields }) => fields.Label === "<b>last</b> label"));
    await isClean(page, known);
});

onPage("a wrong file's name and contents are shown as text in the error", {}, async (page) => {
    const known = await harmless(page);
    await choose(page, file("<b id=injected>\u202e.eventlog", MARKUP.join("\n").repeat(20)));
    await state(page, "error");
    assert.ok((await page.textContent("#error")).includes("<b id=injected>"));
    await isClean(page, known);
});

onPage("the page works from a folder below its server's root, and all that it needs comes from there", {}, async (page) => {
    const { pathname } = new URL(page.url());
    assert.notEqual(pathname, "/");
    // The page is there before all that it loads is noted.
    const entries = await until(
        () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name)),
        ({ length }) => length > 3,
    );
    for (const entry of entries) assert.ok(entry.startsWith(page.url()) || entry.startsWith("data:"), entry);
});

test("the check of the network sees the requests of pages and their workers to any server", async () => {
    const { chromium } = await import("playwright-core");
    const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
    writeFileSync(join(folder, "index.html"), '<!doctype html><link rel="icon" href="data:,">');
    const server = await serve(folder, "/");
    const browser = await chromium.launch({ executablePath: process.env.CHROME, args: ["--no-sandbox"] });
    try {
        const context = await browser.newContext({ proxy: { server: server.origin, bypass: "<-loopback>" } });
        const page = await context.newPage();
        await page.goto(server.url);
        await page.evaluate(async () => {
            const ask = (url) => fetch(url, { mode: "no-cors" }).catch(() => {});
            await Promise.all([ask("same"), ask("http://elsewhere.test/plain"), ask("https://elsewhere.test/tls")]);
            navigator.sendBeacon("http://elsewhere.test/beacon");
            const code = 'fetch("http://elsewhere.test/worker", { mode: "no-cors" }).finally(() => postMessage(0))';
            const worker = new Worker(URL.createObjectURL(new Blob([code])));
            await new Promise((resolve) => (worker.onmessage = resolve));
        });
        const expected = [
            `${server.url}same`,
            "http://elsewhere.test/plain",
            "connect elsewhere.test:443",
            "http://elsewhere.test/beacon",
            "http://elsewhere.test/worker",
        ];
        await until(
            async () => server.requests,
            (requests) => expected.every((url) => requests.includes(url)),
        );
    } finally {
        await browser.close();
        server.close();
        rmSync(folder, { recursive: true });
    }
});
