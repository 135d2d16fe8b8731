// Names that begin alike are told apart wherever they are shown, and all of each can be read and copied.

import assert from "node:assert/strict";
import { writeSmall } from "./support/eventlog.js";
import { choose, file, onPage, state } from "./support/page.js";
import { until } from "./support/see.js";
import { clipboard, openTab, rows } from "./support/tables.js";

const LONG = `a worker for requests that come from outside ${"and go on ".repeat(60)}`;
const LABELS = ["one", "two"].map((end) => `${LONG}${end}`);

/** What can be seen of the ends of texts: those parts that are within their box. */
const endsSeen = (page, box) =>
    page.locator(`${box} .ends`).evaluateAll((all) =>
        all.map((ends) => {
            const [outer, inner] = [ends.parentElement.getBoundingClientRect(), ends.lastElementChild.getBoundingClientRect()];
            return inner.width > 20 && inner.right <= outer.right + 1 ? ends.lastElementChild.textContent : "";
        }),
    );

onPage("threads whose names begin alike are told apart, and their names are whole where they are copied", clipboard, async (page) => {
    await choose(page, file("long.eventlog", writeSmall({ args: ["prog"], labels: LABELS })));
    await state(page, "ready");
    const tails = LABELS.map((label) => label.slice(-10));
    await openTab(page, "threads");
    await until(
        () => rows(page),
        (all) => all.length >= 2,
    );
    assert.deepEqual((await endsSeen(page, ".tab-panel log-table")).slice(0, 2), tails);
    // All of it is there to be read aloud, and under the pointer.
    const titles = await page
        .locator(".tab-panel log-table td[title], .tab-panel log-table th[title]")
        .evaluateAll((all) => all.map((cell) => cell.title));
    for (const label of LABELS) assert.ok(titles.includes(label), label);
    await page.locator(".tab-panel log-table").getByRole("button", { name: "copy as TSV" }).first().click();
    const copied = await until(
        () => page.evaluate(() => navigator.clipboard.readText()),
        (text) => text.includes(LABELS[1]),
    );
    assert.ok(copied.includes(LABELS[0]));
});

onPage("what the program was run with is shown up to a length, and copied whole", clipboard, async (page) => {
    // Browsers need half a minute for a word of this length in columns that they balance.
    const word = "A".repeat(60_000);
    await choose(page, file("long.eventlog", writeSmall({ args: ["prog", word], labels: [] })));
    await state(page, "ready");
    const shown = page.locator('.sections .figures [data-key="process.args"] dd').first();
    assert.match(await shown.innerText(), /^A+…A+ \(60\s000 letters; whole where it is copied\)$/);
    const longest = await page.evaluate(() => {
        const walker = document.createTreeWalker(document.querySelector("#bar").getRootNode(), NodeFilter.SHOW_TEXT);
        let most = 0;
        while (walker.nextNode()) most = Math.max(most, walker.currentNode.data.length);
        return most;
    });
    assert.ok(longest <= 1000, `a text of ${longest} letters is laid out`);
    await page.locator("#copy-summary").click();
    const copied = await until(
        () => page.evaluate(() => navigator.clipboard.readText()),
        (text) => text.includes("prog"),
    );
    assert.ok(copied.includes(word));
});
