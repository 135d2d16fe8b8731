// The heap profile on the timeline: its bands, how they are drawn, drawing one alone; and profiles for other tools.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SAVES, chooseTab, corpus, onPage, openCorpus } from "./support/page.js";
import { described, select, until } from "./support/see.js";

const { GHC_EVENTLOG } = process.env;
const LOG = "heap-type";
const summary = (log) =>
    JSON.parse(execFileSync(GHC_EVENTLOG, ["summary", "--json", corpus(log)], { encoding: "utf8", maxBuffer: 1 << 26 }));

/** The names beside the track, from the highest band to the lowest. */
const names = (page) => page.$$eval(".bands li .text", (texts) => texts.map(({ textContent }) => textContent));

const open = async (page, log = LOG) => {
    await openCorpus(page, log);
    await page.locator(".track.banded").scrollIntoViewIfNeeded();
    await until(
        () => names(page),
        (all) => all.length > 0,
    );
};

/** A column of the track's pixels: from its top to its bottom, the colours and their heights. */
const column = (page, share) =>
    page.evaluate((share) => {
        const canvas = document.getElementById("canvas");
        const [row, box] = [document.querySelector(".track.banded").getBoundingClientRect(), canvas.getBoundingClientRect()];
        const left = Math.round(row.right - box.left);
        const x = Math.round(left + (canvas.width - left) * share);
        const [top, bottom] = [Math.max(row.top - box.top, 0) + 5, Math.min(row.bottom, box.bottom) - box.top - 5].map(Math.round);
        const { data } = canvas.getContext("2d").getImageData(x, top, 1, bottom - top);
        const runs = [];
        for (let at = 0; at < data.length; at += 4) {
            const colour = data.slice(at, at + 3).join();
            if (runs.at(-1)?.colour === colour) runs.at(-1).high += 1;
            else runs.push({ colour, high: 1 });
        }
        return { runs, x: box.left + x, y: box.top + top };
    }, share);

/** The colours of bands, by role. */
const coloursOf = (page) =>
    page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        const roles = [...Array.from({ length: 20 }, (_, at) => `band-${at}`), "band-rest"];
        const rgb = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join();
        return roles.map((role) => rgb(style.getPropertyValue(`--${role}`).trim()));
    });

const drawnIn = async (page, share = 0.6) => {
    const colours = await coloursOf(page);
    const found = await column(page, share);
    return { ...found, bands: found.runs.filter(({ colour, high }) => colours.includes(colour) && high > 1) };
};

onPage("the bands that held most over time are drawn, the others as one, with their names beside them", {}, async (page) => {
    await open(page);
    const { bands } = summary(LOG).heap_profile;
    const expected = bands.slice(0, 10).map(({ name }) => name);
    if (bands.length > 10) expected.push("Not drawn on their own");
    assert.deepEqual(await names(page), expected);
    const drawn = await drawnIn(page);
    assert.ok(drawn.bands.length > 1, JSON.stringify(drawn.runs));
});

onPage("how many, which, and how they are drawn can be chosen", {}, async (page) => {
    await open(page);
    const { bands } = summary(LOG).heap_profile;
    await page.selectOption('select[aria-label="How many bands"]', "5");
    await until(
        () => names(page),
        (all) => all.length === Math.min(bands.length, 6),
    );
    await page.selectOption('select[aria-label="Which bands come first"]', "max_bytes");
    const most = bands.toSorted((one, other) => other.max_bytes - one.max_bytes)[0].name;
    await until(
        () => names(page),
        (all) => all[0] === most,
    );
    await page.selectOption('select[aria-label="How bands are drawn"]', "share");
    // The share of all bands together fills the row.
    await until(
        async () => (await drawnIn(page)).runs[0].colour,
        (colour) => colour !== "245,246,248",
    );
    await page.selectOption('select[aria-label="How bands are drawn"]', "lines");
    const lines = await until(
        () => drawnIn(page),
        ({ bands }) => bands.every(({ high }) => high < 12),
    );
    assert.ok(lines.runs.length > 2);
});

