// The tables of the drawer's tabs: sorted, filtered, walked, copied, and of many rows.

import { after } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { slow } from "./support/loading.js";
import { choose, chooseTab, file, onPage, openCorpus, state } from "./support/page.js";
import { readCorpus, writeCapabilities, writeCollections, writeLarge, writeSmall } from "./support/eventlog.js";
import { described, lane, readTime, select, tells, until } from "./support/see.js";
import { LEFT, isWhole, middle, near, opened, view, width } from "./support/view.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));
const LARGE = join(folder, "large.eventlog");

const { collections, length: LENGTH } = readCorpus("threaded");
const pause = ({ start, end }) => end - start;

const TABLE = ".tab-panel > log-table";
const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

/** Opens a tab, and waits until its table has rows. */
async function openTab(page, key) {
    await chooseTab(page, key);
    await until(
        () => rows(page),
        (seen) => seen.length > 0 && seen.every(([first]) => first !== "…"),
    );
}

/** The texts of the rows' cells at one moment. */
const rows = (page, table = TABLE) =>
    page.evaluate(
        (selector) =>
            [...document.querySelectorAll(selector)].map((row) =>
                [...row.children].map((cell) => cell.textContent.replace(/[ \n]+/g, " ").trim()),
            ),
        `${table} tbody tr`,
    );

/** The heads: name and order. */
const heads = (page) =>
    page.$$eval(`${TABLE} thead th`, (all) =>
        all.map((head) => ({ name: head.innerText.replace(/[▴▾]/, "").trim(), order: head.ariaSort })),
    );

/** The index of a column. */
const columnOf = async (page, name) => (await heads(page)).findIndex((head) => head.name === name);

/** The texts of a column, once `wanted` accepts them. */
async function column(page, name, wanted) {
    const at = await columnOf(page, name);
    assert.ok(at >= 0, name);
    return until(
        async () => (await rows(page)).map((row) => row[at]),
        (texts) => !texts.includes("…") && wanted(texts),
    );
}

/** The row with the cursor: its place among all rows, from 0, and its texts. */
const cursor = (page) =>
    page.$eval(`${TABLE} table`, (table) => {
        const id = table.getAttribute("aria-activedescendant");
        const row = id && table.querySelector(`#${id}`);
        return (
            row && {
                at: Number(row.ariaRowIndex ?? row.getAttribute("aria-rowindex")) - 2,
                first: row.firstElementChild.textContent.trim(),
            }
        );
    });

const box = (page) => page.locator(`${TABLE} .table-box`);
const note = (page) => page.innerText(`${TABLE} .table-bar .muted`);

/** The first number in a text, with its digits in groups of three. */
const numberIn = (text) => Number(text.match(/\d[\d\s]*/)?.[0].replace(/\s/g, ""));
const sorted = (texts, by) => {
    const times = texts.map((text) => readTime(text).ns);
    return times.every((time, at) => at === 0 || by * (time - times[at - 1]) >= 0);
};

/** Makes the drawer high enough for all rows of a small log. */
async function raise(page) {
    await page.focus("#drawer [role=separator]");
    await page.keyboard.press("End");
}

onPage("each collection is a row of the GC tab, and the tab shows how many there are", {}, async (page) => {
    await openCorpus(page, "threaded");
    assert.equal((await page.innerText("#tab-gc")).replace(/\s+/g, " ").trim(), `GC ${collections.length}`);
    await openTab(page, "gc");
    await raise(page);
    await page.focus(`${TABLE} table`);
    const [start, took] = [await columnOf(page, "Start"), await columnOf(page, "Pause")];
    for (const [at, collection] of collections.entries()) {
        const row = await until(
            () =>
                page.$eval(`${TABLE} table`, (table) =>
                    [...(table.querySelector("tr.cursor")?.children ?? [])].map((cell) => cell.textContent.trim()),
                ),
            (cells) => cells.length > 1 && cells[0] !== "…" && tells(cells[start], collection.start),
        );
        assert.ok(tells(row[took], pause(collection)), `${row[took]} is not ${pause(collection)} ns`);
        assert.equal((await cursor(page)).at, at);
        await page.keyboard.press("ArrowDown");
    }
    assert.equal((await cursor(page)).at, collections.length - 1);
    assert.equal(await page.getAttribute(`${TABLE} table`, "aria-rowcount"), String(collections.length + 1));
});

