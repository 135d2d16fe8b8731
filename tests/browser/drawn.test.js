// The drawing is true, can be hovered and clicked, and has tooltips; unknown time has, too.

import assert from "node:assert/strict";
import { choose, file, onPage, openCorpus, state } from "./support/page.js";
import { readCorpus, writeCollections } from "./support/eventlog.js";
import { described, lane, press, readTime, select, tablesSettled, until } from "./support/see.js";
import { LEFT, WIDTH, isWhole, near, opened, pressTimes, view, width } from "./support/view.js";

const { length: LENGTH } = readCorpus("threaded");

/** The tooltip's text once the pointer rests at a place. */
async function pointAt(page, x, y) {
    await page.mouse.move(x, y + 3);
    await page.mouse.move(x, y);
    await page.waitForTimeout(80);
    await page.waitForSelector("#tooltip", { state: "visible" });
    return page.textContent("#tooltip strong");
}

/** A place on a lane where something is drawn. */
async function busy(page, name) {
    const seen = await lane(page, name);
    const places = seen.roles.flatMap((role, at) => (["panel", "background", "line", "accent", ""].includes(role) ? [] : [seen.left + at]));
    return { ...seen, places };
}

onPage("every drawn collection can be hovered, and the tooltip says how many there are", {}, async (page) => {
    await choose(page, file("collections.eventlog", writeCollections(20_000)));
    await state(page, "ready");
    const { y, places } = await until(
        () => busy(page, "Collections"),
        ({ places }) => places.length > 900,
    );
    for (let at = 0; at < 40; at++) {
        const text = await pointAt(page, places[Math.floor((at * places.length) / 40)], y);
        const [, count, longest] = /^(\d+) collections here, longest (.*)$/.exec(text) ?? [];
        assert.ok(count >= 10 && count <= 30, text);
        assert.ok(readTime(longest).ns <= 500, text);
    }
    const x = places[Math.floor(places.length / 3)];
    const [, , longest] = /^(\d+) collections here, longest (.*)$/.exec(await pointAt(page, x, y)) ?? [];
    await page.mouse.click(x, y);
    await page.waitForSelector("#details dl");
    const { fields } = await described(page, "#details");
    assert.equal(fields.Pause, longest, "a click selects the longest");
    const start = readTime(fields.Start).ns;
    assert.ok(near(readTime((await press(page, ".")).fields.Start).ns, start + 1000, 1), "the next one, not another");
    assert.ok(near(readTime((await press(page, ",")).fields.Start).ns, start, 1));
});

onPage("every place of every row has a tooltip", {}, async (page) => {
    await opened(page);
    for (const name of ["Activity", "Capability 0", "Capability 1", "Capability 2", "Collections"]) {
        const { y } = await lane(page, name);
        for (let x = LEFT + 5; x < LEFT + WIDTH; x += 97) {
            const text = await pointAt(page, x, y);
            if (name === "Activity") assert.match(text, /^(Running \d\.\d of [123] capabilit(y|ies)|Not in the log)$/);
            assert.ok(text.length > 3, `${name} at ${x}`);
        }
    }
});

onPage("drawing and tooltip agree on every pixel of a lane", {}, async (page) => {
    await opened(page);
    const { y, left, roles } = await lane(page, "Capability 0");
    let [drawn, idle] = [0, 0];
    for (let at = 30; at < roles.length - 30; at += 23) {
        // With the same role on either side, a small offset does not matter.
        if (roles[at] !== roles[at - 1] || roles[at] !== roles[at + 1]) continue;
        const text = await pointAt(page, left + at, y);
        const isGround = ["panel", "line"].includes(roles[at]);
        assert.equal(text === "idle", isGround, `${roles[at]} at ${at}: ${text}`);
        drawn += Number(!isGround);
        idle += Number(isGround);
    }
    assert.ok(drawn > 5 && idle > 5, `${drawn}, ${idle}`);
});

