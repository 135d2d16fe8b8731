// Under load: many things at once, a worker that dies, a file that changes while it is read, and many repetitions.

import { after } from "node:test";
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, corpus, onPage, openCorpus, state } from "./support/page.js";
import { feeding, hold, hurry, isTheSingleLog, kill, roundTrip, slow } from "./support/loading.js";
import { memoryOf } from "./support/memory.js";
import { readCorpus, writeLarge } from "./support/eventlog.js";
import { described, drawn, lane, shown, stretch, tells, until } from "./support/see.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));

/** A path in a temporary folder. */
const place = (name) => join(folder, `${name.replaceAll(" ", "-")}.eventlog`);

const [LARGE, MIDDLE] = [place("large"), place("middle")];
writeLarge(LARGE, 90e6);
writeLarge(MIDDLE, 8e6);

const isDrawn = (page) =>
    until(
        () => drawn(page, "Capability 0"),
        (pixels) => pixels > 700,
    );

onPage("of many files opened one right after the other, large and small, only the last is shown", {}, async (page) => {
    await hold(page, [LARGE, MIDDLE, corpus("single")]);
    await page.evaluate(async () => {
        const program = document.getElementById("program");
        new MutationObserver(() => window.seen_.push(program.textContent)).observe(program, { childList: true });
        for (const which of [0, 1, 0, 2, 0, 1, 0, 2]) {
            window.seen_ = [];
            window.drop_(which);
            // Keeps the page busy: what the worker reports about a large file arrives after the next one was dropped.
            if (which === 0) for (const end = performance.now() + 150; performance.now() < end; );
            else await new Promise((resolve) => setTimeout(resolve, 30));
        }
    });
    await isTheSingleLog(page);
    const { title, fields } = await described(page, "#details");
    const [first] = readCorpus("single").lanes.get(0);
    assert.ok(tells(fields.Start, first.start), `${title} ${fields.Start}, not ${first.start}`);
    // Before that, the open log stays; the large one that was dropped just before never shows.
    const seen = await page.evaluate(() => window.seen_);
    // The first of the two small ones may have been open already: then nothing changed.
    assert.equal(seen.at(-1) ?? "single", "single");
    assert.ok(seen.length <= 2);
});

/** Notes that the worker is asked to warm up: from the beginning, as a browser may take the pointer's first place for a move. */
const hearWarming = (context) =>
    context.addInitScript(() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message, ...rest) {
            if (message.kind === "warm") window.hasWarmed = true;
            return postMessage.call(this, message, ...rest);
        };
    });

onPage("a log opens as usual while the viewer warms up, which begins when the user comes", { prepare: hearWarming }, async (page) => {
    // A pointer moves more than once: the page may not listen yet when it comes.
    let x = 300;
    await until(
        async () => {
            await page.mouse.move(x++, 300);
            return page.evaluate(() => window.hasWarmed);
        },
        (warmed) => warmed,
    );
    await choose(page, corpus("single"));
    await isTheSingleLog(page);
});

onPage("a large file can be cancelled and opened again ten times in a row", {}, async (page) => {
    await slow(page, 40);
    for (let round = 0; round < 10; round++) {
        await choose(page, LARGE);
        // Sometimes before its first events have come, sometimes after.
        if (round % 2) await page.waitForFunction(() => document.querySelector("#progress").value > 0);
        await page.click("#cancel");
        await state(page, "empty");
    }
    await choose(page, LARGE);
    await state(page, "ready");
    await isDrawn(page);
    assert.ok(await page.isHidden("#notices"));
    await page.click("#close");
    await openCorpus(page, "single");
    await isTheSingleLog(page);
});

/** Zooms of all sorts; the wheel zooms at the pointer. */
const ZOOMS = ["w", "wheel", "w", "w", "s", "wheel", "w", "wheel", "w", "w"];

async function zoom(page, how) {
    if (how !== "wheel") return page.keyboard.press(how);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -100);
    await page.keyboard.up("Control");
}

/** The lanes once nothing changes. */
async function atRest(page) {
    const look = async () => JSON.stringify([await lane(page, "Capability 0"), await lane(page, "Capability 2")]);
    let last = "";
    return until(
        async () => {
            const now = await look();
            await page.waitForTimeout(60);
            const same = now === last && now === (await look());
            last = now;
            return { same, now };
        },
        ({ same }) => same,
    );
}

