// The flame graphs of the time profile, and of the heap profile by cost centres: their frames, search, zoom, keys, callers and callees.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chooseTab, corpus, onPage, openCorpus } from "./support/page.js";
import { described, lane, select, until } from "./support/see.js";

const LOG = "torn";
const { time_profile: profile } = JSON.parse(readFileSync(corpus(LOG).replace(/log\.eventlog$/, "summary.json"), "utf8"));
const BOX = "log-flame-graph .flame-box";

/** The number of samples with a cost centre anywhere in the stack. */
const totalOf = (name) => profile.cost_centres.find((centre) => centre.name === name).total_samples;

const open = async (page, log = LOG) => {
    await openCorpus(page, log);
    await chooseTab(page, "profile");
    await frames(page, (all) => all.length > 0);
};

/** The frames of the last graph, outermost first: their names and how many samples they have. */
const frames = (page, enough) =>
    until(
        () =>
            page.$$eval("log-flame-graph", (graphs) => {
                const { frames } = graphs.at(-1);
                return frames ? frames.rows.flat().map((at) => [frames.nameOf(at).name, frames.widths[at], frames.depths[at]]) : [];
            }),
        enough,
    );

const said = (page) => page.textContent("log-flame .flame-said");

/** Goes with the arrow keys, on one depth, to a frame with this name. */
async function walkTo(page, name) {
    for (let presses = 0; presses < 20; presses++) {
        if ((await said(page)).trim().startsWith(`${name},`)) return;
        const before = await said(page);
        await page.keyboard.press("ArrowRight");
        await until(
            () => said(page),
            (text) => text !== before,
        );
    }
    assert.fail(`no ${name}`);
}

const named = (all, name) => all.find(([of]) => of === name);

onPage("frames are as wide as they have samples, those with the most first", {}, async (page) => {
    await open(page);
    const all = await frames(page, (all) => all.length > 5);
    const outer = all.filter(([, , depth]) => depth === 0).map(([, width]) => width);
    assert.equal(
        outer.reduce((sum, width) => sum + width),
        profile.samples,
    );
    assert.deepEqual(
        outer,
        outer.toSorted((one, other) => other - one),
    );
    assert.equal(named(all, "main")[1], totalOf("main"));
    // Something is painted, as wide as the graph.
    const painted = await page.$eval(`${BOX} canvas`, (canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 8, canvas.width, 1);
        let pixels = 0;
        for (let at = 3; at < data.length; at += 4) pixels += data[at] > 0 ? 1 : 0;
        return pixels / canvas.width;
    });
    assert.ok(painted > 0.95, String(painted));
});

onPage("the tooltip describes the frame under the pointer", {}, async (page) => {
    await open(page);
    await page.hover(BOX, { position: { x: 40, y: 8 } });
    await page.waitForSelector("#tooltip:not([hidden])");
    const { title, fields } = await described(page, "#tooltip");
    assert.equal(title, "GC");
    assert.ok(fields.Samples.startsWith(`${totalOf("GC")} · `), fields.Samples);
    assert.equal(fields.Own, fields.Samples);
    await page.mouse.move(5, 5);
    await page.waitForSelector("#tooltip", { state: "hidden" });
});

onPage("keys go from frame to frame, Enter zooms, Escape goes back", {}, async (page) => {
    await open(page);
    await page.focus(BOX);
    await page.keyboard.press("ArrowDown");
    await until(
        () => said(page),
        (text) => text.trim().startsWith("GC,"),
    );
    await walkTo(page, "main");
    assert.ok((await page.textContent("#announcer")).startsWith("main, "));
    await page.keyboard.press("ArrowDown");
    await until(
        () => said(page),
        (text) => text.trim().startsWith("indexed,"),
    );
    await page.keyboard.press("Enter");
    // Its neighbours are gone, the frames that it is drawn on are there.
    const zoomed = await frames(page, (all) => !named(all, "GC"));
    assert.ok(named(zoomed, "main") && named(zoomed, "indexed") && !named(zoomed, "route"));
    await page.keyboard.press("Escape");
    const around = await frames(page, (all) => named(all, "route"));
    assert.ok(!named(around, "GC"));
    await page.click("text=Reset zoom");
    await frames(page, (all) => named(all, "GC"));
    assert.equal(await page.locator("text=Reset zoom").count(), 0);
    // It does nothing to the log itself.
    assert.ok(await page.locator("#tab-profile[aria-selected=true]").count());
});

// Each frame of the module Main is called by main.
onPage("a search says how many samples match", {}, async (page) => {
    await open(page);
    const field = page.getByRole("searchbox", { name: "Find in the profile" });
    await field.pressSequentially("MAIN");
    const text = await until(
        () => page.locator("log-flame [role=status]").allTextContents(),
        (all) => all.length === 1,
    );
    assert.ok(text[0].startsWith(`${totalOf("main")} of ${profile.samples} samples match`), text[0]);
    await field.press("Escape");
    await until(
        () => page.locator("log-flame [role=status]").count(),
        (count) => count === 0,
    );
});

