// The page shows the figures that the command line prints: the same code makes both.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { chooseTab, corpus, onPage, openCorpus } from "./support/page.js";
import { lane, readTime, select, until } from "./support/see.js";
import { valueText } from "../../web/js/format.js";

/** The output of `summary --json` for a log of the corpus. */
function summary(name, ...more) {
    assert.ok(process.env.GHC_EVENTLOG, "GHC_EVENTLOG names the command line's program");
    return JSON.parse(execFileSync(process.env.GHC_EVENTLOG, ["summary", "--json", "--lenient", ...more, corpus(name)]));
}

/** The page's figures at one moment: section and key, unit, and text. */
const figures = (page) =>
    page.evaluate(() =>
        [...document.querySelectorAll("#summary [data-key]")].map((figure) => ({
            key: figure.dataset.key,
            unit: figure.className.replace("unit-", ""),
            text: figure.querySelector("dd").textContent.trim(),
            unknown: figure.querySelector("dd .unknown") !== null,
        })),
    );

/** The value at a key, which may contain dots. */
const at = (json, key) => key.split(".").reduce((inner, part) => inner?.[part], json);

/** The page's text for a value of the JSON. */
function text(value, unit) {
    if (value === true || value === false) return value ? "yes" : "no";
    return valueText(unit, Array.isArray(value) ? value.join(" ") : value, 0);
}

/** Sections that are lists in the JSON: the page has their rows in tables, and other figures. */
const LISTS = ["caps", "events", "ticky", "spans"];

function compare(shown, json) {
    let compared = 0;
    for (const { key, unit, text: found, unknown } of shown) {
        const [section] = key.split(".");
        if (LISTS.includes(section)) continue;
        const value = at(json, key) ?? null;
        assert.equal(unknown, value === null, `${key}: ${found}, and ${value}`);
        if (value === null) continue;
        assert.equal(found, text(value, unit), key);
        compared += 1;
    }
    return compared;
}

for (const name of ["threaded", "sparks-full", "heap-closure", "nonmoving"]) {
    onPage(`the figures of ${name} are those of the command line, for the whole log and for a range`, {}, async (page) => {
        await openCorpus(page, name);
        const shown = await until(
            () => figures(page),
            (all) => all.length > 15,
        );
        const json = summary(name);
        assert.ok(compare(shown, json) > 15);

        const length = json.log.extent_ns;
        await page.focus("#timeline");
        await page.keyboard.press("w");
        await page.keyboard.press("w");
        await page.keyboard.press("r");
        const ofRange = await until(
            () => figures(page),
            (all) => all.some(({ key }) => key === "range.from_ns"),
        );
        const [from, to] = ["range.from_ns", "range.to_ns"].map((key) => readTime(ofRange.find((figure) => figure.key === key).text).ns);
        assert.ok(0 <= from && from < to && to <= length + 1);
        assert.ok(compare(ofRange, summary(name, "--range", `${from}..${to}`)) > 10);
    });
}

onPage("a figure's name opens what it means, by keyboard, too, and leads to the documents", {}, async (page) => {
    await openCorpus(page, "threaded");
    await chooseTab(page, "summary");
    const figure = page.locator('#drawer [data-key="gc.elapsed_ns"]');
    await figure.locator("summary").focus();
    await page.keyboard.press("Enter");
    const said = await until(
        () => figure.locator(".explanation").innerText(),
        (text) => text !== "",
    );
    assert.equal(said.startsWith(await figure.getAttribute("title")), true, said);
    // Every section's link leads to a heading that is there.
    const names = page.locator("#drawer .section:has(summary)");
    for (let at = 0; at < (await names.count()); at++) {
        const summary = names.nth(at).locator("summary").first();
        const row = names
            .nth(at)
            .locator(".figures > div", { has: page.locator("summary") })
            .first();
        if ((await row.locator("a").count()) === 0) await summary.click();
        const href = new URL(await row.locator(".explanation a").getAttribute("href"));
        const document = readFileSync(join(process.env.DIST, "docs", basename(href.pathname)), "utf8");
        assert.ok(document.includes(`id="${href.hash.slice(1)}"`), href.href);
    }
    await figure.locator("summary").focus();
    await page.keyboard.press("Enter");
    await until(
        () => figure.locator(".explanation").textContent(),
        (text) => text === "",
    );
});

onPage("an open explanation goes with its figure, when the figures of a range take the places of those of the log", {}, async (page) => {
    await openCorpus(page, "threaded");
    await chooseTab(page, "summary");
    const rows = () =>
        page.$$eval("#drawer .figures > div:has(summary)", (all) =>
            all.map((row) => ({
                key: row.dataset.key,
                about: row.title,
                isOpen: row.querySelector("details").open,
                said: row.querySelector(".explanation").textContent,
            })),
        );
    await page.$$eval("#drawer .figures summary", (all) => all.forEach((summary) => summary.click()));
    const before = await until(rows, (all) => all.every(({ said }) => said !== ""));
    const { y, left } = await lane(page, "Capability 0");
    await select(page, left + 300, left + 330, y);
    const after = await until(rows, (all) => all.some(({ key }) => key === "range.from_ns"));
    assert.notDeepEqual(
        after.map(({ key }) => key),
        before.map(({ key }) => key),
    );
    for (const { key, about, isOpen, said } of after) {
        assert.equal(said !== "", isOpen, key);
        assert.ok(said === "" || said.startsWith(about), `${key}: ${said}`);
    }
});
