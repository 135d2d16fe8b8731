// Two logs in one page, with one client and one worker: strips of both are drawn, both are asked, and each answer is about the right log.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";
import { corpus } from "./support/page.js";
import { serve } from "./support/server.js";

const { CHROME, DIST } = process.env;
const folder = mkdtempSync(join(tmpdir(), "two-logs-"));
cpSync(DIST, folder, { recursive: true });
// The page's own client, beside the worker that it starts.
buildSync({
    entryPoints: [fileURLToPath(new URL("../../web/js/client.js", import.meta.url))],
    outfile: join(folder, "js/client.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    // As in the page of DIST, whose wasm is in two parts.
    define: { SPLIT: "true" },
});
const PAGE = `<!doctype html><link rel="icon" href="data:,"><canvas width="400" height="400"></canvas><input type="file" multiple>
<script type="module">
    import { Client } from "./js/client.js";
    window.Client = Client;
</script>`;
writeFileSync(join(folder, "two-logs.html"), PAGE);
const server = await serve(folder, "/");
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
after(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
});

/** The logs differ as much as possible: in their capabilities, their length, and the contents of their tables. */
const LOGS = ["threaded", "single"];

/** Runs in the page: functions that open, draw and ask logs. */
function tools() {
    const events = [];
    const ready = new Map();
    const wasm = async () => (await fetch("wasm/ghc-eventlog-wasm_bg.wasm")).blob();
    const happened = (kind) => (body, log) => {
        events.push({ kind, log });
        if (kind === "ready" && !body.following) ready.get(log)?.(body);
    };
    const kinds = ["choose", "consent", "loading", "progress", "ready", "failed", "trouble", "solved", "range"];
    const client = new Client(wasm, Object.fromEntries(kinds.map((kind) => [kind, happened(kind)])), (text) => events.push({ kind: text }));

    /** Opens a log; resolves when it has been read, and its threads have been followed. */
    function open(file) {
        const number = client.open({ file });
        return new Promise((resolve) => ready.set(number, (info) => resolve({ number, info, log: client.of(number) })));
    }

    /** A question for a picture: of a view in the log's middle, with strips of all its tracks of states. */
    function wishOf({ info }, share) {
        const [first, last] = info.status.extent;
        const middle = (first + last) / 2;
        const half = ((last - first) * share) / 2;
        const states = info.pages.flatMap(({ tracks }) => tracks).filter(({ shape }) => shape === "states");
        const tracks = states.map(({ id, states }) => {
            return { ids: [id], colours: states.map((_, at) => [40 * at + 40, 255 - 40 * at, 90]), height: 8 };
        });
        return { from: middle - half, to: middle + half, width: 300, tracks, bands: { order: "max_bytes", count: 3 } };
    }

    /** Draws a picture's rows on the page, from a height on; returns the pixels there. */
    function draw({ image, rows, levels }, top) {
        const context = document.querySelector("canvas").getContext("2d", { willReadFrequently: true });
        context.clearRect(0, top, 400, 200);
        context.drawImage(image, 0, top);
        image.close();
        const { data } = context.getImageData(0, top, 300, rows.length * levels);
        return { rows: rows.length, pixels: [...new Uint32Array(data.buffer)].join() };
    }

    const tableWish = (table, range) => ({ table, range, sort: "", down: false, filter: "", within: null, from: 0, count: 20 });

    /** Asks a log all kinds of questions at once, and draws it; returns the answers. */
    async function ask(opened, top) {
        const { log, info } = opened;
        const wish = wishOf(opened, 0.2);
        const overtaken = log.ask("window", wishOf(opened, 0.5));
        const window = log.ask("window", wish);
        const whole = log.ask("whole", { ...wish, width: 200 });
        const caps = log.ask("table", tableWish("caps", false));
        const totals = log.ask("range", { from: wish.from, to: wish.to });
        const collections = totals.then(() => log.ask("table", tableWish("collections", true)));
        const text = log.ask("markdown", { range: false });
        const [group] = info.groups.filter(({ tracks }) => tracks > 0);
        const rows = log.ask("rows", { shown: [], missing: [{ group: group.key, from: 0, count: 64 }] });
        const track = wish.tracks[0].ids[0];
        const next = log.ask("neighbour", { track, time: wish.from, next: true });
        return {
            overtaken: await overtaken,
            window: draw(await window, top),
            whole: draw(await whole, top),
            caps: await caps,
            totals: await totals,
            collections: await collections,
            text: await text,
            rows: await rows,
            next: await next,
        };
    }
    window.viewer_ = { client, events, open, ask };
}

