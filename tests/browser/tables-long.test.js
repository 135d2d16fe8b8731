// Tables of very many rows, and tables that grow while a log is read.

import { after } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { slow } from "./support/loading.js";
import { choose, chooseTab, file, onPage, openCorpus, state } from "./support/page.js";
import { readCorpus, writeCollections, writeLarge } from "./support/eventlog.js";
import { lane, readTime, tells, until } from "./support/see.js";
import { TABLE, box, column, columnOf, cursor, note, openTab, pause, rows } from "./support/tables.js";
import { isWhole, middle, near, view, width } from "./support/view.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));
const LARGE = join(folder, "large.eventlog");

const { collections, length: LENGTH } = readCorpus("threaded");

const MANY = 200_000;

onPage("of a hundred thousand rows, only those in view exist; all that are kept can be reached and sorted", {}, async (page) => {
    await choose(page, file("many.eventlog", writeCollections(MANY)));
    await state(page, "ready");
    assert.equal((await page.innerText("#tab-gc")).replace(/\s+/g, " ").trim(), "GC 200 000");
    await openTab(page, "gc");
    assert.match(await note(page), /^[\d\s]+ of 200\s000 rows are shown, an even selection that includes the smallest and the largest$/);
    const kept = Number(await page.getAttribute(`${TABLE} table`, "aria-rowcount")) - 1;
    assert.ok(kept > 20_000 && kept < MANY, `${kept}`);
    const start = (at) => at * 1000;
    for (const place of [0.2, 0.5, 0.83, 1]) {
        await box(page).evaluate((box, place) => (box.scrollTop = (box.scrollHeight - box.clientHeight) * place), place);
        const seen = await until(
            () => rows(page),
            (seen) => seen.length > 0 && seen.every(([first]) => first !== "…") && near(readTime(seen[0][0]).ns / start(MANY), place, 0.01),
        );
        assert.ok(seen.length < 40, `${seen.length} rows`);
        const times = seen.map(([first]) => readTime(first).ns);
        assert.ok(times.every((time, at) => at === 0 || time > times[at - 1]));
    }
    await page.click(`${TABLE} thead th:has-text("Pause")`);
    // The longest is kept, however many are dropped.
    await column(page, "Pause", (texts) => tells(texts[0], 499));
    assert.equal(await box(page).evaluate((box) => box.scrollTop), 0);
    await page.focus(`${TABLE} table`);
    await page.keyboard.press("End");
    await until(
        () => cursor(page),
        (row) => row?.at === kept - 1 && row.first !== "…",
    );
    await column(page, "Pause", (texts) => tells(texts.at(-1), 100));
    await page.keyboard.press("PageUp");
    await until(
        () => cursor(page),
        (row) => row && row.at < kept - 2 && row.at > kept - 30,
    );
});

onPage("columns keep their places while scrolling", {}, async (page) => {
    await choose(page, file("many.eventlog", writeCollections(20_000)));
    await state(page, "ready");
    await openTab(page, "gc");
    const places = () => page.$$eval(`${TABLE} thead th`, (all) => all.map((head) => Math.round(head.getBoundingClientRect().left)));
    await box(page).evaluate((box) => (box.scrollTop = box.scrollHeight));
    await until(
        () => rows(page),
        (seen) => seen.length > 0 && seen.every(([first]) => first.startsWith("1")),
    );
    const wide = await places();
    await box(page).evaluate((box) => (box.scrollTop = 0));
    await until(
        () => rows(page),
        ([first]) => first?.[0] === "0",
    );
    assert.deepEqual(await places(), wide);
});

onPage("a table keeps its filter and its scrolling while another one is shown", {}, async (page) => {
    await choose(page, file("many.eventlog", writeCollections(20_000)));
    await state(page, "ready");
    await openTab(page, "gc");
    await page.click(`${TABLE} thead th:has-text("Pause")`);
    await column(page, "Pause", (texts) => tells(texts[0], 499));
    await box(page).evaluate((box) => (box.scrollTop = 5200));
    // The 200th row, of 50 for each length: the browser reports scrolling in its next frame.
    await column(page, "Pause", (texts) => texts[0] !== "…" && tells(texts[0], 495));
    const before = await rows(page);
    await page.click("#tab-process");
    await page.click("#tab-gc");
    assert.deepEqual(
        await until(
            () => rows(page),
            (seen) => JSON.stringify(seen) === JSON.stringify(before),
        ),
        before,
    );
    // But another log asks again.
    await openCorpus(page, "threaded");
    await until(
        () => rows(page),
        ([first]) => first && tells(first[0], collections[0].start),
    );
});

