// The call tree beside the flame graph: its sums, keys, order, filter, and that what is chosen in one is chosen in the other; the samples of a
// stack on the timeline.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chooseTab, corpus, onPage, openCorpus } from "./support/page.js";
import { until } from "./support/see.js";

const LOG = "torn";
const summary = (log) => JSON.parse(readFileSync(corpus(log).replace(/log\.eventlog$/, "summary.json"), "utf8"));
const { time_profile: profile } = summary(LOG);
const TABLE = "log-call-tree table";

const open = async (page, log = LOG) => {
    await openCorpus(page, log);
    await chooseTab(page, "profile");
    await page.waitForSelector("log-call-tree tbody tr[aria-level]");
};

/** The rows of the tree: names, levels, and the texts of their cells. */
const rows = (page) =>
    page.$$eval("log-call-tree tbody tr", (all) =>
        all.map((row) => ({
            name: row.querySelector(".call-name")?.textContent.trim() ?? "…",
            level: Number(row.getAttribute("aria-level")),
            expanded: row.getAttribute("aria-expanded"),
            chosen: row.getAttribute("aria-selected") === "true",
            here: row.classList.contains("cursor"),
            cells: [...row.querySelectorAll("td")].map((cell) => cell.textContent.trim()),
        })),
    );

const rowsWhen = (page, enough) => until(() => rows(page), enough);

/** The samples of a row: the fifth column after its name. */
const samples = ({ cells }) => Number(cells[4].replace(/\s/g, ""));

const names = (all) => all.map(({ name }) => name);
const sum = (all) => all.reduce((sum, row) => sum + samples(row), 0);
const here = (all) => all.find(({ here }) => here)?.name;

onPage("rows unfold and fold by keys, and have what their parents have", { viewport: { width: 1280, height: 1600 } }, async (page) => {
    await open(page);
    const outer = await rows(page);
    assert.equal(sum(outer), profile.samples);
    assert.equal(await page.getAttribute(TABLE, "role"), "treegrid");
    await page.focus(TABLE);
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    while (here(await rows(page)) !== "main") {
        const before = here(await rows(page));
        await page.keyboard.press("ArrowDown");
        await rowsWhen(page, (all) => here(all) !== before);
    }
    await page.keyboard.press("ArrowRight");
    const centre = profile.cost_centres.find(({ name }) => name === "main");
    const below = (all) => sum(all.filter(({ level }) => level === 2));
    // The tree grows first, so that all of them have room.
    const unfolded = await rowsWhen(page, (all) => below(all) === centre.total_samples - centre.self_samples);
    const main = unfolded.find(({ name }) => name === "main");
    assert.equal(main.expanded, "true");
    assert.equal(samples(main), centre.total_samples);
    // Again: to the first row below; left: back, and folded.
    await page.keyboard.press("ArrowRight");
    await rowsWhen(page, (all) => all.find(({ here }) => here)?.level === 2);
    await page.keyboard.press("*");
    const all = await rowsWhen(page, (all) => all.some(({ level }) => level === 3));
    assert.ok(all.every(({ level, expanded }) => level !== 2 || expanded !== "false"));
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await rowsWhen(page, (all) => here(all) === "main");
    await page.keyboard.press("ArrowLeft");
    await rowsWhen(page, (all) => all.every(({ level }) => level === 1));
});

onPage("keys that come faster than rows do what they do one by one", { viewport: { width: 1280, height: 1600 } }, async (page) => {
    await open(page);
    await page.getByText("main", { exact: true }).and(page.locator("log-call-tree .call-name")).click();
    await rowsWhen(page, (all) => here(all) === "main");
    // In one task: no answer of the worker comes in between.
    const type = (...keys) =>
        page.$eval(
            TABLE,
            (table, keys) => keys.forEach((key) => table.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))),
            keys,
        );
    await type("ArrowRight", "ArrowRight");
    const first = await rowsWhen(page, (all) => all.find(({ here }) => here)?.level === 2);
    const inner = here(first);
    assert.equal(first[names(first).indexOf("main") + 1].name, inner);
    await type("ArrowRight", "ArrowLeft", "ArrowLeft");
    await rowsWhen(page, (all) => here(all) === "main");
    await type("ArrowLeft");
    await rowsWhen(page, (all) => all.every(({ level }) => level === 1));
    // What was unfolded for a moment is folded.
    await type("ArrowRight");
    const again = await rowsWhen(page, (all) => all.some(({ level }) => level === 2));
    assert.equal(again.find(({ name }) => name === inner).expanded, "false");
});

