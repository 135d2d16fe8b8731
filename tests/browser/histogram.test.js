// Histograms: the lengths of pauses, and the collections of one bar.

import assert from "node:assert/strict";
import { chooseTab, onPage, openCorpus } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { lane, select, until } from "./support/see.js";

const { collections } = readCorpus("threaded");
const pauses = collections.map(({ start, end }) => end - start);
const HISTOGRAM = "log-histogram .histogram";
const TABLE = ".tab-panel > log-table";

/** The bins with any pauses: each begins at 1, 2, or 5 times a power of ten. */
function bins() {
    const least = (pause) => {
        const power = 10 ** Math.floor(Math.log10(pause));
        return power * [5, 2, 1].find((digit) => pause >= digit * power);
    };
    const counts = new Map();
    for (const pause of pauses) counts.set(least(pause), (counts.get(least(pause)) ?? 0) + 1);
    return [...counts].sort(([a], [b]) => a - b);
}

const open = async (page) => {
    await openCorpus(page, "threaded");
    await chooseTab(page, "gc");
    await page.waitForSelector(HISTOGRAM);
};

onPage("the pauses are counted in bins, minor and major ones separately", {}, async (page) => {
    await open(page);
    const rows = await page.$$eval(`${HISTOGRAM} tbody tr`, (all) =>
        all.map((row) => [...row.querySelectorAll("td.number")].map((cell) => Number(cell.textContent))),
    );
    const counts = rows.map((row) => row.reduce((sum, count) => sum + count)).filter((count) => count > 0);
    assert.deepEqual(
        counts,
        bins().map(([, count]) => count),
    );
    const major = collections.filter(({ generation }) => generation === 1).length;
    assert.equal(
        rows.reduce((sum, [, here]) => sum + here, 0),
        major,
    );
});

onPage("a bar shows the collections that it counts, and once more all of them", {}, async (page) => {
    await open(page);
    const bars = page.locator(`${HISTOGRAM} button.bars`);
    const [[, count]] = bins();
    const found = () => page.getAttribute(`${TABLE} table`, "aria-rowcount");
    await bars.first().press("Enter");
    await until(found, (rows) => rows === String(count + 1));
    assert.equal(await bars.first().getAttribute("aria-pressed"), "true");
    await page.click(`${TABLE} button.within`);
    await until(found, (rows) => rows === String(collections.length + 1));
    assert.equal(await bars.first().getAttribute("aria-pressed"), "false");
    await bars.last().click();
    await until(found, (rows) => rows !== String(collections.length + 1));
    await bars.last().click();
    await until(found, (rows) => rows === String(collections.length + 1));
});

onPage("Tab goes to one of the bars, the arrow keys to the others", {}, async (page) => {
    await open(page);
    const bars = page.locator(`${HISTOGRAM} button.bars`);
    const last = (await bars.count()) - 1;
    assert.ok(last > 1);
    const here = () => bars.evaluateAll((all) => all.findIndex((bar) => bar.matches(":focus")));
    await bars.first().focus();
    const places = [];
    for (const key of ["ArrowUp", "ArrowDown", "End", "ArrowDown", "ArrowUp", "Tab", "Shift+Tab", "Home"]) {
        await page.keyboard.press(key);
        places.push(await here());
    }
    assert.deepEqual(places, [0, 1, last, last, last - 1, -1, last - 1, 0]);
    assert.equal(await bars.and(page.locator("[tabindex='0']")).count(), 1);
});

onPage("the runs of sparks are counted, and in a range they are marked as those of the whole log", {}, async (page) => {
    await openCorpus(page, "sparks-full");
    await chooseTab(page, "sparks");
    await page.waitForSelector(HISTOGRAM);
    const counts = () => page.$$eval(`${HISTOGRAM} tbody td.number`, (cells) => cells.map((cell) => Number(cell.textContent)));
    const all = await page.innerText("[data-key='sparks.run_ns.count'] dd");
    const sum = (await counts()).reduce((sum, count) => sum + count, 0);
    assert.ok(sum > 10 && all === String(sum), `${sum} and ${all}`);
    // The table does not have a row for each of them.
    assert.equal(await page.locator(`${HISTOGRAM} button`).count(), 0);
    const whole = await counts();
    assert.equal(await page.innerText(`${HISTOGRAM} thead th`), "Runs of sparks");
    const { left, y } = await lane(page, "Capability 0");
    await select(page, left + 200, left + 500, y);
    await until(
        () => page.innerText(`${HISTOGRAM} thead th`),
        (name) => name === "Runs of sparks, of the whole log",
    );
    assert.deepEqual(await counts(), whole);
});