onPage("a head sorts: largest first, then smallest first, then in the log's order", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openTab(page, "gc");
    const own = await rows(page);
    const order = async () => (await heads(page)).find(({ name }) => name === "Pause").order;
    assert.equal(await order(), "none");
    const click = () => page.click(`${TABLE} thead th:has-text("Pause")`);
    const [longest, shortest] = [Math.max(...collections.map(pause)), Math.min(...collections.map(pause))];
    await click();
    await column(page, "Pause", (texts) => tells(texts[0], longest) && sorted(texts, -1));
    assert.equal(await order(), "descending");
    await click();
    await column(page, "Pause", (texts) => tells(texts[0], shortest) && sorted(texts, 1));
    assert.equal(await order(), "ascending");
    await click();
    assert.equal(await order(), "none");
    await until(
        () => rows(page),
        (seen) => JSON.stringify(seen) === JSON.stringify(own),
    );
});

onPage("keys reach the heads and sort, and lead back to the row they came from", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openTab(page, "gc");
    await page.focus(`${TABLE} table`);
    await page.keyboard.press("ArrowUp");
    for (let at = await columnOf(page, "Pause"); at > 0; at--) await page.keyboard.press("ArrowRight");
    const active = () =>
        page.$eval(`${TABLE} table`, (table) => table.querySelector(`#${table.getAttribute("aria-activedescendant")}`)?.innerText.trim());
    assert.match(await active(), /^Pause/);
    await page.keyboard.press("Enter");
    const longest = Math.max(...collections.map(pause));
    await column(page, "Pause", (texts) => tells(texts[0], longest) && sorted(texts, -1));
    await page.keyboard.press("ArrowDown");
    await until(
        () => cursor(page),
        (row) => row?.at === 0,
    );
    // None of those keys has moved the timeline.
    assert.ok(isWhole(await view(page, () => true)));
});

onPage("a filter leaves the rows with its text, and Escape clears it", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openTab(page, "gc");
    await page.click(`${TABLE} [role=searchbox]`);
    // Letters that are keys of the timeline.
    await page.keyboard.type("minor");
    const minor = collections.filter(({ generation }) => generation === 0).length;
    assert.ok(minor > 0 && minor < collections.length);
    // If typed slowly, as on a busy machine, its first letters are searched for, too.
    await until(
        () => note(page),
        (text) => text === `${minor} of ${collections.length} rows`,
    );
    assert.equal(await page.getAttribute(`${TABLE} table`, "aria-rowcount"), String(minor + 1));
    await until(
        () => page.textContent("#announcer"),
        (text) => text === `${minor} rows found`,
    );
    const kinds = await column(page, "Kind", (texts) => texts.length > 0);
    assert.deepEqual([...new Set(kinds)], ["minor GC"]);
    await page.keyboard.press("Escape");
    await until(
        () => note(page),
        (text) => text === `${collections.length} rows`,
    );
    await page.keyboard.type("no such thing");
    await until(
        () => note(page),
        (text) => text === `0 of ${collections.length} rows`,
    );
    assert.deepEqual(await rows(page), []);
    assert.ok(isWhole(await view(page, () => true)));
});

onPage("a row that is chosen, by a click or by Enter, comes into view", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openTab(page, "gc");
    const start = await columnOf(page, "Start");
    const inView = async ({ start, end }) => {
        const seen = await view(page, (now) => !isWhole(now) && near(middle(now), (start + end) / 2 / LENGTH, width(now)));
        // The overview strip shows the place to a pixel or two.
        assert.ok(width(seen) < 0.15, JSON.stringify(seen));
    };
    const longest = collections.toSorted((a, b) => pause(b) - pause(a))[0];
    await page.click(`${TABLE} thead th:has-text("Pause")`);
    await until(
        () => rows(page),
        ([first]) => first && tells(first[start], longest.start),
    );
    await page.click(`${TABLE} tbody tr >> nth=0`);
    await inView(longest);
    const selected = await until(() => described(page, "#details").catch(() => null), Boolean);
    assert.ok(tells(selected.fields.Start, longest.start) && tells(selected.fields.Pause, pause(longest)), JSON.stringify(selected));
    assert.equal(await page.getAttribute(`${TABLE} tbody tr >> nth=0`, "aria-selected"), "true");
    await page.click(`${TABLE} thead th:has-text("Pause")`);
    await page.click(`${TABLE} thead th:has-text("Pause")`);
    await page.focus(`${TABLE} table`);
    await page.keyboard.press("End");
    await until(
        () => cursor(page),
        (row) => row && tells(row.first, collections.at(-1).start),
    );
    await page.keyboard.press("Enter");
    await inView(collections.at(-1));
    // The keys go on from there.
    await page.keyboard.press("Home");
    await until(
        () => cursor(page),
        (row) => row && tells(row.first, collections[0].start),
    );
});

