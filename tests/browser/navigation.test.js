// Moving around: keys, wheel, drags and the overview strip.

import assert from "node:assert/strict";
import { onPage } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { lane, press, scale, shown, stretch, until } from "./support/see.js";
import { LEFT, WIDTH, isWhole, middle, near, opened, pressTimes, view, width } from "./support/view.js";

const { length: LENGTH, lanes } = readCorpus("threaded");
const CENTRE = LEFT + WIDTH / 2;
const [FIRST] = lanes.get(0);

/** A turn of the wheel, with a key held. */
async function wheel(page, held, x, y) {
    await page.keyboard.down(held);
    await page.mouse.wheel(x, y);
    await page.keyboard.up(held);
}

for (const [closer, wider] of [
    ["w", "s"],
    ["+", "-"],
    ["=", "-"],
]) {
    onPage(`${closer} zooms in around the middle and ${wider} zooms out again`, {}, async (page) => {
        await opened(page);
        await page.keyboard.press(closer);
        const once = await view(page, (seen) => !isWhole(seen));
        assert.ok(near(middle(once), 0.5, 0.005) && width(once) > 0.6 && width(once) < 0.8, JSON.stringify(once));
        await page.keyboard.press(closer);
        await view(page, (seen) => width(seen) < width(once) * 0.75);
        await pressTimes(page, wider, 2);
        await view(page, isWhole);
    });
}

onPage("keys go down to 1 ns per pixel and no further, and 0 goes back", {}, async (page) => {
    const before = await opened(page);
    assert.ok(near(await scale(page), (LENGTH * 1.04) / WIDTH, LENGTH / WIDTH / 50));
    await pressTimes(page, "w", 40);
    assert.equal(await scale(page), 1);
    await pressTimes(page, "w", 5);
    assert.equal(await scale(page), 1);
    await page.keyboard.press("0");
    await view(page, isWhole);
    await until(
        () => lane(page, "Capability 0"),
        ({ roles }) => roles.join() === before.roles.join(),
    );
});

onPage("keys zoom at the pointer when it is on the timeline", {}, async (page) => {
    const { y } = await opened(page);
    await page.mouse.move(LEFT + WIDTH * 0.25, y);
    await pressTimes(page, "w", 6);
    const seen = await view(page, (seen) => width(seen) < 0.15);
    assert.ok(seen.from < 0.25 && seen.to > 0.23 && near(middle(seen), 0.25, 0.05), JSON.stringify(seen));
});

for (const [left, right] of [
    ["a", "d"],
    ["ArrowLeft", "ArrowRight"],
]) {
    onPage(`${left} and ${right} move along, and stop at the log's ends`, {}, async (page) => {
        await opened(page);
        await pressTimes(page, "w", 3);
        const start = await view(page, (seen) => width(seen) < 0.4);
        await page.keyboard.press(left);
        const moved = await view(page, ({ from }) => from < start.from - 0.01);
        assert.ok(near(width(moved), width(start), 0.003));
        await page.keyboard.press(right);
        await view(page, ({ from }) => near(from, start.from, 0.002));
        await pressTimes(page, right, 30);
        await view(page, ({ to }) => to > 0.995);
        await pressTimes(page, left, 60);
        const end = await view(page, ({ from }) => from < 0.005);
        assert.ok(near(width(end), width(start), 0.03), "the same scale, save for the room beside the log");
    });
}

onPage("Ctrl and the wheel zoom at the pointer: the time under it stays there", {}, async (page) => {
    const { y } = await opened(page);
    const { from } = await stretch(page, "Capability 0", "running");
    await page.mouse.move(from, y);
    for (let turn = 0; turn < 3; turn++) await wheel(page, "Control", 0, -120);
    const seen = await view(page, (seen) => width(seen) < 0.5);
    const place = (from - LEFT) / WIDTH;
    // At first, there is a margin of 2 % of the log's length on either side.
    const at = (place * 1.04 - 0.02 - seen.from) / width(seen);
    assert.ok(near(at, place, 0.01), `what was at ${place} of the width is at ${at}`);
    await wheel(page, "Control", 0, 2000);
    await view(page, isWhole);
});

onPage("Shift and the wheel pan, and so does a wheel to the side", {}, async (page) => {
    const { y } = await opened(page);
    await page.mouse.move(CENTRE, y);
    await pressTimes(page, "w", 3);
    const start = await view(page, (seen) => width(seen) < 0.4);
    await wheel(page, "Shift", 0, 300);
    const moved = await view(page, ({ from }) => from > start.from + 0.02);
    assert.ok(near(width(moved), width(start), 0.003));
    await page.mouse.wheel(-300, 0);
    await view(page, ({ from }) => near(from, start.from, 0.003));
});

onPage("Shift and a drag move the view with the pointer", {}, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 3);
    const start = await view(page, (seen) => width(seen) < 0.4);
    await page.keyboard.down("Shift");
    await page.mouse.move(CENTRE, y);
    await page.mouse.down();
    await page.mouse.move(CENTRE - 265, y);
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await view(page, ({ from }) => near(from, start.from + width(start) / 4, 0.004));
    assert.doesNotMatch(await page.textContent("#announcer"), /selected/);
});

onPage("F shows the selection, 0 the whole log", {}, async (page) => {
    await opened(page);
    await press(page, ".");
    await page.keyboard.press("f");
    const seen = await view(page, (seen) => width(seen) < 0.1);
    assert.ok(near(middle(seen), middle({ from: FIRST.start, to: FIRST.end }) / LENGTH, 0.003), JSON.stringify(seen));
    await page.keyboard.press("0");
    await view(page, isWhole);
});

onPage("a click or a drag on the strip moves the view there, as close as before", {}, async (page) => {
    await opened(page);
    await pressTimes(page, "w", 4);
    const start = await view(page, (seen) => width(seen) < 0.25);
    const box = await page.locator("#overview").boundingBox();
    const at = (share) => box.x + (box.width * (share + 0.02)) / 1.04;
    await page.mouse.click(at(0.8), box.y + 20);
    const clicked = await view(page, (seen) => near(middle(seen), 0.8, 0.003));
    assert.ok(near(width(clicked), width(start), 0.003));
    await page.mouse.move(at(0.8), box.y + 20);
    await page.mouse.down();
    await page.mouse.move(at(0.3), box.y + 20);
    await page.mouse.up();
    await view(page, (seen) => near(middle(seen), 0.3, 0.003));
    await page.mouse.move(at(0.6), box.y + 20);
    await page.keyboard.press("Escape");
    assert.ok(near(middle(await shown(page)), 0.3, 0.003), "moving without a button changes nothing");
});