onPage("heads sort it, by keys as well", {}, async (page) => {
    await open(page);
    const outer = names(await rows(page));
    await page.focus(TABLE);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    const byName = names(await rowsWhen(page, (all) => names(all).join() !== outer.join()));
    const letters = (text) => text.toLowerCase();
    assert.deepEqual(
        byName,
        outer.toSorted((one, other) => (letters(one) < letters(other) ? -1 : 1)),
    );
    assert.equal(await page.getAttribute("log-call-tree th[scope=col]:first-child", "aria-sort"), "ascending");
    await page.locator("log-call-tree").getByRole("columnheader", { name: "Own", exact: true }).click();
    await rowsWhen(page, (all) => names(all).join() === outer.join() || all[0].name === "GC");
});

onPage("the field keeps stacks with a text, and all sums with them", {}, async (page) => {
    await open(page);
    await page.getByRole("searchbox", { name: "Find in the profile" }).pressSequentially("indexed");
    const found = await rowsWhen(page, (all) => all.length === 1);
    assert.equal(found[0].name, "main");
    const text = await page.locator("log-flame .table-bar [role=status]").textContent();
    assert.ok(text.startsWith(`${samples(found[0])} of ${profile.samples} samples match`), text);
});

// High enough for all rows: their samples are added up.
onPage(
    "what is chosen in the tree is chosen in the flame graph, and the other way",
    { viewport: { width: 1280, height: 1600 } },
    async (page) => {
        await open(page);
        const chosenFrame = () =>
            page.$eval("log-flame-graph", ({ frames, chosen }) =>
                chosen < 0 ? "" : `${frames.nameOf(chosen).name} ${frames.depths[chosen]}`,
            );
        await page.locator("log-call-tree tr", { hasText: "main" }).first().locator(".call-name").click();
        await until(chosenFrame, (name) => name === "main 0");
        await page.focus("log-flame-graph .flame-box");
        await page.keyboard.press("ArrowDown");
        await until(chosenFrame, (name) => name === "indexed 1");
        const all = await rowsWhen(page, (all) => all.some(({ name, chosen }) => chosen && name === "indexed"));
        assert.equal(all.find(({ name }) => name === "main").expanded, "true");
        await page.getByRole("button", { name: "Callers", exact: true }).click();
        // The tree grows first, so that all of them have room.
        await rowsWhen(page, (all) => all.every(({ level }) => level === 1) && sum(all) === profile.samples);
        assert.equal(await page.getByRole("columnheader", { name: "Outermost", exact: true }).count(), 1);
    },
);

onPage("the samples of a stack are marked on the timeline, and keys go along them", {}, async (page) => {
    await open(page);
    await page.locator("log-call-tree tr", { hasText: "main" }).first().locator(".call-name").click();
    await page.getByRole("button", { name: "mark on the timeline" }).click();
    const marked = () => page.locator(".flame-marked").textContent();
    const total = profile.cost_centres.find(({ name }) => name === "main").total_samples;
    await until(marked, (text) => text.includes(`main: ${total} samples on the timeline`));
    await page.getByRole("button", { name: "next", exact: true }).click();
    await until(marked, (text) => text.includes(`main: 1 of ${total} samples`));
    await page.focus("#timeline");
    await page.keyboard.press("k");
    await until(marked, (text) => /main: ([2-9]|\d\d) of/.test(text));
    assert.match(await page.textContent("#announcer"), /^Sample \d+ of \d+ of main$/);
    await page.keyboard.press("Shift+K");
    await until(marked, (text) => text.includes(`main: 1 of ${total} samples`));
    // The selected sample was opened last.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await until(
        () => page.locator(".flame-marked").count(),
        (count) => count === 0,
    );
});

onPage("a heap profile by cost centres has one in bytes, whose censuses can be marked", {}, async (page) => {
    await open(page, "heap-cost-centre");
    const outer = await rows(page);
    assert.ok(outer.length > 0 && outer.every(({ cells }) => /B$/.test(cells[0])), JSON.stringify(outer));
    await page.locator("log-call-tree .call-name").first().click();
    await page.getByRole("button", { name: "mark on the timeline" }).click();
    await until(
        () => page.locator(".flame-marked").textContent(),
        (text) => /: \d+ censuses on the timeline/.test(text),
    );
});
