// The example pages of web/embedding/, as they are: the element beside other content, and the viewer in a frame of another origin.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { corpus } from "./support/page.js";
import { PATIENCE } from "./support/patience.js";
import { reachIn } from "./support/reach.js";
import { serve } from "./support/server.js";
import { until } from "./support/see.js";

const { CHROME, DIST } = process.env;
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
const folder = mkdtempSync(join(tmpdir(), "embedding-"));
const example = (name) => readFileSync(fileURLToPath(new URL(`../../web/embedding/${name}`, import.meta.url)), "utf8");
cpSync(DIST, folder, { recursive: true });
copyFileSync(corpus("threaded"), join(folder, "run.eventlog"));
writeFileSync(join(folder, "element.html"), example("element.html"));
const [server, other] = [await serve(folder, "/"), await serve(DIST, "/")];
writeFileSync(join(folder, "frame.html"), example("frame.html").replace("VIEWER", other.url));
after(async () => {
    await browser.close();
    server.close();
    other.close();
    rmSync(folder, { recursive: true });
});

async function opened(name, body) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addInitScript(reachIn);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => message.type() === "error" && !/favicon/.test(message.location().url) && troubles.push(message.text()));
    try {
        await page.goto(`${server.url}${name}`);
        await body(page);
        assert.deepEqual(troubles, []);
    } finally {
        await context.close();
    }
}

test("the element arranges its rows as its page says, and leaves the page's address alone", async () => {
    await opened("element.html", async (page) => {
        await page.waitForSelector('ghc-eventlog-viewer[data-state="ready"]');
        const address = page.url();
        await page.evaluate(() => document.getElementById("viewer").setAttribute("rows", "p2.1,h2.2"));
        await until(
            () => page.$$eval("#headers .track[data-row]", (rows) => rows.map(({ dataset }) => dataset.name)),
            (names) => names[0] === "Capability 1" && !names.includes("Capability 2"),
        );
        assert.equal(page.url(), address);
        assert.ok(await page.evaluate(() => Object.keys(localStorage).every((key) => !/rows/.test(key))));
    });
});

test("the element shows what its attributes say, and reports the view", async () => {
    await opened("element.html", async (page) => {
        await page.waitForSelector('ghc-eventlog-viewer[data-state="ready"]');
        await until(
            () => page.innerText("#seen"),
            (text) => / ms to /.test(text),
        );
        assert.equal(await page.getAttribute("#tab-gc", "aria-selected"), "true");
        await page.evaluate(() => {
            document.getElementById("viewer").setAttribute("t1", "20e6");
            document.getElementById("viewer").setAttribute("t0", "10e6");
        });
        await until(
            () => page.innerText("#seen"),
            (text) => text === "10.000 ms to 20.000 ms",
        );
        await page.evaluate(() => document.getElementById("viewer").setAttribute("panel", "heap"));
        assert.equal(await page.getAttribute("#tab-heap", "aria-selected"), "true");
        // Nonsense changes nothing.
        await page.evaluate(() => {
            for (const [name, value] of [
                ["panel", "nonsense"],
                ["t0", "x"],
                ["t1", "-5"],
            ])
                document.getElementById("viewer").setAttribute(name, value);
        });
        assert.equal(await page.getAttribute("#tab-heap", "aria-selected"), "true");
    });
});

test("the selection is reported, and that it is cleared", async () => {
    await opened("element.html", async (page) => {
        await page.waitForSelector('ghc-eventlog-viewer[data-state="ready"]');
        await page.evaluate(() => {
            window.told = [];
            document.getElementById("viewer").addEventListener("select", ({ detail }) => window.told.push(detail));
        });
        const box = await page.locator("#canvas").boundingBox();
        await page.mouse.click(box.x + 300 + 760, box.y + 110);
        const told = await until(
            () => page.evaluate(() => window.told),
            (told) => told.length > 0,
        );
        const [{ track, title, t0, t1 }] = told;
        assert.match(track, /Capability|Activity|Collections/);
        assert.ok(title.length > 0 && t0 >= 0 && t1 > t0, JSON.stringify(told));
        await page.keyboard.press("Escape");
        await until(
            () => page.evaluate(() => window.told.at(-1)),
            (last) => last === null,
        );
    });
});