onPage("ten quick zooms lead to the same picture as ten slow ones", {}, async (page) => {
    await choose(page, LARGE);
    await state(page, "ready");
    const { y } = await lane(page, "Capability 0");
    await page.mouse.move(700, y);
    const begin = async () => {
        await page.keyboard.press("0");
        for (let press = 0; press < 12; press++) await page.keyboard.press("w");
        await atRest(page);
    };
    await begin();
    for (const how of ZOOMS) {
        await zoom(page, how);
        await atRest(page);
    }
    const { now: expected } = await atRest(page);
    const view = await shown(page);
    const { from, to } = await stretch(page, "Capability 0", "running");
    assert.ok(to - from > 5, "single spans are to be seen in it");
    await begin();
    for (const how of ZOOMS) await zoom(page, how);
    const { now } = await atRest(page);
    assert.deepEqual(await shown(page), view);
    assert.equal(now, expected);
    await roundTrip(page);
});

/** Checks that an error says what to do, and that another log then opens and answers. */
async function failsAndGoesOn(page, words) {
    await state(page, "error");
    const text = await page.textContent("#error");
    assert.match(text, words);
    assert.match(text, /open the file again/);
    await openCorpus(page, "single");
    await isTheSingleLog(page);
    await page.click("#close");
    await openCorpus(page, "single");
    await isTheSingleLog(page);
}

const SILENT = /large\.eventlog cannot be shown\. The viewer itself failed: .* no longer answers/;

onPage("a worker killed while it reads is found dead, and the next file opens", { restarts: true }, async (page) => {
    await hurry(page);
    await slow(page, 20);
    await choose(page, LARGE);
    await page.waitForFunction(() => document.querySelector("#progress").value > 0);
    await kill(page);
    await failsAndGoesOn(page, SILENT);
});

onPage("a worker killed while idle is found dead at the next question, and nothing waits for it", { restarts: true }, async (page) => {
    await hurry(page);
    await choose(page, LARGE);
    await state(page, "ready");
    await isDrawn(page);
    const { y } = await lane(page, "Capability 0");
    // It gives its last sign of life.
    await page.waitForTimeout(1000);
    await kill(page);
    await page.waitForTimeout(1500);
    assert.equal(await page.getAttribute("html", "data-state"), "ready", "nothing was asked of it");
    // A tooltip, steps, another track, and a window: all of them wait.
    await page.mouse.move(700, y);
    for (const key of [".", ".", "Shift+ArrowDown", "w"]) await page.keyboard.press(key);
    await failsAndGoesOn(page, SILENT);
    const own = await stretch(page, "Capability 0", "running");
    await page.mouse.move((own.from + own.to) / 2, (await lane(page, "Capability 0")).y);
    await page.waitForSelector("#tooltip", { state: "visible" });
});

onPage("one question for a picture is enough to find a worker dead", { restarts: true }, async (page) => {
    await hurry(page);
    await choose(page, LARGE);
    await state(page, "ready");
    await isDrawn(page);
    await kill(page);
    await page.keyboard.press("w");
    await failsAndGoesOn(page, SILENT);
});

onPage("a worker in an endless loop is ended, and the next file opens", { restarts: true }, async (page) => {
    await hurry(page);
    await feeding(page, "for (;;);");
    await choose(page, LARGE);
    await failsAndGoesOn(page, SILENT);
});

onPage("after Cancel, a worker in an endless loop does not delay the next file", { restarts: true }, async (page) => {
    await feeding(page, "for (;;);");
    await choose(page, LARGE);
    await page.waitForTimeout(4000);
    await page.click("#cancel");
    await state(page, "empty");
    await openCorpus(page, "single");
    await isTheSingleLog(page);
});

onPage("a worker that is only slow is given its time", {}, async (page) => {
    await hurry(page);
    await slow(page, 300);
    await choose(page, MIDDLE);
    await state(page, "ready");
    await isDrawn(page);
    assert.ok(await page.isHidden("#notices"));
});

onPage("a worker that cannot be started is reported, and tried again with the next file", { restarts: true }, async (page) => {
    await hurry(page);
    await choose(page, LARGE);
    await state(page, "ready");
    await kill(page);
    await page.keyboard.press("w");
    await state(page, "error");
    await page.route("**/worker.js", (route) => route.fulfill({ status: 404 }));
    await choose(page, LARGE);
    await page.waitForFunction(() => document.getElementById("error").textContent.includes("could not be started"));
    assert.equal(await page.getAttribute("html", "data-state"), "error");
    await page.unroute("**/worker.js");
    await openCorpus(page, "single");
    await isTheSingleLog(page);
});

/** A module whose one function, `f`, is `unreachable`, which is what a panic of ours ends in. */
const TRAP = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];