onPage("a band is drawn alone by its name or a click, and all are by Esc", {}, async (page) => {
    await open(page);
    const before = (await drawnIn(page)).bands.length;
    const button = page.locator(".bands li button").first();
    await button.focus();
    await page.keyboard.press("Enter");
    await until(
        () => drawnIn(page),
        ({ bands }) => bands.length === 1,
    );
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Escape");
    await until(
        () => drawnIn(page),
        ({ bands }) => bands.length === before,
    );
    const { x, y, runs } = await drawnIn(page);
    const height = runs.reduce((sum, { high }) => sum + high, 0);
    await page.mouse.click(x, y + height - 2);
    await until(
        () => drawnIn(page),
        ({ bands }) => bands.length === 1,
    );
    const { title } = await described(page, "#details");
    assert.ok(title.startsWith(`${(await names(page))[0]}: `), title);
});

onPage("the tooltip describes the band under the pointer, and others are paler", {}, async (page) => {
    await open(page);
    const { x, y, runs, bands } = await drawnIn(page);
    const height = runs.reduce((sum, { high }) => sum + high, 0);
    await page.mouse.move(x, y + height - 2);
    await page.waitForSelector("#tooltip:not([hidden])");
    const { title } = await described(page, "#tooltip");
    assert.ok(title.startsWith(`${(await names(page))[0]}: `), title);
    await until(
        () => drawnIn(page, 0.5),
        (now) => now.bands.length < bands.length,
    );
});

onPage("the panel shows what grew and what shrank in a range", {}, async (page) => {
    await open(page);
    const { x, y } = await drawnIn(page);
    await select(page, x - 200, x + 200, y + 20);
    await chooseTab(page, "profile");
    const table = page.getByRole("grid", { name: "From census A to census B" });
    await table.waitFor();
    const heads = await table.getByRole("columnheader").allTextContents();
    for (const head of ["Band", "At A", "At B", "Change", "Most in between"])
        assert.ok(
            heads.some((text) => text.includes(head)),
            heads.join(),
        );
});

for (const [log, format] of [
    [LOG, "hp"],
    [LOG, "csv"],
    ["time-profile", "speedscope"],
    ["time-profile", "folded"],
]) {
    onPage(`a profile is saved as the command line writes it: ${format}`, { ...SAVES, reads: SAVES.reads.slice(1) }, async (page) => {
        await openCorpus(page, log);
        await chooseTab(page, "profile");
        const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-export=${format}]`)]);
        const expected = execFileSync(GHC_EVENTLOG, ["export", "--format", format, corpus(log)], { encoding: "utf8", maxBuffer: 1 << 26 });
        const written = readFileSync(await download.path(), "utf8");
        // The keys of JSON may be in any order.
        if (format === "speedscope") assert.deepEqual(JSON.parse(written), JSON.parse(expected));
        else assert.equal(written, expected);
        assert.ok(download.suggestedFilename().startsWith("log.eventlog."), download.suggestedFilename());
        await page.getByText(`${download.suggestedFilename()} has been saved.`).waitFor();
    });
}

onPage("the table of bands shows each over time, and cannot be sorted by that", {}, async (page) => {
    await openCorpus(page, "heap-type");
    await chooseTab(page, "profile");
    const pictures = page.locator('log-table svg.levels[role="img"]');
    await pictures.first().waitFor();
    assert.match(
        await pictures.first().getAttribute("aria-label"),
        /^up to \d+ KiB at first, up to \d+ KiB at the end, at most 1\.75 MiB$/,
    );
    const [width, height] = await pictures
        .first()
        .evaluate((svg) => [svg.getBoundingClientRect().width, svg.querySelector("path").getBBox().height]);
    assert.ok(width > 40 && height > 10, `${width} and ${height}`);
    const head = page.getByRole("columnheader", { name: "Trend" });
    assert.equal(await head.getAttribute("aria-sort"), null);
    // Rows with pictures are as high as those without.
    const heights = await page.$$eval("log-table tbody tr", (rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
    assert.deepEqual([...new Set(heights)], [26]);
});