onPage("selecting text in a row does not choose the row, and Ctrl+C copies that text", clipboard, async (page) => {
    await openCorpus(page, "threaded");
    await openTab(page, "gc");
    const cell = page.locator(`${TABLE} tbody tr >> nth=1 >> th`);
    const { x, y, width, height } = await cell.locator(".place").boundingBox();
    await page.mouse.move(x + 1, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.move(x + width - 1, y + height / 2);
    await page.mouse.up();
    await page.keyboard.press("Control+c");
    const text = await until(() => page.evaluate(() => navigator.clipboard.readText()), Boolean);
    assert.ok((await cell.textContent()).includes(text.trim()), text);
    assert.equal(await page.getAttribute(`${TABLE} tbody tr >> nth=1`, "aria-selected"), "false");
    assert.ok(isWhole(await view(page, () => true)));
    // A click elsewhere clears the text selection.
    await page.click(`${TABLE} tbody tr >> nth=0`);
    await view(page, (now) => !isWhole(now));
});

onPage("a figure that names a moment leads there", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openTab(page, "gc");
    const longest = collections.toSorted((a, b) => pause(b) - pause(a))[0];
    const link = page.locator(".tab-panel .figures .place").first();
    assert.ok(tells(await link.textContent(), pause(longest)), await link.textContent());
    await link.click();
    await view(page, (now) => !isWhole(now) && near(middle(now), longest.start / LENGTH, width(now)));
});

/** What is on the clipboard: lines of cells. */
async function copied(page) {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(text.endsWith("\n"));
    return text
        .slice(0, -1)
        .split("\n")
        .map((line) => line.split("\t"));
}

for (const [how, copy] of Object.entries({
    "its button": (page) => page.click(`${TABLE} .copy`),
    "Ctrl+C": async (page) => {
        await page.focus(`${TABLE} table`);
        await page.keyboard.press("Control+c");
    },
})) {
    onPage(`${how} copies all rows of a table in their order, as plain numbers`, clipboard, async (page) => {
        await openCorpus(page, "threaded");
        await openTab(page, "gc");
        await page.click(`${TABLE} thead th:has-text("Pause")`);
        await column(page, "Pause", (texts) => sorted(texts, -1));
        await copy(page);
        await until(
            () => page.textContent("#announcer"),
            (text) => text === `${collections.length} rows copied`,
        );
        const [head, ...lines] = await copied(page);
        assert.deepEqual(head.slice(0, 2), ["Start (ns)", "Pause (ns)"]);
        assert.ok(lines.every((line) => line.length === head.length));
        const expected = collections.toSorted((a, b) => pause(b) - pause(a)).map((collection) => [collection.start, pause(collection)]);
        assert.deepEqual(
            lines.map((line) => line.slice(0, 2).map(Number)),
            expected,
        );
    });
}

onPage("no name of a thread is markup, a formula, or more than one cell", clipboard, async (page) => {
    const labels = ["=1+1", "a\tb\nc", '"quoted', "<img src=x onerror=alert(1)>", ...Array.from({ length: 20 }, (_, at) => `worker ${at}`)];
    await choose(page, file("labels.eventlog", writeSmall({ args: ["prog"], labels })));
    await state(page, "ready");
    await openTab(page, "threads");
    await raise(page);
    const shown = await column(page, "Label", (texts) => texts.length > 4);
    assert.deepEqual(shown.slice(0, 4), ["=1+1", "a␉b␊c", '"quoted', "<img src=x onerror=alert(1)>"]);
    await page.click(`${TABLE} .copy`);
    await until(
        () => page.textContent("#announcer"),
        (text) => text === `${labels.length} rows copied`,
    );
    const [head, ...lines] = await copied(page);
    const at = head.indexOf("Label");
    assert.equal(lines.length, labels.length);
    assert.deepEqual(
        lines.slice(0, 4).map((line) => line[at]),
        ["'=1+1", "a␉b␊c", "'\"quoted", "<img src=x onerror=alert(1)>"],
    );
});

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

onPage("a tab without data is greyed, and says which flag it needs", {}, async (page) => {
    await choose(page, file("collections.eventlog", writeCollections(50)));
    await state(page, "ready");
    const tab = page.locator("#tab-threads");
    assert.equal(await tab.getAttribute("aria-disabled"), "true");
    assert.match(await tab.getAttribute("title"), /\+RTS -ls\b/);
    await chooseTab(page, "threads");
    const text = await page.innerText("#panel");
    assert.match(text, /^Not in this log: each thread.*\.\s+A log has it if the program was run with \+RTS -ls\.$/);
    assert.equal(await page.locator("#tab-gc").getAttribute("aria-disabled"), null);
});