onPage(
    "heads, rows and buttons are large enough for fingers",
    { hasTouch: true, isMobile: true, viewport: { width: 800, height: 900 } },
    async (page) => {
        await openCorpus(page, "threaded");
        await openTab(page, "gc");
        for (const part of ["thead th", "tbody tr", ".copy", ".search"]) {
            const { height } = await page.locator(`${TABLE} ${part}`).first().boundingBox();
            assert.ok(height >= 44, `${part}: ${height}`);
        }
        const start = await columnOf(page, "Start");
        const [, , third] = await rows(page);
        await page.locator(`${TABLE} tbody tr`).nth(2).tap();
        const { start: from } = collections[2];
        assert.ok(tells(third[start], from));
        await view(page, (now) => !isWhole(now) && near(middle(now), from / LENGTH, width(now)));
        assert.ok((await lane(page, "Capability 0")).roles.length > 0);
    },
);

onPage("while a log is read its tables grow, and nothing moves in them", {}, async (page) => {
    writeLarge(LARGE, 60e6);
    await slow(page, 150);
    await choose(page, LARGE);
    const number = async () => Number((await page.innerText("#tab-gc")).replace(/\D/g, ""));
    await until(number, (count) => count > 40);
    await openTab(page, "gc");
    await box(page).evaluate((box) => (box.scrollTop = 520));
    // The first moment, from which times count, is known when all is read: the rest of each row stays.
    const first = async () => (await rows(page)).slice(0, 3).map((row) => row.slice(1));
    const seen = await until(first, ([row]) => row && tells(row[0], pause(collections[20])));
    const count = await number();
    await until(number, (now) => now > count);
    assert.equal(await page.getAttribute("html", "data-state"), "loading");
    await until(
        () => page.getAttribute(`${TABLE} table`, "aria-rowcount"),
        (now) => Number(now) > count + 1,
    );
    assert.deepEqual(await first(), seen);
    await state(page, "ready");
    const all = await number();
    assert.ok(all > 10_000, `${all}`);
    await until(
        () => note(page),
        (text) => text.replace(/\s/g, "") === `${all}rows`,
    );
    assert.deepEqual(await first(), seen);
});

/** The keys of the tables that the worker has been asked about since the last time. */
const asked = (page) => page.evaluate(() => window.asked.splice(0));

/** Notes which tables the worker is asked about. */
const noteAsked = (page) =>
    page.evaluate(() => {
        window.asked = [];
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message, ...rest) {
            if (message.kind === "table") window.asked.push(message.body.table);
            postMessage.call(this, message, ...rest);
        };
    });

onPage("while a log is read, the worker is not asked for hidden rows; afterwards for those that printing needs", {}, async (page) => {
    writeLarge(LARGE, 60e6);
    await openCorpus(page, "single");
    await page.click("#drawer .fold");
    await noteAsked(page);
    await slow(page, 150);
    await choose(page, LARGE);
    const number = async () => Number((await page.innerText("#tab-gc")).replace(/\D/g, ""));
    const grows = async () => {
        const before = await number();
        await until(number, (count) => count > before);
    };
    await grows();
    await grows();
    assert.deepEqual(await asked(page), []);
    await openTab(page, "gc");
    await grows();
    const own = new Set(await asked(page));
    assert.ok(own.has("collections") && !own.has("caps"), [...own].join());
    await chooseTab(page, "ticky");
    await asked(page);
    await grows();
    assert.deepEqual(await asked(page), []);
    assert.equal(await page.getAttribute("html", "data-state"), "loading");
    await state(page, "ready");
    // The timeline asks, too: for the lines of markers and of low use.
    const ofPanels = async () => (await asked(page)).filter((table) => !["marker_list", "low_use"].includes(table));
    const last = await until(ofPanels, (keys) => keys.length > 0);
    // Once more if more is known of the log meanwhile.
    assert.deepEqual([...new Set(last)], ["caps"]);
});
