// The time profile on the timeline: what each capability ran when, in the colours of the flame graph.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chooseTab, corpus, onPage, openCorpus } from "./support/page.js";
import { described, press, tracks, until } from "./support/see.js";

const LOG = "time-profile";
const { time_profile: profile } = JSON.parse(readFileSync(corpus(LOG).replace(/log\.eventlog$/, "summary.json"), "utf8"));

/** High enough for all rows to be there. */
const open = async (page) => {
    await page.setViewportSize({ width: 1280, height: 1600 });
    await openCorpus(page, LOG);
};

/** The place of a row of the time profile: its name occurs among the capabilities, too. */
const rowAt = (page, name) =>
    page.evaluate((name) => {
        const row = [...document.querySelectorAll("#headers .track")].filter((row) => row.textContent.includes(name)).at(-1);
        row.scrollIntoView({ block: "nearest" });
        const [box, canvas] = [row.getBoundingClientRect(), document.getElementById("canvas").getBoundingClientRect()];
        return { left: box.right, right: canvas.right, y: box.top + box.height / 2 };
    }, name);

/** The colour at a point of a canvas. */
const colourAt = (page, selector, x, y) =>
    page.$eval(
        selector,
        (canvas, { x, y }) => {
            const box = canvas.getBoundingClientRect();
            const [wide, high] = [canvas.width / box.width, canvas.height / box.height];
            return canvas
                .getContext("2d")
                .getImageData((x - box.left) * wide, (y - box.top) * high, 1, 1)
                .data.slice(0, 3)
                .join();
        },
        { x, y },
    );

onPage("each capability has a row of innermost frames, in the colours of the flame graph", {}, async (page) => {
    await open(page);
    const rows = await until(
        () => tracks(page),
        (rows) => rows.length > 10,
    );
    const each = String(profile.samples / 2);
    assert.deepEqual(
        rows.filter(([, note]) => note === each),
        [
            ["Capability 0", each],
            ["Capability 1", each],
        ],
    );
    assert.ok(rows.some(([name]) => name === "Samples per second"));
    await chooseTab(page, "profile");
    const graph = page.locator("log-flame-graph .flame-box canvas");
    await graph.waitFor();
    // Hide markers: their lines would go through the row.
    await page.keyboard.press("Shift+M");
    const { left, right, y } = await rowAt(page, "Capability 1");
    // The names along the row.
    const seen = new Map();
    for (let share = 0.1; share < 0.95; share += 0.05) {
        const x = left + (right - left) * share;
        // Away first: the tooltip of the last place may still be there.
        await page.mouse.move(left / 2, 5);
        await page.waitForSelector("#tooltip", { state: "hidden" });
        await page.mouse.move(x, y);
        await page.waitForSelector("#tooltip strong");
        const { title } = await described(page, "#tooltip");
        if (["GC", "IDLE"].includes(title)) seen.set(title, await colourAt(page, "#canvas", x + 1, y - 9));
    }
    assert.equal(seen.size, 2, JSON.stringify([...seen]));
    // The widest frames of the graph, from left to right.
    const box = await graph.boundingBox();
    const [first, second] = profile.cost_centres;
    const at = (share) => colourAt(page, "log-flame-graph .flame-box canvas", box.x + box.width * share, box.y + 3);
    const [one, two] = [await at(0.1), await at((first.total_samples + second.total_samples / 2) / profile.samples)];
    assert.deepEqual([seen.get(first.name), seen.get(second.name)], [one, two]);
});

onPage("a run is selected by a click, and the keys go to the next one", {}, async (page) => {
    await open(page);
    await until(
        () => tracks(page),
        (rows) => rows.some(([name]) => name === "Samples per second"),
    );
    const { left, right, y } = await rowAt(page, "Capability 1");
    await page.mouse.click(left + (right - left) * 0.5, y);
    await page.waitForSelector("#details dt");
    const before = await described(page, "#details");
    assert.ok(["GC", "IDLE", "MAIN"].includes(before.title) && Number(before.fields.Samples) > 0, JSON.stringify(before));
    const after = await press(page, ".");
    assert.ok(["GC", "IDLE", "MAIN"].includes(after.title) && after.title !== before.title, JSON.stringify(after));
    assert.deepEqual(await press(page, ","), before);
});