onPage("of the collector's tables, the one of collections is large, although the non-moving heap's may be longer", {}, async (page) => {
    await openCorpus(page, "nonmoving-single");
    await openTab(page, "gc");
    assert.equal(await page.textContent(`${TABLE} .table-bar :first-child`), "Collections");
});

onPage("the environment is shown only on request, again for each log", {}, async (page) => {
    const log = (...env) => file("small.eventlog", writeSmall({ args: ["main"], labels: ["one"], env }));
    await choose(page, log("HOME=/home/somebody", "TOKEN=hush"));
    await state(page, "ready");
    await page.click("#tab-process");
    const ask = page.locator("log-request button");
    assert.equal(await ask.innerText(), "Show the environment (2 variables)");
    assert.doesNotMatch(await page.innerText("body"), /hush/);
    await ask.press("Enter");
    const shown = () => rows(page, "log-request log-table");
    const told = await until(shown, (seen) => seen.length === 2 && seen.every(([text]) => text !== "…"));
    assert.deepEqual(told, [["HOME=/home/somebody"], ["TOKEN=hush"]]);
    // Asking for one log's environment does not show that of another.
    await choose(page, log("TOKEN=of another"));
    await until(
        () => ask.innerText().catch(() => ""),
        (text) => text === "Show the environment (1 variable)",
    );
    assert.doesNotMatch(await page.innerText("body"), /of another/);
    // A log without it has no button.
    await choose(page, log());
    const seen = async () => [await page.innerText("#panel"), await ask.count()];
    await until(seen, ([text, count]) => /^Process\s+Program\s+main/.test(text) && count === 0);
});

onPage("figures and rows follow the selected range", {}, async (page) => {
    const { y } = await opened(page);
    await openTab(page, "gc");
    const all = await note(page);
    await select(page, LEFT + 300, LEFT + 700, y);
    // The range grows while it is dragged, and answers come a moment later: wait until tab and table agree.
    const { listed: number } = await until(
        async () => {
            const text = await note(page);
            return { text, listed: numberIn(text), counted: numberIn(await page.innerText("#tab-gc")) };
        },
        ({ text, listed, counted }) => text !== all && listed === counted,
    );
    assert.ok(number > 0 && number < collections.length);
    await until(
        () => page.getAttribute(`${TABLE} table`, "aria-rowcount"),
        (rows) => rows === String(number + 1),
    );
    // Tables that no range has are still there, and say so.
    await page.click("#tab-process");
    assert.match(await page.innerText("#panel"), /^Process\s+Of the whole log\.\s+Program\s+\.\/threaded/);
    // What threads did in it is shown once they have been followed through the log.
    await chooseTab(page, "threads");
    await until(
        () => page.getAttribute(".tab-panel log-table >> nth=0 >> table", "aria-rowcount"),
        (rows) => rows === "13",
    );
    await openTab(page, "gc");
    // In a range with few rows, an earlier filter can still be cleared.
    await page.click(`${TABLE} [role=searchbox]`);
    await page.keyboard.type("minor");
    await until(
        () => note(page),
        (text) => text.includes(" of "),
    );
    await select(page, LEFT + 320, LEFT + 420, y);
    await until(
        () => page.getAttribute(`${TABLE} table`, "aria-rowcount"),
        (rows) => Number(rows) < 8,
    );
    await page.click(`${TABLE} [role=searchbox]`);
    await page.keyboard.press("Escape");
    await until(
        () => note(page),
        (text) => /^\d rows$/.test(text),
    );
    await page.focus("#timeline");
    await page.keyboard.press("Escape");
    await until(
        () => note(page),
        (text) => text === all,
    );
    assert.doesNotMatch(all, /whole/);
});

onPage(
    "in a narrow window a table scrolls sideways in its box, and its first column stays",
    { viewport: { width: 420, height: 800 } },
    async (page) => {
        await openCorpus(page, "threaded");
        await openTab(page, "gc");
        const first = () => page.$eval(`${TABLE} tbody th`, (cell) => cell.getBoundingClientRect().left);
        const before = await first();
        await box(page).evaluate((box) => (box.scrollLeft = 150));
        assert.ok((await box(page).evaluate((box) => box.scrollLeft)) > 100);
        assert.equal(await first(), before);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 420));
    },
);