onPage("what is not logged is hatched, has a tooltip and is never 0 %", {}, async (page) => {
    await choose(page, file("collections.eventlog", writeCollections(50)));
    await state(page, "ready");
    await tablesSettled(page);
    const table = (await page.textContent("#summary")).replace(/\s+/g, " ");
    assert.match(table, /cap 0\s?–/);
    assert.match(table, /To log the rest, run with \+RTS -ls\./);
    assert.doesNotMatch(table, /cap 0\s?0/);
    const note = await until(
        () => page.textContent("#headers"),
        (text) => text.includes("Capability 0"),
    );
    assert.match(note, /Activitynot logged/);
    assert.match(note, /Capability 0not logged/);
    const { y } = await lane(page, "Activity");
    assert.equal(await pointAt(page, 700, y), "Not logged · needs -ls");
    const { roles } = await lane(page, "Activity");
    const hatch = roles.filter((role) => role === "hatch").length;
    assert.ok(hatch > roles.length / 10 && !roles.includes("panel"), `${hatch} of ${roles.length}`);
});

onPage("a share of the time is drawn as height", {}, async (page) => {
    // A collection takes 300 of each 1000 ns on average.
    await choose(page, file("collections.eventlog", writeCollections(20_000)));
    await state(page, "ready");
    await until(
        () => busy(page, "Collections"),
        ({ places }) => places.length > 900,
    );
    const heights = await page.evaluate(() => {
        const header = [...document.querySelectorAll("#headers .track")].find((track) => track.textContent.startsWith("Collections"));
        const canvas = document.getElementById("canvas");
        const [row, box] = [header.getBoundingClientRect(), canvas.getBoundingClientRect()];
        const context = canvas.getContext("2d");
        const [top, high] = [Math.round(row.top - box.top) + 4, Math.round(row.height) - 8];
        const running = getComputedStyle(document.documentElement).getPropertyValue("--gc-working").trim();
        return Array.from({ length: 50 }, (_, at) => {
            const { data } = context.getImageData(Math.round(row.right - box.left) + 100 + at * 17, top, 1, high);
            const hex = (y) => `#${[0, 1, 2].map((part) => data[y * 4 + part].toString(16).padStart(2, "0")).join("")}`;
            return Array.from({ length: high }, (_, y) => hex(y)).filter((colour) => colour === running).length / high;
        });
    });
    const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length;
    assert.ok(near(mean, 0.3, 0.05), `${mean}: ${heights}`);
    assert.ok(
        heights.every((height) => near(height, 0.3, 0.12)),
        `${heights}`,
    );
});

/** The time at a place of the window, as a share of the log. */
const timeAt = ({ from, to }, x) => from + ((x - LEFT) / WIDTH) * (to - from);

onPage("keys zoom where the pointer is now, after the view has moved below it", {}, async (page) => {
    const { y } = await opened(page);
    const x = LEFT + 300;
    await page.mouse.move(x, y);
    await pressTimes(page, "w", 4);
    await view(page, (seen) => width(seen) < 0.25);
    await pressTimes(page, "d", 5);
    await page.waitForTimeout(100);
    const before = await view(page, (seen) => !isWhole(seen));
    await pressTimes(page, "w", 2);
    const after = await view(page, (seen) => width(seen) < width(before) / 2);
    assert.ok(near(timeAt(after, x), timeAt(before, x), 0.004), `${timeAt(before, x)}, then ${timeAt(after, x)}`);
});

onPage("without a pointer keys zoom at what is selected", {}, async (page) => {
    const { y } = await opened(page);
    await select(page, LEFT + 800, LEFT + 900, y);
    await page.mouse.move(640, 5);
    const selected = timeAt({ from: -0.02, to: 1.02 }, LEFT + 850);
    await pressTimes(page, "w", 4);
    const seen = await view(page, (seen) => width(seen) < 0.25);
    assert.ok(near(timeAt(seen, LEFT + 850), selected, 0.01), JSON.stringify(seen));
});