onPage("it can be in order of time, inverted, or show the callers and callees of one frame", {}, async (page) => {
    await open(page);
    await page.getByRole("button", { name: "Time order" }).click();
    const timed = await frames(page, (all) => all.filter(([name]) => name === "GC").length > 1);
    const gc = timed.filter(([name]) => name === "GC").reduce((sum, [, width]) => sum + width, 0);
    assert.ok(gc > 0.9 * totalOf("GC") && gc <= totalOf("GC"), String(gc));
    await page.getByRole("button", { name: "Callers", exact: true }).click();
    const inverted = await frames(page, (all) => all.some(([name, , depth]) => name === "main" && depth === 1));
    assert.ok(inverted.some(([name, , depth]) => name === "indexed" && depth === 0));
    await page.getByRole("button", { name: "Left heavy" }).click();
    await frames(page, (all) => all.some(([name, , depth]) => name === "indexed" && depth === 1));
    await page.focus(BOX);
    await page.keyboard.press("ArrowDown");
    await walkTo(page, "main");
    await page.getByRole("button", { name: "show callers and callees" }).click();
    await until(
        () => page.textContent("log-flame h3"),
        (title) => title === "Callers and callees of main",
    );
    assert.equal(await page.locator(BOX).count(), 2);
    const callees = await frames(page, (all) => all[0]?.[0] === "main");
    assert.equal(callees[0][1], totalOf("main"));
    await page.getByRole("button", { name: "Back to all frames" }).click();
    await frames(page, (all) => named(all, "GC"));
});

onPage("it follows the selected range", {}, async (page) => {
    await open(page);
    const { left, y } = await lane(page, "Capability 0");
    await select(page, left + 200, left + 500, y);
    const all = await frames(page, (all) => all[0]?.[1] < totalOf("GC"));
    const sum = all.filter(([, , depth]) => depth === 0).reduce((sum, [, width]) => sum + width, 0);
    await until(
        () => page.textContent("log-flame .table-bar p"),
        (text) => text.startsWith(`${sum} sample`),
    );
});

onPage("it follows the theme, and fits a narrow window", { viewport: { width: 420, height: 800 } }, async (page) => {
    await open(page);
    const colour = () => page.$eval(`${BOX} canvas`, (canvas) => canvas.getContext("2d").getImageData(20, 3, 1, 1).data.join());
    const light = await colour();
    await page.emulateMedia({ colorScheme: "dark" });
    await until(colour, (dark) => dark !== light);
    const [width, room] = await page.$eval(BOX, (box) => [box.getBoundingClientRect().right, innerWidth]);
    assert.ok(width <= room, `${width} and ${room}`);
});

const HEAP = "heap-cost-centre";
const { heap_profile: heap } = JSON.parse(readFileSync(corpus(HEAP).replace(/log\.eventlog$/, "summary.json"), "utf8"));
const held = (name) => heap.cost_centres.find((centre) => centre.name === name);

onPage("a heap profile by cost centres is one of bytes", {}, async (page) => {
    await open(page, HEAP);
    assert.equal(await page.textContent("log-flame h3"), "Heap profile as a flame graph");
    assert.match(await page.textContent("log-flame .table-bar p"), /^1\.\d\d MiB on average · /);
    const all = await frames(page, (all) => named(all, "pack"));
    assert.deepEqual(named(all, "pack"), ["pack", held("pack").total_bytes, 1]);
    // Bytes have no order in time.
    assert.deepEqual(await page.locator(".flame-views button").allTextContents(), ["Left heavy", "Callers"]);
    await page.hover(BOX, { position: { x: 40, y: 28 } });
    await page.waitForSelector("#tooltip:not([hidden])");
    const { title, fields } = await described(page, "#tooltip");
    assert.equal(title, "pack");
    assert.match(fields.Bytes, /^1\.11 MiB · 82\.8/);
    assert.equal(fields["Own bytes"], fields.Bytes);
    await page.getByRole("searchbox", { name: "Find in the profile" }).pressSequentially("indexed");
    const text = await until(
        () => page.locator("log-flame [role=status]").allTextContents(),
        (all) => all.length === 1,
    );
    assert.match(text[0], /^198 KiB of 1\.\d\d MiB match/);
    assert.ok((await page.locator("log-table h3").allTextContents()).includes("Cost centres of the heap"));
});

onPage("it can be inverted, and show the callers and callees of one cost centre", {}, async (page) => {
    await open(page, HEAP);
    await page.getByRole("button", { name: "Callers", exact: true }).click();
    await frames(page, (all) => all.some(([name, , depth]) => name === "main" && depth === 1));
    await page.focus(BOX);
    await page.keyboard.press("ArrowDown");
    await until(
        () => said(page),
        (text) => text.trim().startsWith("pack,"),
    );
    await page.getByRole("button", { name: "show callers and callees" }).click();
    const callees = await frames(page, (all) => all.length === 1);
    assert.deepEqual(callees, [["pack", held("pack").total_bytes, 0]]);
});

onPage("bytes of a range are those of its time", {}, async (page) => {
    await open(page, HEAP);
    const whole = await frames(page, (all) => named(all, "main"));
    const { left, y } = await lane(page, "Capability 0");
    await select(page, left + 200, left + 500, y);
    const all = await frames(page, (all) => named(all, "main") && named(all, "main")[1] !== named(whole, "main")[1]);
    assert.ok(named(all, "pack"));
});

onPage("a log with both profiles has both graphs, each with its tables", {}, async (page) => {
    await open(page, "written-cost-centres-late");
    assert.deepEqual(await page.locator("log-flame h3").allTextContents(), [
        "Heap profile as a flame graph",
        "Time profile as a flame graph",
    ]);
    const units = await page.locator("log-flame .table-bar p").allTextContents();
    assert.match(units[0], /KiB on average/);
    assert.match(units[1], /^120 samples/);
    const order = await page.$$eval(".graph-and-tables > *", (parts) => parts.map((part) => part.localName));
    assert.equal(order.filter((name) => name === "log-flame").length, 2);
    assert.equal(order[0], "log-flame");
});
