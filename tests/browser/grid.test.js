// The timeline as a grid: what screen readers find in the accessibility tree, walked by keys.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { corpus, onPage, openCorpus } from "./support/page.js";
import { described, readTime, shown, until } from "./support/see.js";
import { isWhole, view } from "./support/view.js";

/** The nodes of the accessibility tree that screen readers see. */
async function nodes(page) {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    await session.detach();
    const property = (node, name) => node.properties?.find((one) => one.name === name)?.value.value;
    return nodes
        .filter(({ ignored }) => !ignored)
        .map((node) => ({ role: node.role?.value, name: node.name?.value, focused: property(node, "focused") === true }));
}

/** The cell that has the focus: its role, and its sentence. Asking for the whole tree each time would take seconds. */
const focused = (page) =>
    page.evaluate(() => {
        const cell = document.activeElement.closest("#grid [role]");
        return { role: cell?.getAttribute("role"), name: cell?.textContent };
    });

/** Presses a key, and waits until another cell has the focus. */
async function press(page, key) {
    const before = await focused(page);
    await page.keyboard.press(key);
    return until(
        () => focused(page),
        (now) => now.name !== undefined && now.name !== before.name,
    );
}

/** Enters the grid from the timeline; returns the cell with the focus. */
async function enter(page) {
    await page.focus("#timeline");
    await page.keyboard.press("q");
    return until(
        () => focused(page),
        (now) => now.role === "gridcell",
    );
}

/** Goes down to a track. */
async function goTo(page, track) {
    let here = await focused(page);
    for (let rows = 0; rows < 30 && !here.name.startsWith(`${track}, `); rows++) here = await press(page, "ArrowDown");
    assert.ok(here.name.startsWith(`${track}, `), here.name);
    return here;
}

const grid = (page, attribute) => page.getAttribute("#grid", attribute);

onPage("arrows walk from cell to cell, each a sentence with the track, the time and what is drawn", {}, async (page) => {
    await openCorpus(page, "threaded");
    assert.equal(await page.locator("#grid [role]").count(), 0, "nothing is made for those who do not use it");
    const first = await enter(page);
    assert.match(first.name, /^Activity, .+ to .+: running \d/);
    const right = await press(page, "ArrowRight");
    const [, end] = /, .+ to (.+):/.exec(first.name);
    assert.ok(right.name.startsWith(`Activity, ${end} to `), `${first.name} → ${right.name}`);
    const heading = await press(page, "ArrowDown");
    assert.deepEqual([heading.role, heading.name.replace(/,.*,/, ",")], ["rowheader", "Capabilities, unfolded"]);
    const below = await press(page, "ArrowDown");
    assert.match(below.name, /^Capability 0, .+: .*running [\d.]+ %.*; \d+ \w+ here, longest /);
    assert.equal((await press(page, "Home")).name, "Capability 0, 23.0 %");
    assert.ok(isWhole(await shown(page)), "arrows do not move the view within the grid");
    // The other cells are there for those who read without moving the focus.
    const all = await nodes(page);
    const own = all.findLast(({ focused }) => focused);
    assert.deepEqual([own.role, own.name], ["rowheader", "Capability 0, 23.0 %"]);
    const cells = all.filter(({ role, name }) => role === "gridcell" && name.startsWith("Capability 1, "));
    assert.equal(cells.length, 10);
    for (const { name } of cells) assert.match(name, /: (nothing|[\w ]+ [\d.]+ %|\w+)/);
});

onPage("the cells of a row add up to what the summary says of the track", {}, async (page) => {
    await openCorpus(page, "threaded");
    await enter(page);
    await goTo(page, "Capability 0");
    const cells = await page.$$eval("#grid [role=gridcell]", (all) => all.map(({ textContent }) => textContent));
    const own = cells.filter((text) => text.startsWith("Capability 0, "));
    const shares = own.map((text) => Number(/running ([\d.]+) %/.exec(text)?.[1] ?? 0));
    const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
    const { caps } = JSON.parse(readFileSync(corpus("threaded").replace(/log\.eventlog$/, "summary.json"), "utf8"));
    // The view is 4 % longer than the log.
    const expected = (100 * caps[0].running_ns) / caps[0].known_ns / 1.04;
    assert.ok(Math.abs(share - expected) < 1.5, `${share} of ${expected}`);
});

onPage("a cell within one span says which one, and Enter selects it", {}, async (page) => {
    await openCorpus(page, "threaded");
    // Into the middle of the long run of the cashier.
    await enter(page);
    await goTo(page, "Capability 0");
    for (let cell = 0; cell < 7; cell++) await press(page, "ArrowRight");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#details dl");
    const longest = await described(page, "#details");
    // The view follows the selection; the grid reads what is in it.
    await page.keyboard.press("f");
    const spoken = await until(
        () => focused(page),
        (now) => now.role === "gridcell" && now.name.endsWith(longest.fields.Duration) && now.name.includes(": running; "),
    );
    assert.ok(spoken.name.includes(longest.title), `${spoken.name}: ${longest.title}`);
});

onPage("beyond the last cell the view moves on, and Esc leads back to the timeline", {}, async (page) => {
    await openCorpus(page, "threaded");
    await page.focus("#timeline");
    await page.keyboard.press("w");
    await page.keyboard.press("w");
    const before = await view(page, (now) => !isWhole(now));
    await enter(page);
    await press(page, "End");
    await page.keyboard.press("ArrowRight");
    await view(page, ({ from }) => from > before.from);
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.id), "timeline");
    assert.equal(await page.locator("#grid [role]").count(), 0);
    await page.keyboard.press("ArrowLeft");
    await view(page, ({ from }) => from < before.from + 0.01);
});

onPage("Tab leads into the grid and out of it, in both directions", {}, async (page) => {
    await openCorpus(page, "threaded");
    const active = () => page.evaluate(() => document.activeElement.closest("#grid") !== null);
    await enter(page);
    await page.keyboard.press("Tab");
    assert.equal(await active(), false);
    await page.keyboard.press("Shift+Tab");
    await until(active, (inside) => inside);
    await page.waitForSelector("#grid [role=gridcell]:focus");
    await page.keyboard.press("Shift+Tab");
    assert.equal(await active(), false);
});

onPage("a folded group is unfolded by Enter on its heading; rows below the view come into it", {}, async (page) => {
    await openCorpus(page, "threaded");
    const rows = async () => Number(await grid(page, "aria-rowcount"));
    await enter(page);
    const threads = await goTo(page, "Threads");
    assert.match(threads.name, /^Threads, 12, folded$/);
    const before = await rows();
    await page.keyboard.press("Enter");
    await until(rows, (now) => now === before + 12);
    const first = await press(page, "ArrowDown");
    assert.equal(first.role, "gridcell");
    // Only rows in view have elements.
    assert.ok((await page.locator("#grid [role=row]").count()) < before + 12);
    const box = await page.locator("#grid [role=gridcell]:focus").boundingBox();
    const timeline = await page.locator("#timeline").boundingBox();
    assert.ok(box.y >= timeline.y && box.y + box.height <= timeline.y + timeline.height + 1, JSON.stringify([box, timeline]));
    assert.ok(readTime(/to (.+?):/.exec(first.name)[1]).ns > 0);
});
