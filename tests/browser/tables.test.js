// The tables of the drawer's tabs: sorted, filtered, walked, copied.

import assert from "node:assert/strict";
import { choose, chooseTab, file, onPage, openCorpus, state } from "./support/page.js";
import { readCorpus, writeCollections, writeSmall } from "./support/eventlog.js";
import { described, tells, until } from "./support/see.js";
import { TABLE, box, clipboard, column, columnOf, cursor, heads, note, openTab, pause, raise, rows, sorted } from "./support/tables.js";
import { isWhole, middle, near, view, width } from "./support/view.js";

const { collections, length: LENGTH } = readCorpus("threaded");

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

onPage("a figure that names a moment leads there, and shows all of what lasted from then on", {}, async (page) => {
    await openCorpus(page, "threaded");
    await openTab(page, "gc");
    const longest = collections.toSorted((a, b) => pause(b) - pause(a))[0];
    const link = page.locator(".tab-panel .figures .place").first();
    assert.ok(tells(await link.textContent(), pause(longest)), await link.textContent());
    await link.click();
    const [took, centre] = [pause(longest) / LENGTH, (longest.start + pause(longest) / 2) / LENGTH];
    await view(page, (now) => !isWhole(now) && took < width(now) && width(now) < 2 * took && near(middle(now), centre, width(now)));
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
    "its button": async (page) => {
        await page.focus(`${TABLE} .copy`);
        await page.keyboard.press("Enter");
    },
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
        // Whoever uses the keyboard goes on from there.
        assert.ok(await page.evaluate(() => document.activeElement?.matches(".copy, table")));
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

onPage("a tab without data is greyed, and says which flag it needs", {}, async (page) => {
    await choose(page, file("collections.eventlog", writeCollections(50)));
    await state(page, "ready");
    const tab = page.locator("#tab-threads");
    assert.equal(await tab.getAttribute("aria-disabled"), "true");
    assert.match(await tab.getAttribute("title"), /\+RTS -ls\b/);
    await chooseTab(page, "threads");
    const text = await page.innerText("#panel");
    assert.match(text, /^Threads\s+Not in this log: each thread.*\.\s+A log has it if the program was run with \+RTS -ls\.$/);
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
    await until(seen, ([text, count]) => /^Process\s+Process\s+Program\s+main/.test(text) && count === 0);
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
