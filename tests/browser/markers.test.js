// The program's markers: lines through all tracks, and a table with a row for each.

import assert from "node:assert/strict";
import { onPage, openCorpus, chooseTab } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { markerLines, readTime, tells, until } from "./support/see.js";
import { LEFT, WIDTH, near, view, isWhole } from "./support/view.js";

const { length: LENGTH } = readCorpus("threaded");

/** The times and texts in the table of markers. */
async function listed(page) {
    await chooseTab(page, "messages");
    const table = page.locator("log-table", { has: page.getByRole("columnheader", { name: "Capability" }) });
    const rows = table.locator("tbody tr");
    await rows.first().waitFor();
    await until(
        () => rows.allInnerTexts(),
        (all) => all.length > 0 && all.every((text) => !text.startsWith("…")),
    );
    return rows.evaluateAll((all) => all.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent.trim())));
}

onPage("each marker is a line at its time, and a row of a table", {}, async (page) => {
    await openCorpus(page, "threaded");
    const drawn = await until(
        () => markerLines(page),
        (found) => found.length === 3,
    );
    const rows = await listed(page);
    assert.deepEqual(
        rows.map(([, text]) => text),
        ["opening · début", "half time ½", "closing · конец"],
    );
    rows.forEach(([time], at) => {
        const x = LEFT + (WIDTH * (0.02 + readTime(time).ns / LENGTH)) / 1.04;
        assert.ok(near(drawn[at], x, 1.5), `${time} is at ${x}, and drawn at ${drawn[at]}`);
    });
});

onPage("a key hides the lines of markers, and shows them again; they move with the view", {}, async (page) => {
    await openCorpus(page, "threaded");
    const [first, second] = await until(
        () => markerLines(page),
        (found) => found.length === 3,
    );
    await page.keyboard.press("Shift+M");
    await until(
        () => markerLines(page),
        (found) => found.length === 0,
    );
    await page.keyboard.press("Shift+M");
    await until(
        () => markerLines(page),
        (found) => found.length === 3,
    );
    await page.mouse.move(first, 300);
    await page.keyboard.press("w");
    await view(page, (seen) => !isWhole(seen));
    // The marker at the pointer stays in its place, under the pointer's line; its neighbour moves away by half its distance.
    const zoomed = await until(
        () => markerLines(page),
        (found) => found.length === 1,
    );
    assert.ok(near(zoomed[0], first + 1.5 * (second - first), 2), `${zoomed} of ${first} and ${second}`);
});

onPage("another log has its own lines", {}, async (page) => {
    await openCorpus(page, "threaded");
    await until(
        () => markerLines(page),
        (found) => found.length === 3,
    );
    await openCorpus(page, "heap-type");
    await until(
        () => markerLines(page),
        (found) => found.length === 4,
    );
});

onPage("markers that begin and end spans have no lines, unless one looks for their text", {}, async (page) => {
    await page.evaluate(() => document.querySelector("ghc-eventlog-viewer").setAttribute("span-words", "opening,closing"));
    await openCorpus(page, "threaded");
    await until(
        () => markerLines(page),
        (found) => found.length === 1,
    );
    const rows = await listed(page);
    assert.equal(rows.length, 3);
    await page.locator(".marker-lines .search").fill("ning");
    await until(
        () => markerLines(page),
        (found) => found.length === 1,
    );
    await page.locator(".marker-lines .search").fill("ing");
    await until(
        () => markerLines(page),
        (found) => found.length === 2,
    );
});

onPage("only markers with a text have lines, if one is typed; the command leads to the field", {}, async (page) => {
    await openCorpus(page, "threaded");
    await until(
        () => markerLines(page),
        (found) => found.length === 3,
    );
    await page.keyboard.press(">");
    await page.keyboard.type("choose which markers");
    await page.keyboard.press("Enter");
    await until(
        () => page.evaluate(() => document.querySelector(".marker-lines .search")?.matches(":focus")),
        (has) => has,
    );
    await page.keyboard.type("TIME");
    await until(
        () => markerLines(page),
        (found) => found.length === 1,
    );
    assert.equal(await page.textContent("#announcer"), "Only markers with TIME have lines");
    await page.keyboard.press("Escape");
    await until(
        () => markerLines(page),
        (found) => found.length === 3,
    );
    await page.click(".marker-lines button:has-text('hide the lines')");
    await until(
        () => markerLines(page),
        (found) => found.length === 0,
    );
    await page.click(".marker-lines button:has-text('show the lines')");
    await until(
        () => markerLines(page),
        (found) => found.length === 3,
    );
});

onPage("J selects from marker to marker: around the pointer, then the next two, and back", {}, async (page) => {
    await openCorpus(page, "threaded");
    const [first, second] = await until(
        () => markerLines(page),
        (found) => found.length === 3,
    );
    const rows = await listed(page);
    const [a, b, c] = rows.map(([time]) => readTime(time).ns);
    const said = (text) =>
        until(
            () => page.textContent("#announcer"),
            (now) => now.startsWith(text),
        );
    await page.mouse.move((first + second) / 2, 300);
    await page.keyboard.press("j");
    const one = await said("From opening · début to half time ½: ");
    assert.ok(tells(one, b - a), one);
    await page.keyboard.press("j");
    const two = await said("From half time ½ to closing · конец: ");
    assert.ok(tells(two, c - b), two);
    await page.keyboard.press("j");
    await said("No later marker");
    await page.keyboard.press("Shift+J");
    await said("From opening");
    // On a tab, Enter would choose that.
    await page.focus("#timeline");
    await page.keyboard.press("Enter");
    await view(page, (seen) => near(seen.to - seen.from, (b - a) / LENGTH, 0.005));
});

onPage("in the table, Shift+click and Shift+Enter select the time from the row chosen before", {}, async (page) => {
    await openCorpus(page, "threaded");
    const rows = await listed(page);
    const [a, b, c] = rows.map(([time]) => readTime(time).ns);
    const selected = (ns) =>
        until(
            () => page.textContent("#announcer"),
            (text) => text.endsWith(" selected") && tells(text, ns),
        );
    await page.click("#table-marker_list-row-0");
    await page.click("#table-marker_list-row-2", { modifiers: ["Shift"] });
    await selected(c - a);
    assert.equal(await page.evaluate(() => String(getSelection())), "");
    await page.focus("table[aria-label='Each marker']");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Enter");
    await selected(b - a);
});
