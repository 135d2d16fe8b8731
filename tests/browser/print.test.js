// Printing: all unfolded rows, also those that have never been in view, and the note about what is left out.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { after } from "node:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, chooseTab, file, onPage, openCorpus, state } from "./support/page.js";
import { tablesSettled, tracks, until } from "./support/see.js";
import { writeCapabilities, writeLarge } from "./support/eventlog.js";
import { slow } from "./support/loading.js";
import { opened } from "./support/view.js";

const folder = mkdtempSync(join(tmpdir(), "print-"));
after(() => rmSync(folder, { recursive: true }));

const heading = (page) => page.locator(".heading button", { hasText: "Capabilities" });
const names = async (page) => (await tracks(page)).map(([name]) => name);

/** Opens a log with `count` capabilities, all of them unfolded. */
async function openMany(page, count) {
    await choose(page, file("many.eventlog", writeCapabilities(count)));
    await state(page, "ready");
    await heading(page).click();
    await until(
        () => names(page),
        (all) => all.includes("Capability 0"),
    );
}

/**
 * What would be printed: the capabilities' names, those with anything running, the height of each block, and the note about what is left
 * out. Ends printing afterwards.
 */
function printed(page) {
    return page.evaluate(() => {
        dispatchEvent(new Event("beforeprint"));
        const hex = getComputedStyle(document.documentElement).getPropertyValue("--running").trim();
        const wanted = Number.parseInt(hex.slice(1), 16);
        const [names, running, cut, heights] = [[], [], [], []];
        for (const block of document.querySelectorAll(".block")) {
            const canvas = block.querySelector("canvas");
            const box = block.getBoundingClientRect();
            heights.push(box.height);
            const ratio = canvas.width / box.width;
            for (const row of block.querySelectorAll(".track")) {
                const { bottom, right } = row.getBoundingClientRect();
                if (bottom > box.bottom + 0.5) cut.push(row.textContent);
                const name = row.firstElementChild.textContent;
                if (!/^Capability \d+$/.test(name)) continue;
                names.push(name);
                const [x, y] = [right - box.left, bottom - box.top - 6].map((at) => Math.round(at * ratio));
                const { data } = canvas.getContext("2d").getImageData(x, y, canvas.width - x, 1);
                const isRunning = (_, at) => ((data[at * 4] << 16) | (data[at * 4 + 1] << 8) | data[at * 4 + 2]) === wanted;
                if (Array.from({ length: data.length / 4 }, isRunning).some(Boolean)) running.push(name);
            }
        }
        const left = document.getElementById("unprinted").textContent;
        dispatchEvent(new Event("afterprint"));
        return { names, running, cut, heights, left };
    });
}

/** What would be printed once nothing has happened for a while, if `enough` accepts it; each print starts the wait again. */
function rested(page, enough) {
    const look = async () => {
        await page.waitForTimeout(400);
        return printed(page);
    };
    return until(look, enough);
}

const named = (from, to) => Array.from({ length: to - from }, (_, at) => `Capability ${from + at}`);

onPage(
    "all unfolded rows are printed and drawn, wherever the view is, in blocks that fit a page",
    { colorScheme: "dark" },
    async (page) => {
        await openMany(page, 100);
        // Printing from the browser's menu waits for nothing: rows that have not been in view have come by then.
        const paper = await rested(page, ({ running }) => running.length === 100);
        assert.deepEqual(paper.names, named(0, 100));
        assert.deepEqual([paper.left, paper.cut], ["", []]);
        assert.ok(paper.heights.length > 8 && Math.max(...paper.heights) <= 310, paper.heights.join());
        // Zoomed in, and from the other end.
        await page.focus("#timeline");
        for (let press = 0; press < 6; press++) await page.keyboard.press("w");
        await page.$eval("#timeline", (box) => (box.scrollTop = 9e6));
        await until(
            () => names(page),
            (all) => all.includes("Capability 99"),
        );
        const close = await printed(page);
        assert.deepEqual([close.names, close.left], [named(0, 100), ""]);
        // The view is where it was.
        assert.ok((await names(page)).includes("Capability 99"));
    },
);

onPage("a folded group is one row on paper, too", {}, async (page) => {
    await openMany(page, 100);
    await heading(page).click();
    const { names, heights } = await until(
        () => printed(page),
        ({ names }) => names.length === 0,
    );
    assert.equal(heights.length, 1);
    assert.deepEqual(names, []);
});

/** Presses Ctrl+P, and returns what the browser would print then. */
async function ctrlP(page) {
    await page.evaluate(() => {
        window.asked = new Promise((resolve) => (window.print = resolve));
    });
    await page.keyboard.press("Control+p");
    await page.evaluate(() => window.asked);
    return printed(page);
}

onPage(
    "of very many tracks, those from the view on are printed, with the number of the others; Ctrl+P waits until they are drawn",
    {},
    async (page) => {
        await openMany(page, 500);
        const paper = await ctrlP(page);
        const count = paper.names.length;
        assert.ok(count > 100 && count < 150, `${count}`);
        assert.deepEqual(paper.names, named(0, count));
        assert.deepEqual(paper.running, paper.names);
        // The collections have a track, too.
        assert.equal(paper.left, `Not printed: ${500 - count + 1} tracks below.`);
        await page.$eval("#timeline", (box) => (box.scrollTop = 8000));
        await until(
            () => names(page),
            (all) => all.includes("Capability 270"),
        );
        // Printing without waiting says what is missing.
        const hasty = await printed(page);
        assert.match(
            hasty.left,
            /^Not printed: .* tracks above these, .* below\. Printed before their pictures could be drawn: \d+ tracks\. Ctrl\+P waits for that\.$/,
        );
        assert.ok(hasty.running.length < count, `${hasty.running.length}`);
        const waited = await ctrlP(page);
        assert.deepEqual(waited.running, waited.names);
        assert.match(waited.left, /^Not printed: [^.]*\.$/);
        assert.ok(waited.names.length > 100 && waited.names.includes("Capability 270"), waited.names[0]);
    },
);