onPage("a tooltip does not stay over what has moved away", {}, async (page) => {
    const { y } = await opened(page);
    // A view of the whole log cannot be moved.
    await page.mouse.move(640, 5);
    await pressTimes(page, "w", 2);
    await view(page, (seen) => width(seen) < 0.6);
    await page.waitForTimeout(300);
    const { places } = await until(
        () => busy(page, "Capability 0"),
        (seen) => seen.places.length > 0,
    );
    const x = places[Math.floor(places.length / 2)];
    await pointAt(page, x, y);
    const start = async () => (await page.textContent("#tooltip")).replace(/\s+/g, " ");
    const told = await start();
    await pressTimes(page, "d", 2);
    await until(
        async () => ((await page.isVisible("#tooltip")) ? start() : ""),
        (now) => now !== "" && now !== told,
    );
});

/** The length of the range, as it is announced. */
const spoken = async (page) => readTime((await page.textContent("#announcer")).replace(" selected", "")).ns;

onPage("R makes a range of the view, keys move its ends, Enter zooms to it, Esc clears it", {}, async (page) => {
    await opened(page);
    await page.mouse.move(640, 5);
    // Each step is whole: otherwise, the ends stop at the markers on the way. snapping.test.js tests that.
    await page.keyboard.press("Shift+R");
    await page.keyboard.press("r");
    const all = await spoken(page);
    assert.ok(near(all, LENGTH, LENGTH / 500), `${all}`);
    const step = (LENGTH * 1.04) / 100;
    await pressTimes(page, "Shift+ArrowLeft", 20);
    assert.ok(near(await spoken(page), all - 20 * step, all / 200));
    await pressTimes(page, "Shift+ArrowRight", 5);
    assert.ok(near(await spoken(page), all - 15 * step, all / 200));
    await pressTimes(page, "Alt+Shift+ArrowRight", 30);
    assert.ok(near(await spoken(page), all - 45 * step, all / 200));
    await pressTimes(page, "Alt+Shift+ArrowLeft", 5);
    assert.ok(near(await spoken(page), all - 40 * step, all / 200));
    await page.keyboard.press("Enter");
    const seen = await view(page, (seen) => near(width(seen), 1 - 0.4 * 1.04, 0.02));
    assert.ok(near(seen.from, 0.25 * 1.04, 0.01), JSON.stringify(seen));
    // An end never moves beyond the other one, and comes into view.
    await pressTimes(page, "Shift+ArrowLeft", 120);
    assert.ok((await spoken(page)) < 10, await page.textContent("#announcer"));
    await page.keyboard.press("Escape");
    assert.equal(await page.textContent("#announcer"), "");
});

onPage("R makes a range of the selected span", {}, async (page) => {
    await opened(page);
    const { fields } = await press(page, ".");
    await page.keyboard.press("r");
    assert.equal(await page.textContent("#announcer"), `${fields.Duration} selected`);
});

onPage("nothing is announced while a range is dragged; its length is when the drag ends", {}, async (page) => {
    const { y } = await opened(page);
    const before = await page.textContent("#announcer");
    await page.mouse.move(500, y);
    await page.mouse.down();
    for (let x = 510; x <= 800; x += 10) {
        await page.mouse.move(x, y);
        assert.equal(await page.textContent("#announcer"), before);
    }
    await page.mouse.up();
    assert.match(await page.textContent("#announcer"), / selected$/);
});

onPage("the timeline shows that it has the focus, above headers and canvas", {}, async (page) => {
    await opened(page);
    await page.evaluate(() => document.getElementById("close").focus());
    const ring = () =>
        page.evaluate(() => {
            const box = document.getElementById("timeline");
            const { outlineStyle, outlineWidth, height, zIndex } = getComputedStyle(box, "::after");
            return { outlineStyle, outlineWidth, whole: Number.parseFloat(height) === box.clientHeight, above: Number(zIndex) > 2 };
        });
    assert.equal((await ring()).outlineStyle, "none");
    for (let tab = 0; tab < 8; tab++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement?.id === "timeline")) break;
    }
    assert.deepEqual(await ring(), { outlineStyle: "solid", outlineWidth: "2px", whole: true, above: true });
});

onPage("losses of a log are announced, once", {}, async (page) => {
    await openCorpus(page, "cut-in-event");
    const text = await page.textContent("#announcer");
    assert.match(text, /^log\.eventlog is open\. [A-Z].*\.$/);
});