const FAILURES = {
    "wasm traps": `new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([${TRAP}]))).exports.f();`,
    "there is no memory left": "new ArrayBuffer(Number.MAX_SAFE_INTEGER);",
};
for (const [what, how] of Object.entries(FAILURES)) {
    onPage(`when ${what}, the viewer says that it failed, and the next file opens`, { restarts: true }, async (page) => {
        await feeding(page, how);
        await choose(page, LARGE);
        await failsAndGoesOn(page, /large\.eventlog cannot be shown\. The viewer itself failed: (Runtime|Range)Error/);
    });
}

const CHANGES = {
    "cut short": (path) => truncateSync(path, 30e6),
    "cut to nothing": (path) => truncateSync(path, 0),
    "overwritten by another log": (path) => copyFileSync(corpus("single"), path),
    "written on": (path) => appendFileSync(path, "more"),
    removed: (path) => rmSync(path),
};
for (const [how, change] of Object.entries(CHANGES)) {
    onPage(`when a file is ${how} while it is read, a notice says so, and what was read stays`, {}, async (page) => {
        const path = place(how);
        copyFileSync(LARGE, path);
        await slow(page, 20);
        await choose(page, path);
        await page.waitForFunction(() => /[1-9]\S* events$/.test(document.getElementById("progress-text").textContent));
        change(path);
        await state(page, "ready");
        await page.waitForSelector("#notices", { state: "visible" });
        assert.match(await page.textContent("#notices"), /changed or removed/);
        await isDrawn(page);
        for (let press = 0; press < 20; press++) await page.keyboard.press("w");
        await page.keyboard.press("0");
        await until(
            () => shown(page),
            ({ from, to }) => from < 0.01 && to > 0.99,
        );
        await isDrawn(page);
        assert.equal(await page.getAttribute("html", "data-state"), "ready");
        await choose(page, corpus("single"));
        await isTheSingleLog(page);
    });
}

/** Opens logs, looks around and closes them, by a script in the page: driving the page from outside would keep references to its parts. */
async function cycles(page, paths) {
    await hold(page, paths);
    await page.evaluate(() => {
        const root = document.documentElement;
        const frame = () => new Promise(requestAnimationFrame);
        const when = async (seen) => {
            while (!seen()) await new Promise((resolve) => setTimeout(resolve));
        };
        const press = (code) => document.body.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true }));
        window.cycle_ = async (which, zooms) => {
            window.drop_(which);
            await when(() => root.dataset.state === "ready");
            for (let zoom = 0; zoom < zooms; zoom++) {
                press("KeyW");
                await frame();
            }
            press("Period");
            await when(() => document.querySelector("#details dl"));
            document.getElementById("close").click();
            await when(() => root.dataset.state === "empty");
        };
    });
    return (which, zooms) => page.evaluate(([which, zooms]) => window.cycle_(which, zooms), [which, zooms]);
}

onPage("a hundred logs opened and closed leave no more in memory than the first few", {}, async (page) => {
    const cycle = await cycles(page, [MIDDLE, corpus("threaded"), corpus("single"), corpus("cut-in-event")]);
    const memory = await memoryOf(page);
    const rest = async (rounds, zooms) => {
        for (let round = 0; round < rounds; round++) await cycle(round % 4, zooms);
        // Wait for messages that are still on their way to the page.
        await page.waitForTimeout(500);
        return memory();
    };
    const held = [await rest(12, 10)];
    for (let ends = 1; ends <= 4; ends++) held.push(await rest(22, 2));
    for (const what of Object.keys(held[0])) {
        const ends = held.map((now) => now[what]);
        // The memory of wasm never shrinks, and grows when much happens to come together, however late. But what every log leaves
        // behind, grows in every stretch.
        const grows = what === "wasm" ? ends.slice(1).every((now, at) => now > ends[at] * 1.02) : ends.at(-1) > ends[0] * 1.1;
        assert.ok(ends[0] > 0 && !grows, `${what}: ${ends}`);
    }
});

onPage(
    "without the part of the viewer that comes later, the log is drawn, and a notice says what is missing",
    { restarts: true, refuses: true },
    async (page) => {
        await page.route("**/ghc-eventlog-wasm_rest.wasm", (route) => route.fulfill({ status: 503 }));
        await page.reload();
        await page.waitForSelector('html[data-state="empty"]', { state: "attached" });
        await page.setInputFiles("#open-file", corpus("threaded"));
        await page.waitForSelector('html[data-state="ready"]', { state: "attached" });
        await page.waitForFunction(() => document.getElementById("notices").textContent.includes("part of the viewer could not be loaded"));
        await until(
            async () => (await lane(page, "Capability 0")).roles,
            (roles) => roles.includes("running"),
        );
        // It is still there, and comes to life when the part can be had.
        await page.unroute("**/ghc-eventlog-wasm_rest.wasm");
        await page.click("#tab-gc");
        await page.waitForSelector("#panel log-table tbody tr[data-at]");
    },
);