onPage("pages break between rows: each block is on one page", {}, async (page) => {
    await opened(page);
    const count = async () => (await page.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page\b/g).length;
    const few = await count();
    await openMany(page, 64);
    const more = await until(count, (pages) => pages > few);
    // Two blocks of nine rows to a page are four pages, and the table of 64 rows takes two or three; the other log needs some of them, too.
    assert.ok(more - few >= 3 && more - few <= 7, `${few}, ${more}`);
});

onPage("however often Ctrl+P is pressed, the browser prints once; the key works in a filter, and on other layouts", {}, async (page) => {
    await openMany(page, 500);
    const asked = () => page.evaluate(() => window.asked);
    await page.evaluate(() => {
        window.asked = 0;
        window.print = () => window.asked++;
        const press = () => new KeyboardEvent("keydown", { key: "з", code: "KeyP", ctrlKey: true, bubbles: true, cancelable: true });
        for (let time = 0; time < 3; time++) document.body.dispatchEvent(press());
    });
    await until(asked, (times) => times > 0);
    await page.waitForTimeout(300);
    assert.equal(await asked(), 1);
    await page.click("#summary .search");
    await page.keyboard.press("Control+p");
    await until(asked, (times) => times === 2);
});

onPage("while a log is read, Ctrl+P prints the newest facts of every tab, and the menu says that some may be old", {}, async (page) => {
    const path = join(folder, "large.eventlog");
    writeLarge(path, 120e6);
    await slow(page, 600);
    await page.evaluate(() => {
        window.printed = [];
        window.print = () => {
            dispatchEvent(new Event("beforeprint"));
            const events = (text) => Number(/([\d\s]+)/.exec(text)[1].replace(/\D/g, ""));
            const { textContent: bar } = document.getElementById("facts");
            window.printed.push({
                bar: events(/[\d\s]+ events/.exec(bar)[0]),
                summary: events(document.querySelector("#summary [data-key='log.events'] dd").textContent),
                left: document.getElementById("unprinted").textContent,
                state: document.documentElement.dataset.state,
            });
            dispatchEvent(new Event("afterprint"));
        };
    });
    await choose(page, path);
    await page.waitForFunction(() => / events/.test(document.getElementById("facts").textContent));
    await page.click("#tab-gc");
    const printed = (times) =>
        until(
            () => page.evaluate(() => window.printed),
            (all) => all.length >= times,
        );
    for (let time = 1; time <= 2; time++) {
        // More of the log comes.
        await page.waitForTimeout(400);
        await page.keyboard.press("Control+p");
        const { bar, summary, left, state } = (await printed(time)).at(-1);
        assert.equal(state, "loading");
        assert.equal(summary, bar);
        assert.doesNotMatch(left, /may be older/);
    }
    const { left } = await page.evaluate(() => {
        window.print();
        return window.printed.at(-1);
    });
    assert.match(left, /some figures may be older than others\. Ctrl\+P waits for that/);
    await page.click("#stop");
    await state(page, "ready");
    await page.keyboard.press("Control+p");
    const last = (await printed(4)).at(-1);
    assert.deepEqual([last.summary, last.left], [last.bar, ""]);
});

onPage("bands have their names on paper, as beside the timeline", {}, async (page) => {
    await openCorpus(page, "heap-closure");
    const namesIn = (root) => page.$$eval(`${root} .bands li .text`, (texts) => texts.map(({ textContent }) => textContent));
    const shown = await until(
        () => namesIn("#headers"),
        (all) => all.length === 11,
    );
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.deepEqual(await namesIn(".block"), shown);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
});

onPage("on paper there is a legend of what is drawn, and the tab that is open, with all rows of its tables", {}, async (page) => {
    await openCorpus(page, "threaded");
    await chooseTab(page, "threads");
    await tablesSettled(page);
    // What a print would need is fetched a moment later.
    await page.waitForTimeout(800);
    const { legend, titles, rows } = await page.evaluate(() => {
        dispatchEvent(new Event("beforeprint"));
        const shown = (part) => part.getClientRects().length > 0;
        const table = document.querySelector("#panel .tab-panel table[aria-label=Threads]");
        const found = {
            legend: [...document.querySelectorAll("#paper .legend li")].map((entry) => entry.textContent),
            titles: [...document.querySelectorAll("#panel h2")].filter(shown).map((title) => title.textContent),
            rows: shown(table) ? [...table.tBodies[0].rows].filter((row) => row.textContent.trim() && shown(row)).length : 0,
        };
        dispatchEvent(new Event("afterprint"));
        return found;
    });
    for (const state of ["running", "GC working, minor GC", "GC wait", "GC sync"]) assert.ok(legend.includes(state), legend.join());
    assert.ok(!legend.includes("non-moving mark"), "what is not there has no entry");
    assert.deepEqual(titles, ["Summary", "Threads"]);
    assert.equal(rows, 12);
    assert.equal(await page.$("#paper .legend"), null);
});