onPage("at 400 % a table and its rows can be reached", { viewport: { width: 320, height: 256 } }, async (page) => {
    await choose(page, file("many.eventlog", writeCollections(20_000)));
    await state(page, "ready");
    await openTab(page, "gc");
    assert.ok((await rows(page)).length < 30);
    await page.focus(`${TABLE} table`);
    await page.keyboard.press("End");
    await until(
        () => cursor(page),
        (row) => row?.at === 19_999 && row.first !== "…",
    );
    const { y, height } = await page.locator(`${TABLE} tr.cursor`).boundingBox();
    assert.ok(y >= 0 && y + height <= 257, `${y}, ${height}`);
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
    // The timeline asks, too: for the lines of markers.
    const ofPanels = async () => (await asked(page)).filter((table) => table !== "marker_list");
    const last = await until(ofPanels, (keys) => keys.length > 0);
    // Once more if more is known of the log meanwhile.
    assert.deepEqual([...new Set(last)], ["caps"]);
});

/** The printed table of the summary: its number of rows, the first and the last one, and its note. */
const printed = (page) =>
    page.evaluate(() => {
        dispatchEvent(new Event("beforeprint"));
        const table = document.querySelector("#summary log-table");
        const rows = [...(table?.querySelectorAll("tbody tr") ?? [])].filter((row) => row.checkVisibility());
        const known = rows.filter((row) => row.ariaBusy === null).map((row) => row.firstElementChild.textContent.trim());
        const box = table?.querySelector(".table-box");
        const seen = {
            rows: rows.length,
            known: known.length,
            last: known.at(-1),
            cut: (box?.scrollHeight ?? 0) - (box?.clientHeight ?? 0),
            said: table?.querySelector(".muted").textContent,
        };
        dispatchEvent(new Event("afterprint"));
        return seen;
    });

onPage("all rows of the summary's table are printed, even if another tab was chosen, or the drawer folded", {}, async (page) => {
    await openCorpus(page, "threaded");
    await page.click("#tab-gc");
    await page.click("#drawer .fold");
    await choose(page, file("many.eventlog", writeCapabilities(256)));
    await page.waitForFunction(() => document.getElementById("tab-threads").textContent.includes("256"));
    const seen = await until(
        () => printed(page),
        ({ known }) => known > 0,
    );
    assert.deepEqual(seen, { rows: 256, known: 256, last: "cap 255", cut: 0, said: "" });
    assert.equal(await page.locator("#panel :is(dl, table)").count(), 0);
});

onPage("a printed table looks as before afterwards", {}, async (page) => {
    const table = "#summary log-table";
    await choose(page, file("many.eventlog", writeCapabilities(256)));
    await state(page, "ready");
    await raise(page);
    await page.locator(`${table} .table-box`).evaluate((box) => (box.scrollTop = 2600));
    const before = await until(
        () => rows(page, table),
        ([first]) => first?.[0] === "cap 100",
    );
    assert.ok(before.length < 20);
    await until(
        () => printed(page),
        ({ known }) => known === 256,
    );
    await until(
        () => rows(page, table),
        (now) => JSON.stringify(now) === JSON.stringify(before),
    );
    assert.equal(await page.locator(`${table} .table-box`).evaluate((box) => box.scrollTop), 2600);
});

onPage("of a table that is too long for paper, the first rows are printed, and their number", {}, async (page) => {
    await choose(page, file("many.eventlog", writeCapabilities(1024)));
    await state(page, "ready");
    const seen = await until(
        () => printed(page),
        ({ known }) => known === 1000,
    );
    assert.equal(seen.last, "cap 999");
    assert.equal(seen.said.replace(/\s/g, " "), "the first 1 000 of 1 024 rows");
});

onPage("the summary is copied as Markdown, of the whole log and of the selected range", clipboard, async (page) => {
    await openCorpus(page, "threaded");
    const copy = async () => {
        await page.evaluate(() => navigator.clipboard.writeText(""));
        await page.click("#copy-summary");
        return until(() => page.evaluate(() => navigator.clipboard.readText()), Boolean);
    };
    const whole = await copy();
    await until(
        () => page.textContent("#announcer"),
        (text) => text === "Summary copied",
    );
    assert.ok(
        whole.includes("<summary>Garbage collection</summary>\n") && whole.includes(`| Collections | ${collections.length} |`),
        whole,
    );
    assert.ok(!whole.includes("<summary>Range</summary>"));
    await page.focus("#timeline");
    await page.keyboard.press("r");
    await page.waitForSelector(".chip");
    await until(copy, (text) => text.includes("<summary>Range</summary>\n"));
});
