// From the empty page to a log and back, and files that cannot be opened.

import assert from "node:assert/strict";
import { choose, corpus, drop, file, onPage, openCorpus, state } from "./support/page.js";
import { pixelsOf, shown, tracks, until } from "./support/see.js";

const GOOD = corpus("single");

/** The visible parts of the page. */
function seen(page) {
    return page.evaluate(() => {
        const parts = ["#close", ".progress", "#notices", ".start", "#error", ".log", ".drop-cover"];
        return parts.filter((part) => document.querySelector(part).checkVisibility());
    });
}

async function isRunning(page, name) {
    await until(
        () => pixelsOf(page, name, "running"),
        (pixels) => pixels > 20,
    );
}

onPage("the page starts empty and says what it is for", {}, async (page) => {
    assert.equal(await page.getAttribute("html", "data-state"), "empty");
    assert.deepEqual(await seen(page), [".start"]);
    const text = await page.textContent(".start");
    for (const words of ["Drop a .eventlog here", "choose a file", "never leaves this page", "+RTS -l"]) {
        assert.ok(text.includes(words), words);
    }
});

onPage("a chosen file is opened: its program, its tracks and threads that ran", {}, async (page) => {
    await openCorpus(page, "threaded");
    assert.equal(await page.textContent("#program"), "threaded");
    const names = (
        await until(
            () => tracks(page),
            (rows) => rows.length > 0,
        )
    ).map(([name]) => name);
    assert.deepEqual(
        names.filter((name) => /^Capability \d+$/.test(name)),
        ["Capability 0", "Capability 1", "Capability 2"],
    );
    for (const name of ["Activity", "Collections"]) assert.ok(names.includes(name), name);
    for (const name of ["Capability 0", "Capability 1", "Capability 2"]) await isRunning(page, name);
    assert.deepEqual(await seen(page), ["#close", ".log"]);
});

