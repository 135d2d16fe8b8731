// An open log stays as it is until the next one has proved readable, and Cancel brings it back.

import { after } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { choose, corpus, file, onPage, openCorpus, state } from "./support/page.js";
import { hold, isTheSingleLog, slow } from "./support/loading.js";
import { described, lane, pixelsOf, press, select, shown, until } from "./support/see.js";
import { writeLarge } from "./support/eventlog.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));
const LARGE = join(folder, "large.eventlog");
writeLarge(LARGE, 60e6);

const NOTES = file("notes.txt", "Dear diary, nothing of note happened today.\n".repeat(9));

/** Rows that are in view whatever is above them. */
const IN_VIEW = 8;

/** Everything that is shown of a log. */
async function look(page) {
    return {
        program: await page.textContent("#program"),
        facts: await page.textContent("#facts"),
        tracks: await page.$$eval("#headers .track", (rows, most) => rows.slice(0, most).map((row) => row.textContent), IN_VIEW),
        summary: await page.textContent("#summary"),
        details: await page.textContent("#details"),
        shown: await shown(page),
        lane: (await lane(page, "Capability 0")).roles.join(),
    };
}

/** Opens a log and makes it recognisable: a part of it in view, a range and a span selected. */
async function prepare(page) {
    await openCorpus(page, "threaded");
    await until(
        () => pixelsOf(page, "Capability 0", "running"),
        (pixels) => pixels > 20,
    );
    await page.mouse.move(700, (await lane(page, "Capability 0")).y);
    for (let zoom = 0; zoom < 3; zoom++) await page.keyboard.press("w");
    const { left, y } = await lane(page, "Capability 0");
    await select(page, left + 100, left + 400, y);
    await press(page, ".");
    await page.mouse.move(640, 5);
    await page.waitForFunction(() => document.getElementById("summary").textContent.includes("selected"));
    return atRest(page);
}

/** What is shown once nothing changes. */
async function atRest(page) {
    let last = "";
    return until(
        async () => {
            const now = await look(page);
            const same = JSON.stringify(now) === last;
            last = JSON.stringify(now);
            await page.waitForTimeout(50);
            return { same, now };
        },
        ({ same }) => same,
    ).then(({ now }) => now);
}

/** Checks that the page shows the same as before, and that the log answers about spans, windows and ranges. */
async function isUntouched(page, before) {
    assert.deepEqual(await atRest(page), before);
    const { title } = await press(page, ".");
    assert.ok(title);
    await press(page, ",");
    assert.equal(await page.textContent("#details"), before.details);
    await page.keyboard.press("w");
    await until(
        () => shown(page),
        ({ from, to }) => to - from < before.shown.to - before.shown.from,
    );
    await page.keyboard.press("s");
    const { left, y } = await lane(page, "Capability 0");
    await select(page, left + 50, left + 500, y);
    await page.waitForFunction((summary) => document.getElementById("summary").textContent !== summary, before.summary);
}

onPage("a bad file after a good one says what is wrong with it, and the good one is still there and answers", {}, async (page) => {
    const before = await prepare(page);
    await choose(page, NOTES);
    await state(page, "error");
    const text = await page.textContent("#error");
    assert.equal(text, "notes.txt cannot be shown. This is a text file, not a GHC eventlog. log.eventlog is still open.");
    assert.ok((await page.isVisible(".log")) && (await page.isVisible("#close")));
    await isUntouched(page, { ...before });
    await page.click("#error-close");
    await state(page, "ready");
    assert.ok(await page.isHidden("#error"));
    await openCorpus(page, "single");
    await isTheSingleLog(page);
});

onPage("bad files of every kind leave the log alone", { unpacks: true }, async (page) => {
    const before = await prepare(page);
    const bad = [
        corpus("empty"),
        corpus("cut-in-header"),
        file("cut.gz", [0x1f, 0x8b, 8, 0]),
        file("no-log.zip", zipSync({ "x.txt": new Uint8Array(40) })),
        file("zeros", new Uint8Array(100_000)),
    ];
    for (const what of bad) {
        await choose(page, what);
        await page.waitForFunction(() => document.getElementById("error").textContent.includes("still open"));
        await page.click("#error-close");
        assert.deepEqual(await atRest(page), before);
    }
    await isUntouched(page, before);
});

onPage("Cancel returns to the log that was open, before the next one's first events and after", {}, async (page) => {
    const before = await prepare(page);
    await page.$eval("ghc-eventlog-viewer", (viewer) => {
        window.readies = 0;
        viewer.addEventListener("ready", () => (window.readies += 1));
    });
    await slow(page, 60);
    for (const events of [false, true, true]) {
        await choose(page, LARGE);
        await state(page, "loading");
        if (events) await page.waitForFunction(() => /[1-9]\S* events/.test(document.getElementById("progress-text").textContent));
        await page.click("#cancel");
        await state(page, "ready");
        assert.deepEqual(await atRest(page), before);
    }
    assert.equal(await page.evaluate(() => window.readies), 0, "it has been told of before");
    await isUntouched(page, before);
});

onPage("Stop here keeps the new log, and closes the old one", {}, async (page) => {
    await prepare(page);
    await slow(page, 60);
    await choose(page, LARGE);
    await page.waitForFunction(() => /[1-9]\S* events/.test(document.getElementById("progress-text").textContent));
    await page.click("#stop");
    await state(page, "ready");
    assert.match(await page.textContent("#facts"), /^large\.eventlog/);
    await page.click("#close");
    await state(page, "empty");
    assert.ok(await page.isHidden(".log"));
});

onPage("a bad file dropped while a log is being read does not stop that", {}, async (page) => {
    await hold(page, [LARGE, corpus("empty")]);
    await slow(page, 30);
    await page.evaluate(() => window.drop_(0));
    await page.waitForFunction(() => /[1-9]\S* events/.test(document.getElementById("progress-text").textContent));
    await page.evaluate(() => window.drop_(1));
    await page.waitForFunction(() => document.getElementById("error").textContent.includes("large.eventlog is still open"));
    await page.click("#error-close");
    await state(page, "ready");
    const { title } = await press(page, ".");
    assert.ok(title);
    assert.match(await page.textContent("#facts"), /^large\.eventlog · 5\d\.\d MiB/);
    assert.ok(await page.isHidden("#notices"), "all of it was read");
});

onPage("of two files dropped one right after the other the last counts: good after bad, and bad after good", {}, async (page) => {
    const before = await prepare(page);
    await hold(page, [corpus("empty"), corpus("single"), LARGE]);
    await page.evaluate(() => {
        window.drop_(2);
        window.drop_(0);
    });
    await page.waitForFunction(() => document.getElementById("error").textContent.includes("The file is empty."));
    await isUntouched(page, before);
    await page.evaluate(() => {
        window.drop_(0);
        window.drop_(1);
    });
    await isTheSingleLog(page);
    assert.ok(await page.isHidden("#error"));
});

onPage("an archive can be looked into and left again", { unpacks: true }, async (page) => {
    const before = await prepare(page);
    const log = new Uint8Array(readFileSync(corpus("single")));
    await choose(page, file("two.zip", zipSync({ "a.eventlog": log, "b.eventlog": log })));
    await state(page, "choosing");
    await page.click("#choose-none");
    await state(page, "ready");
    await isUntouched(page, before);
});

onPage("a selection after the change is in the new log", {}, async (page) => {
    await prepare(page);
    await openCorpus(page, "single");
    await isTheSingleLog(page);
    assert.ok(!(await page.textContent("#summary")).includes("selected"));
    assert.ok((await described(page, "#details")).title);
});
