// Large files: what the page shows while they are read, and how reading can end.

import { after } from "node:test";
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, corpus, onPage, openCorpus, state } from "./support/page.js";
import { writeLarge } from "./support/eventlog.js";
import { isTheSingleLog, roundTrip, whenLoading } from "./support/loading.js";
import { READING } from "./support/reading.js";
import { drawn, pixelsOf, readTime, shown, until } from "./support/see.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));
const LARGE = join(folder, "large.eventlog");
// Just below the number of collections above which the page cannot list them all.
const { bytes: SIZE } = writeLarge(LARGE, 90e6);

/** Notes in every frame what the page shows: state, progress, and the number of pixels in the running colour. */
async function watch(page) {
    await page.evaluate(() => {
        window.frames_ = [];
        const canvas = document.getElementById("canvas");
        const hex = getComputedStyle(document.documentElement).getPropertyValue("--running").trim();
        const running = Number.parseInt(hex.slice(1), 16);
        const painted = () => {
            if (!canvas.checkVisibility()) return 0;
            // The strip below the axis and right of the headers, where the tracks are.
            const { data } = canvas.getContext("2d").getImageData(230, 30, 1000, 200);
            let found = 0;
            for (let at = 0; at < data.length; at += 4) found += ((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]) === running;
            return found;
        };
        const look = () => {
            const state = document.documentElement.dataset.state;
            const progress = document.getElementById("progress-text").textContent;
            const { value } = document.getElementById("progress");
            window.frames_.push({ state, progress, value, painted: painted() });
            requestAnimationFrame(look);
        };
        look();
    });
    return () => page.evaluate(() => window.frames_);
}

onPage("a large file is drawn and counted while it is still being read", {}, async (page) => {
    const frames = await watch(page);
    const path = join(folder, "larger.eventlog");
    writeLarge(path, 250e6);
    await choose(page, path);
    await state(page, "ready");
    rmSync(path);
    const seen = await frames();
    const states = seen.map((frame) => frame.state).filter((name, at, all) => name !== all[at - 1]);
    assert.deepEqual(states, ["empty", "loading", "ready"]);
    const loading = seen.filter((frame) => frame.state === "loading");
    assert.ok(
        loading.some((frame) => frame.painted > 500),
        "nothing drawn before it is ready",
    );
    const texts = new Set(loading.map((frame) => frame.progress));
    assert.ok(texts.size >= 3, `progress was ${[...texts].join(" | ")}`);
    const values = loading.map((frame) => frame.value);
    assert.deepEqual(
        values,
        values.toSorted((a, b) => a - b),
        "progress goes back",
    );
    assert.ok(values.some((value) => value > 0.05 && value < 0.95));
});

onPage("a very large file is shown as a whole long before it has been read", {}, async (page) => {
    const path = join(folder, "very-large.eventlog");
    writeLarge(path, 400e6);
    await page.evaluate(() => {
        window.frames_ = [];
        const { canvas } = document.getElementById("overview").getContext("2d");
        const look = () => {
            const { value } = document.getElementById("progress");
            const { data, width } = canvas.getContext("2d").getImageData(0, canvas.height - 18, Math.max(canvas.width, 1), 1);
            // Above the times, in the last quarter: pixels that do not have the background's colour, where green is never as strong as red.
            let filled = 0;
            for (let x = Math.floor(width * 0.75); x < width - 2; x++) filled += data[x * 4 + 1] > data[x * 4] + 8;
            window.frames_.push({ value, filled, of: width / 4, text: document.getElementById("progress-text").textContent });
            if (document.documentElement.dataset.state !== "ready") requestAnimationFrame(look);
        };
        look();
    });
    await choose(page, path);
    await state(page, "ready");
    const frames = await page.evaluate(() => window.frames_);
    rmSync(path);
    const ahead = frames.find(({ text }) => text.endsWith("paler parts are a preview"));
    assert.ok(ahead && ahead.value < 0.5, JSON.stringify(frames.map(({ value, text }) => [value, text])));
    const early = frames.filter(({ value, filled, of }) => value > 0 && value < 0.7 && filled > of * 0.8);
    assert.ok(early.length > 0, JSON.stringify(frames.map(({ value, filled, of }) => [value, filled, of])));
});

/** Notes of how many tracks coarse pictures are asked for while the log is read; returns the notes so far, and those afterwards. */
async function watchCoarse(page) {
    await page.evaluate(() => {
        window.coarse_ = { loading: [], ready: [] };
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message, ...rest) {
            const count = message.body?.tracks?.reduce((sum, { ids }) => sum + ids.length, 0);
            if (message.kind === "whole") window.coarse_[document.documentElement.dataset.state].push(count);
            return postMessage.call(this, message, ...rest);
        };
    });
    return () => page.evaluate(() => window.coarse_);
}