onPage("the bar shows the file's name, size and events, the runtime, the arguments and the start", {}, async (page) => {
    await openCorpus(page, "threaded");
    const facts = await page.$$eval("#facts li", (items) => items.map((item) => item.textContent));
    assert.equal(facts[0].replace("\u202f", " "), "log.eventlog · 33.5 KiB · 1 644 events");
    assert.equal(facts[1], "GHC-9.0.2 rts_thr_l");
    assert.equal(facts[2], "+RTS -N3 -la -A512k -tthreaded.rts --machine-readable -RTS");
    assert.match(facts[3], /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

for (const place of ["#open-file", "#bar", ".drop", "#theme"]) {
    onPage(`a file may be dropped on ${place}`, {}, async (page) => {
        await drop(page, place, GOOD);
        await state(page, "ready");
        await isRunning(page, "Capability 0");
        assert.ok(!(await seen(page)).includes(".drop-cover"));
    });
}

onPage("a file dropped on an open log replaces it", {}, async (page) => {
    await openCorpus(page, "threaded");
    await drop(page, "#timeline", GOOD);
    await until(
        () => tracks(page),
        (rows) => rows.filter(([name]) => /^Capability \d+$/.test(name)).length === 1,
    );
    assert.equal(await page.textContent("#program"), "single");
});

onPage("the page shows that a file can be dropped while one is over it", {}, async (page) => {
    const fire = (type) =>
        page.evaluate((type) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(["x"], "x"));
            document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        }, type);
    await fire("dragenter");
    assert.deepEqual(await seen(page), [".start", ".drop-cover"]);
    await fire("dragleave");
    assert.deepEqual(await seen(page), [".start"]);
});

onPage("the example is a log like any other", {}, async (page) => {
    await page.click("#example");
    await state(page, "ready");
    await isRunning(page, "Capability 2");
});

onPage("a closed log is gone, and the same file can be opened again", {}, async (page) => {
    await openCorpus(page, "single");
    await page.click("#close");
    await state(page, "empty");
    assert.deepEqual(await seen(page), [".start"]);
    assert.equal(await page.textContent("#program"), "GHC Eventlog Viewer");
    await openCorpus(page, "single");
    await isRunning(page, "Capability 0");
});

const WRONG = {
    "a file that is no eventlog": [
        file("notes.txt", "Dear diary, nothing of note happened today.\n".repeat(9)),
        /^notes\.txt cannot be shown\. This is a text file, not a GHC eventlog\.$/,
    ],
    "an empty file": [corpus("empty"), /The file is empty\.$/],
    "a file cut off in its header": [corpus("cut-in-header"), /ends in the middle of its header.*\(byte 1\u202f342\)\.$/],
};
for (const [what, [wrong, message]] of Object.entries(WRONG)) {
    onPage(`${what} is refused, saying what is wrong and where; then a good file opens`, {}, async (page) => {
        await choose(page, wrong);
        await state(page, "error");
        assert.match(await page.textContent("#error"), message);
        assert.deepEqual(await seen(page), [".start", "#error"]);
        await openCorpus(page, "single");
        await isRunning(page, "Capability 0");
        assert.ok(!(await seen(page)).includes("#error"));
    });
}

const CUT = /^\s*The file ends in the middle of an event, at byte 20\u202f624; later events are missing\./;
const DAMAGED = { "cut-in-event": CUT, "cut-in-head": CUT };
for (const [name, message] of Object.entries(DAMAGED)) {
    onPage(`${name}: what is there opens, and a notice says at which offset the rest is missing`, {}, async (page) => {
        await openCorpus(page, name);
        assert.ok((await seen(page)).includes("#notices"));
        assert.match(await page.textContent("#notices"), message);
        await isRunning(page, "Capability 0");
    });
}

onPage("a log without events says why it has none", {}, async (page) => {
    await openCorpus(page, "killed-early");
    await page.click("#notices-more");
    assert.match(await page.innerText("#notices-list"), /no events: the program was killed before its first flush/i);
});

onPage("a log in which nothing is missing has no notice, also after one that had", {}, async (page) => {
    await openCorpus(page, "cut-in-event");
    assert.ok((await seen(page)).includes("#notices"));
    await choose(page, GOOD);
    await page.waitForFunction(() => document.getElementById("program").textContent === "single");
    assert.ok(!(await seen(page)).includes("#notices"));
});

onPage("nothing of a log stays when one without events is opened", {}, async (page) => {
    await openCorpus(page, "threaded");
    await page.waitForSelector("#headers .track");
    await openCorpus(page, "killed-early");
    await page.waitForFunction(() => document.querySelectorAll("#headers .track").length === 0);
    const painted = await page.$eval("#canvas", (canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.some((byte) => byte !== 0);
    });
    assert.equal(painted, false);
});

/** Notices that lead to a time, each with the part of the log that is in view after a click. */
async function follow(page) {
    const places = page.locator("#notices .place");
    const seen = [];
    for (let at = 0; at < (await places.count()); at++) {
        await page.keyboard.press("0");
        if (!(await places.nth(at).isVisible())) await page.click("#notices-more");
        await places.nth(at).click();
        seen.push(
            await until(
                () => shown(page),
                ({ from, to }) => to - from < 0.1,
            ),
        );
    }
    return seen;
}

onPage("a notice shows its time, and a click goes there", {}, async (page) => {
    await openCorpus(page, "cut-in-event");
    const [{ from, to }] = await follow(page);
    // The time where the events of the last block's capability end; another capability's go on.
    assert.ok(from > 0.3 && to < 0.7, `${from} to ${to}`);
    assert.match(await page.textContent("#notices .place"), /^at 1\d\.\d\d\d\u202f?\d* ms$/);
});

onPage("every notice of a restarted log leads to its own place", {}, async (page) => {
    await openCorpus(page, "restarted");
    const text = await page.textContent("#notices");
    assert.match(text, /Logging was restarted \(byte [\d\u202f]+\)\./);
    assert.equal(await page.isVisible("#notices-list"), false, "the first one is shown, the others can be unfolded");
    const seen = await follow(page);
    assert.ok(seen.length >= 1);
    for (const { from, to } of seen) assert.ok(to - from < 0.1 && from < 1 && to > 0, `${from} to ${to}`);
});
