// Very many threads: totals count all of them, and the one that waited longest is found, wherever it comes.

import assert from "node:assert/strict";
import { choose, chooseTab, file, onPage, state } from "./support/page.js";
import { writeThreads } from "./support/eventlog.js";
import { described, until } from "./support/see.js";

const COUNT = 300_000;
const HEAVY = 200_000;

const plain = (text) => text.replace(/\s+/g, " ");

onPage("of more threads than there is room for, the one that waited longest has a row, and totals count all", {}, async (page) => {
    await choose(page, file("many.eventlog", writeThreads("culprit", COUNT)));
    await state(page, "ready");
    await chooseTab(page, "threads");
    const said = await until(
        async () => plain(await page.innerText("#drawer")),
        (text) => text.includes("Blocked on an MVar") && text.includes("Threads without a row"),
    );
    assert.match(said, /Threads 300 000/);
    assert.match(said, /Running 90\.00 ms/);
    assert.match(said, /Blocked on an MVar 2\.000 s/);
    assert.match(said, /There are more threads than there is room for/);
    const grid = page.getByRole("grid", { name: "Threads", exact: true });
    await grid.getByRole("columnheader", { name: /^Blocked/ }).click();
    const first = await until(
        async () => plain((await grid.locator("tbody tr").first().innerText()).trim()),
        (text) => text.includes("culprit"),
    );
    assert.match(first, /200000|200 000/);
    await grid.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    const details = await until(
        () => described(page, "#details").catch(() => null),
        (details) => details?.fields.Track?.includes("culprit"),
    );
    assert.equal(details.fields.Track, `${HEAVY} culprit`);
});