onPage("while all of a log is in view, it is painted once for each report, not twice; at the end, all rows are", {}, async (page) => {
    const path = join(folder, "followed.eventlog");
    writeLarge(path, 250e6);
    const coarse = await watchCoarse(page);
    await choose(page, path);
    await state(page, "ready");
    const { loading, ready } = await until(coarse, ({ ready }) => ready.length > 0);
    assert.ok(loading[0] > 1, "the first picture, which comes before a finer one");
    assert.equal(loading.at(-1), 1, `only the strip of the whole log, not ${loading}`);
    assert.ok(ready.at(-1) > 1, "what the user will zoom out to");
    // The same while its threads are followed.
    await page.click('[data-group="threads"]');
    const { ready: all } = await until(coarse, ({ ready }) => ready.includes(1) && ready.at(-1) > 1);
    rmSync(path);
    const meanwhile = all.slice(all.indexOf(1), -1);
    assert.deepEqual([...new Set(meanwhile)], [1], all.join());
});

onPage("who zooms while a log is read has a coarse picture of the rest", {}, async (page) => {
    const coarse = await watchCoarse(page);
    await page.evaluate(() => {
        new MutationObserver((_, observer) => {
            if (document.getElementById("progress").value < 0.1) return;
            observer.disconnect();
            const box = document.getElementById("canvas").getBoundingClientRect();
            const place = { clientX: box.right - 60, clientY: box.top + 80, bubbles: true, cancelable: true };
            document.getElementById("canvas").dispatchEvent(new WheelEvent("wheel", { ...place, deltaY: -600, ctrlKey: true }));
        }).observe(document.getElementById("progress"), { attributes: true });
    });
    const path = join(folder, "zoomed.eventlog");
    writeLarge(path, 250e6);
    await choose(page, path);
    await state(page, "ready");
    rmSync(path);
    const { loading } = await coarse();
    assert.ok(
        loading.some((count) => count > 1),
        loading.join(),
    );
});

onPage("Stop here removes the preview of what was not read", {}, async (page) => {
    const path = join(folder, "stopped.eventlog");
    writeLarge(path, 400e6);
    await page.evaluate(() => {
        const text = document.getElementById("progress-text");
        new MutationObserver((_, observer) => {
            if (!text.textContent.includes("paler")) return;
            observer.disconnect();
            const box = document.getElementById("canvas").getBoundingClientRect();
            const place = { clientX: box.right - 60, clientY: box.top + 80, bubbles: true, cancelable: true };
            const wheel = { ...place, deltaY: -600, ctrlKey: true };
            document.getElementById("canvas").dispatchEvent(new WheelEvent("wheel", wheel));
            requestAnimationFrame(() => document.getElementById("stop").click());
        }).observe(text, { childList: true });
    });
    await choose(page, path);
    await state(page, "ready");
    rmSync(path);
    const notice = await page.textContent("#notices-summary");
    assert.match(notice, /stopped/i);
    const { from, to } = await shown(page);
    assert.ok(from < 0.999 && to <= 1.03, `shown ${from} to ${to} of what was read`);
});

onPage("a large file is complete when it is ready", {}, async (page) => {
    await choose(page, LARGE);
    await state(page, "ready");
    const [fact] = await page.$$eval("#facts li", (items) => items.map((item) => item.textContent));
    assert.match(fact, /^large\.eventlog · 8\d\.\d MiB · [\d\u202f]+ events$/);
    assert.ok(Number(fact.split(" · ")[2].replace(/\D/g, "")) > SIZE / 40);
    assert.ok(await page.isHidden("#notices"));
    const { from, to } = await until(
        () => shown(page),
        ({ to }) => to > 0.99,
    );
    assert.ok(from < 0.01 && to > 0.99);
});

onPage("a file is read to its end however often garbage is collected meanwhile", { restarts: true }, async (page) => {
    await page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "read" })));
    await page.setInputFiles("#read", LARGE);
    const read = await page.evaluate((reading) => {
        // The page's code for reading, with nothing that keeps a reference to it.
        const code = `${reading};
            onmessage = async ({ data }) => {
                let bytes = 0;
                for await (const piece of pieces(data)) {
                    bytes += piece.length;
                    setTimeout(gc);
                }
                postMessage(bytes);
            };`;
        window.reader_ = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
        window.reader_.postMessage(document.getElementById("read").files[0]);
        return new Promise((resolve) => {
            window.reader_.onmessage = ({ data }) => resolve(data);
            setTimeout(resolve, 8000, "it stands still");
        });
    }, READING);
    assert.equal(read, SIZE);
});