/**
 * @param {string[]} names logs of the corpus to open in one page
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 */
async function onPageWith(names, body) {
    const page = await browser.newPage();
    const troubles = [];
    // A client that fails may never answer: its error ends the test at once.
    const failed = new Promise((_, reject) => {
        page.on("pageerror", (error) => {
            troubles.push(error.stack);
            reject(new Error(error.stack));
        });
    });
    // It may fail before anybody waits for that.
    failed.catch(() => {});
    page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
    try {
        await page.goto(`${server.url}two-logs.html`);
        await page.waitForFunction(() => window.Client);
        await page.evaluate(tools);
        await page.setInputFiles("input", names.map(corpus));
        await Promise.race([body(page), failed]);
        assert.deepEqual(troubles, []);
    } finally {
        await page.close();
    }
}

/** Opens the chosen files in one client, at the same time. */
const openAll = (page) =>
    page.evaluate(async () => {
        const { files } = document.querySelector("input");
        viewer_.opened = await Promise.all([...files].map(viewer_.open));
        return viewer_.opened.map(({ number, info }) => ({ number, name: info.process.args[0], extent: info.status.extent }));
    });

/** Asks all of them at once, each over and over. */
const askAll = (page, times) =>
    page.evaluate(async (times) => {
        const each = async (opened, at) => {
            const answers = [];
            for (let time = 0; time < times; time++) answers.push(await viewer_.ask(opened, at * 200));
            return answers;
        };
        return Promise.all(viewer_.opened.map(each));
    }, times);

/** The answers of a log that is alone in the page. */
async function alone(name) {
    let answers;
    await onPageWith([name], async (page) => {
        await openAll(page);
        [[answers]] = await askAll(page, 1);
    });
    return answers;
}

test("two logs in one page are drawn and asked at the same time, and each answers as if it were alone", async () => {
    const expected = [];
    for (const name of LOGS) expected.push(await alone(name));
    // Answers that are the same for both would prove nothing.
    for (const key of ["window", "whole", "caps", "totals", "text", "next"]) assert.notDeepEqual(expected[0][key], expected[1][key], key);
    for (const { overtaken, window, whole, caps, totals, collections, text, rows, next } of expected) {
        assert.equal(overtaken, null);
        assert.ok(window.rows > 0 && whole.rows > 0 && new Set(window.pixels.split(",")).size > 2);
        assert.ok(caps.rows.length > 0 && collections.table === "collections" && totals.facts.sections.length > 0);
        assert.ok(text.length > 100 && rows[0].tracks.length > 0 && next.kind === "span");
    }
    await onPageWith(LOGS, async (page) => {
        const opened = await openAll(page);
        assert.deepEqual(
            opened.map(({ name }) => name),
            ["./threaded", "./single"],
        );
        const answered = await askAll(page, 5);
        answered.forEach((answers, at) => {
            assert.equal(answers.length, 5);
            for (const answer of answers) assert.deepEqual(answer, expected[at]);
        });
        assert.deepEqual(await page.evaluate(() => viewer_.events.filter(({ kind }) => !/^(progress|ready)$/.test(kind))), []);
    });
});

test("a newer question only ends an older one about the same log, and closing a log does not affect the other", async () => {
    await onPageWith(LOGS, async (page) => {
        await openAll(page);
        const { answers, closed, after } = await page.evaluate(async () => {
            const [one, other] = viewer_.opened;
            const rangeOf = ({ info }, share) => {
                const [first, last] = info.status.extent;
                return { from: first, to: first + (last - first) * share };
            };
            const answers = await Promise.all([
                one.log.ask("range", rangeOf(one, 0.5)),
                other.log.ask("range", rangeOf(other, 0.5)),
                one.log.ask("range", rangeOf(one, 0.25)),
            ]);
            const waiting = [one.log.ask("markdown", { range: true }), other.log.ask("markdown", { range: true })];
            viewer_.client.close(one.number);
            const closed = await Promise.all(waiting);
            const after = await Promise.all([one, other].map(({ number }) => viewer_.client.of(number).ask("markdown", { range: false })));
            return {
                answers: answers.map((totals, at) => totals && totals.to === rangeOf([one, other, one][at], [0.5, 0.5, 0.25][at]).to),
                closed,
                after,
            };
        });
        assert.deepEqual(answers, [null, true, true]);
        for (const [first, second] of [closed, after]) {
            assert.equal(first, null);
            assert.ok(second.length > 100);
        }
    });
});
