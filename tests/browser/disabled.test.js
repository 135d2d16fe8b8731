// Disabled capabilities: that time is hatched, and the tooltip says why.

import assert from "node:assert/strict";
import { onPage, openCorpus } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { described, lane, press, tablesSettled, tells, until } from "./support/see.js";
import { LEFT, WIDTH, isWhole, view } from "./support/view.js";

const { length: LENGTH, disabled: DISABLED } = readCorpus("disabled");

/** Room beside the log, as a share of its length. */
const MARGIN = 0.02;

/** The place of a time when all of the log is in view, in pixels from the timeline's left edge. */
const place = (time) => Math.round(((time / LENGTH + MARGIN) / (1 + 2 * MARGIN)) * WIDTH);

/** Opens the log, and returns the roles of a lane's pixels, once `enough` accepts them. */
async function opened(page, name, enough) {
    await openCorpus(page, "disabled");
    await view(page, isWhole);
    return until(
        () => lane(page, name),
        ({ roles }) => enough(roles),
    );
}

onPage("a lane is hatched where its capability is disabled, and nowhere else", {}, async (page) => {
    const [first, second] = DISABLED.get(3);
    const { roles } = await opened(page, "Capability 3", (roles) => roles.slice(place(first.start), place(first.end)).includes("hatch"));
    /** The share of a lane's pixels that are hatched, between two times. */
    const hatched = (start, end) => {
        // Away from the edges, where a pixel mixes both.
        const between = roles.slice(place(start) + 3, place(end) - 3);
        return between.filter((role) => role === "hatch").length / between.length;
    };
    // Hatching: one pixel of six in a row is a line.
    for (const { start, end } of [first, second]) {
        assert.ok(Math.abs(hatched(start, end) - 1 / 6) < 0.03, `${hatched(start, end)} from ${start} to ${end}`);
    }
    assert.equal(hatched(0, first.start), 0);
    assert.equal(hatched(first.end, second.start), 0);
    const enabled = await lane(page, "Capability 0");
    assert.equal(DISABLED.get(0).length, 0);
    assert.ok(!enabled.roles.slice(place(0) + 3, place(LENGTH) - 3).includes("hatch"), "the first is never disabled");
});

onPage("the tooltip says disabled, since when and for how long, and a click selects it", {}, async (page) => {
    const [first] = DISABLED.get(3);
    const { y } = await opened(page, "Capability 3", (roles) => roles.slice(place(first.start), place(first.end)).includes("hatch"));
    const x = LEFT + Math.floor((place(first.start) + place(first.end)) / 2);
    await page.mouse.move(x, y);
    await page.waitForFunction(() => document.querySelector("#tooltip strong")?.textContent === "disabled");
    const { fields } = await described(page, "#tooltip");
    assert.ok(tells(fields.Start, first.start) && tells(fields.Duration, first.end - first.start), JSON.stringify(fields));
    await page.mouse.click(x, y);
    await page.waitForSelector("#details dl");
    const selected = await described(page, "#details");
    assert.equal(selected.title, "disabled");
    assert.match(await page.textContent("#announcer"), /^Capability 3: disabled/);
    // The keys go on from there, and come back to it.
    assert.notEqual((await press(page, ".")).fields.Start, selected.fields.Start);
    assert.deepEqual(await press(page, ","), selected);
});

onPage("the tooltip's legend names it if there is any, and the table counts it separately", {}, async (page) => {
    await opened(page, "Capability 3", (roles) => roles.includes("hatch"));
    const header = (name) => page.locator("#headers .track", { has: page.getByText(name, { exact: true }) }).first();
    for (const [name, named] of [
        ["Capability 3", true],
        ["Capability 0", false],
    ]) {
        await header(name).hover();
        await page.waitForFunction((name) => document.querySelector("#tooltip strong")?.textContent.startsWith(name), name);
        const colours = await page.$$eval("#tooltip .colours li", (all) => all.map((one) => one.textContent));
        assert.equal(colours.includes("disabled"), named, `${name}: ${colours}`);
        assert.ok(colours.includes("running") && !colours.includes("not known"), `${colours}`);
    }
    await tablesSettled(page);
    const heads = await page.$$eval("#summary [role=columnheader], #summary th", (all) => all.map((one) => one.textContent));
    for (const head of ["Disabled", "Created", "Deleted"])
        assert.ok(
            heads.some((text) => text.includes(head)),
            `${heads}`,
        );
});