onPage("Cancel forgets a file at once, and the next one opens", {}, async (page) => {
    await whenLoading(page, 'document.getElementById("cancel").click()');
    await choose(page, LARGE);
    await page.waitForFunction(() => window.progressThen);
    await state(page, "empty");
    assert.equal(await page.textContent("#program"), "GHC Eventlog Viewer");
    await openCorpus(page, "single");
    await isTheSingleLog(page);
});

onPage("Stop here keeps what has been read, and a notice says how far that is", {}, async (page) => {
    await whenLoading(page, 'document.getElementById("stop").click()');
    await choose(page, LARGE);
    await state(page, "ready");
    const notice = await page.textContent("#notices-summary");
    const told = /^\s*Stopped at ([\d.\u202f]+) ([KM])iB of ([\d.]+) MiB; later events are missing\./.exec(notice);
    assert.ok(told, notice);
    const [, number, unit, of] = told;
    const read = Number(number.replace(/\u202f/g, "")) / (unit === "K" ? 1024 : 1);
    assert.ok(Math.abs(of - SIZE / 2 ** 20) < 0.5 && read > 0 && read < of / 2, notice);
    // Zoomed in until some pixels have nothing else in them.
    for (let press = 0; press < 8; press++) await page.keyboard.press("w");
    await until(
        () => pixelsOf(page, "Capability 0", "running"),
        (pixels) => pixels > 0,
    );
    await roundTrip(page);
});

onPage("a stopped log can be explored", {}, async (page) => {
    await whenLoading(page, 'document.getElementById("stop").click()');
    await choose(page, LARGE);
    await state(page, "ready");
    await roundTrip(page);
    await page.keyboard.press("f");
    const { ns } = readTime(await page.textContent("#details dt:text('Duration') + dd"));
    assert.ok(ns > 0);
    await until(
        () => pixelsOf(page, "Capability 0", "running"),
        (pixels) => pixels > 400,
    );
});

onPage("a file dropped while another is being read is the only one shown, whatever is still reported about the other", {}, async (page) => {
    const base64 = readFileSync(corpus("single")).toString("base64");
    await whenLoading(
        page,
        `
        // Keeps the page busy for a while: what the worker reports meanwhile arrives after the drop.
        for (const end = performance.now() + 400; performance.now() < end; );
        const dataTransfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(argument), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], "second.eventlog"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        const program = document.getElementById("program");
        window.programs = [];
        new MutationObserver(() => window.programs.push(program.textContent)).observe(program, { childList: true });
    `,
        base64,
    );
    await choose(page, LARGE);
    await page.waitForFunction(() => window.programs);
    await isTheSingleLog(page);
    const shown = new Set(await page.evaluate(() => window.programs));
    // While that is being read, the open log stays.
    assert.deepEqual(
        [...shown],
        ["large.eventlog", "single"].filter((name) => shown.has(name)),
    );
    assert.ok(shown.has("single"));
    assert.match(await page.textContent("#facts"), /second\.eventlog/);
});

const CHANGES = {
    "cut short": (path) => truncateSync(path, 5000),
    "overwritten by another log": (path) => copyFileSync(corpus("single"), path),
    removed: (path) => rmSync(path),
};
for (const [how, change] of Object.entries(CHANGES)) {
    onPage(`when a file is ${how} while it is open, a notice says so and the page goes on working`, {}, async (page) => {
        const path = join(folder, `${how.replaceAll(" ", "-")}.eventlog`);
        copyFileSync(LARGE, path);
        await choose(page, path);
        await state(page, "ready");
        assert.ok(await page.isHidden("#notices"));
        change(path);
        for (let press = 0; press < 20; press++) await page.keyboard.press("w");
        await page.waitForSelector("#notices", { state: "visible" });
        assert.match(await page.textContent("#notices"), /changed or removed/);
        assert.equal(await page.getAttribute("html", "data-state"), "ready");
        await page.keyboard.press("0");
        await until(
            () => shown(page),
            ({ from, to }) => from < 0.01 && to > 0.99,
        );
        await until(
            () => drawn(page, "Capability 0"),
            (pixels) => pixels > 900,
        );
        await choose(page, corpus("single"));
        await isTheSingleLog(page);
    });
}
