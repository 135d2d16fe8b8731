// What libraries say in messages: the tags and instants of spans, and the lines of instruments.

import assert from "node:assert/strict";
import { chooseTab, onPage, openCorpus } from "./support/page.js";
import { described, tracks, until } from "./support/see.js";

const LOG = "written-telemetry";

async function rowsOf(page, group) {
    const names = (await tracks(page, `#headers .rows[aria-label="${group}"]`)).map(([name]) => name);
    return names.every(Boolean) ? names : [];
}

async function unfolded(page, group) {
    await page.getByRole("button", { name: group }).first().click();
    return until(
        () => rowsOf(page, group),
        (names) => names.length > 0,
    );
}

onPage("a span's tags and instants are in its table and in its details", {}, async (page) => {
    await page.setViewportSize({ width: 1280, height: 1800 });
    await openCorpus(page, LOG);
    await unfolded(page, "Spans");
    await chooseTab(page, "messages");
    const table = page.getByRole("grid", { name: "Longest spans" });
    await table.getByText("File=src/A.hs, kind=rule").waitFor();
    // A table of so few rows has no field to filter them.
    const found = table.locator("tbody tr", { hasText: "result=ChangedStore" });
    await until(
        () => found.count(),
        (count) => count === 1,
    );
    await found.click();
    const details = await until(
        () => described(page, "#details").catch(() => null),
        (details) => details?.title === "GetModIface",
    );
    assert.match(details.fields.Instant, /^result=ChangedStore at /);
    assert.equal(details.fields.Trace, "0000000000007777");
});

onPage("an instrument is a line, which the reader can hide and show again", {}, async (page) => {
    await page.setViewportSize({ width: 1280, height: 1800 });
    await openCorpus(page, LOG);
    const all = ["in flight", "requests", "values map size_bytes"];
    await unfolded(page, "Counters");
    await until(
        () => rowsOf(page, "Counters"),
        (names) => names.join() === all.join(),
    );
    await chooseTab(page, "messages");
    const row = page.getByRole("grid", { name: "Instruments" }).locator("tbody tr", { hasText: "requests" });
    await row.click();
    await until(
        () => rowsOf(page, "Counters"),
        (names) => names.join() === [all[0], all[2]].join(),
    );
    await row.getByText("hidden").waitFor();
    await row.click();
    await until(
        () => rowsOf(page, "Counters"),
        (names) => names.join() === all.join(),
    );
});