test("in a frame of another origin, the page around opens logs, sets the view, and gets events", async () => {
    await opened("frame.html", async (page) => {
        const said = await until(
            () => page.innerText("#said"),
            (text) => /ready/.test(text) && /rangechange/.test(text),
        );
        assert.match(said, /hello/);
        const frame = page.frames().find((frame) => frame.url().startsWith(other.url));
        assert.equal(await frame.getAttribute("#tab-gc", "aria-selected"), "true");
        // A nonsensical message is refused with a reason.
        const answer = await page.evaluate(
            () =>
                new Promise((resolve) => {
                    addEventListener("message", ({ data }) => data.kind === "refused" && resolve(data.why));
                    document
                        .getElementById("frame")
                        .contentWindow.postMessage({ viewer: "ghc-eventlog-viewer", version: 1, kind: "run" }, "*");
                }),
        );
        assert.match(answer, /must be open, show or close/);
        // Logs that the user opens in the frame are not reported.
        await page.evaluate(() => {
            window.heard = [];
            addEventListener("message", ({ data }) => window.heard.push(data.kind));
        });
        await frame.locator("#open-file").setInputFiles(corpus("heap-closure"));
        // Until then, the log of the page around is shown, whose view is reported.
        await until(
            () => frame.locator("#bar").innerText(),
            (text) => text.includes("heap-closure"),
        );
        await frame.locator("#timeline").focus();
        await page.keyboard.press("w");
        await new Promise((done) => setTimeout(done, 400));
        assert.deepEqual(await page.evaluate(() => window.heard), []);
    });
});

test("the page's address says which log to open and what to show, and follows the view", async () => {
    await opened("index.html#url=run.eventlog&t0=10000000&t1=20000000&panel=gc&later=kept", async (page) => {
        await page.waitForSelector('html[data-state="ready"]');
        assert.equal(await page.getAttribute("#tab-gc", "aria-selected"), "true");
        const hash = () => page.evaluate(() => location.hash);
        assert.match(await until(hash, (hash) => /later=kept/.test(hash)), /t0=10000000&t1=20000000/);
        await page.focus("#timeline");
        await page.keyboard.press("w");
        const zoomed = await until(hash, (hash) => !/t0=10000000&/.test(hash));
        await page.reload();
        await page.waitForSelector('html[data-state="ready"]');
        await new Promise((done) => setTimeout(done, 300));
        const ends = (hash) => ["t0", "t1"].map((name) => Number(new RegExp(`${name}=(\\d+)`).exec(hash)[1]));
        ends(await hash()).forEach((end, at) => assert.ok(Math.abs(end - ends(zoomed)[at]) < 1000, `${end}`));
        // A log that the user opens instead has no address.
        await page.setInputFiles("#open-file", corpus("single"));
        await until(
            () => page.innerText("#bar"),
            (text) => !/threaded/.test(text),
        );
        await page.waitForSelector('html[data-state="ready"]');
        await new Promise((done) => setTimeout(done, 300));
        assert.equal(await hash(), "#later=kept");
    });
});

test("the view that the page asks for does not apply to a log that the user opens", async () => {
    await opened("element.html", async (page) => {
        await page.waitForSelector('ghc-eventlog-viewer[data-state="ready"]');
        await page.evaluate(() => document.getElementById("viewer").setAttribute("t1", "1000"));
        await until(
            () => page.innerText("#seen"),
            (text) => text.endsWith(" to 0.001 ms"),
        );
        await page.setInputFiles("#open-file", corpus("single"));
        await until(
            () => page.innerText("#seen"),
            (text) => !text.endsWith(" to 0.001 ms"),
        );
        assert.match(await page.innerText("#bar"), /single/);
    });
});
