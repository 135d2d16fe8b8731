// The page in windows of all kinds, on paper, in several tabs, and when going back and forward.

import assert from "node:assert/strict";
import { chooseTab, onPage, openCorpus } from "./support/page.js";
import { lane, select, tracks, until } from "./support/see.js";
import { LEFT, isWhole, middle, near, opened, pressTimes, view, width } from "./support/view.js";

for (const size of [720, 800, 899, 1000]) {
    onPage(
        `in a window ${size} pixels wide, nothing in the bar is covered by its buttons`,
        { viewport: { width: size, height: 600 } },
        async (page) => {
            await openCorpus(page, "threaded");
            const { tools, facts, name } = await page.evaluate(() => {
                const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
                return { tools: box(".tools"), facts: box("#facts"), name: box("#program") };
            });
            for (const part of [facts, name]) {
                const apart = part.right <= tools.left || part.top >= tools.bottom;
                assert.ok(apart && part.right <= size, JSON.stringify({ part, tools }));
            }
        },
    );
}

onPage("at 400 % all of the page can be reached", { viewport: { width: 320, height: 256 } }, async (page) => {
    await openCorpus(page, "threaded");
    for (const part of ["#close", "#overview", "#timeline", "#tab-summary", "#summary table[aria-label=Capabilities]"]) {
        await page.locator(part).scrollIntoViewIfNeeded();
        const { y, height } = await page.locator(part).boundingBox();
        assert.ok(y + Math.min(height, 40) <= 257 && y + height > 0, `${part}: ${y}, ${height}`);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
});

onPage("few rows grow to fill the room, many do not", {}, async (page) => {
    // All rows just fit once the group "Heap" is folded.
    await page.setViewportSize({ width: 1280, height: 760 });
    await openCorpus(page, "threaded");
    await until(
        () => tracks(page),
        (rows) => rows.length > 0,
    );
    await page.locator(".heading button", { hasText: "Heap" }).click();
    const rest = () =>
        page.evaluate(
            () =>
                document.getElementById("timeline").getBoundingClientRect().bottom -
                document.querySelector("#headers > :last-child").getBoundingClientRect().bottom,
        );
    await until(rest, (free) => free >= 0 && free < 10);
    await page.click("#drawer .fold");
    await until(rest, (free) => free >= 0 && free < 60);
    const heights = await page.$$eval("#headers .track:not(.heading, .absent)", (rows) => rows.map((row) => row.offsetHeight));
    assert.ok(
        heights.every((height) => height >= 50 && height <= 110),
        String(heights),
    );
    await page.setViewportSize({ width: 1280, height: 430 });
    await page.click("#drawer .fold");
    await until(
        () => page.$$eval("#headers .track:not(.heading)", (rows) => rows[1].offsetHeight),
        (height) => height === 30,
    );
});

/** The last line of the first track, from the canvas' top. */
function bottomOf(page) {
    return page.evaluate(() => {
        const top = document.getElementById("canvas").getBoundingClientRect().top;
        return Math.round(document.querySelector("#headers .track").getBoundingClientRect().bottom - top) - 5;
    });
}

/** The first and last column with any drawing on a line of a canvas, in CSS pixels of the window. */
function drawnOn(page, selector, top) {
    return page.evaluate(
        ({ selector, top, left }) => {
            const canvas = document.querySelector(selector);
            const box = canvas.getBoundingClientRect();
            const hex = getComputedStyle(document.documentElement).getPropertyValue("--running").trim();
            const running = Number.parseInt(hex.slice(1), 16);
            const skip = Math.max(0, left - box.left);
            const { data, width } = canvas.getContext("2d").getImageData(skip, top, canvas.width - skip, 1);
            const isRunning = (at) => ((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]) === running;
            const columns = Array.from({ length: width }, (_, x) => isRunning(x * 4));
            return [columns.indexOf(true), columns.lastIndexOf(true)].map((x) => box.left + skip + x);
        },
        { selector, top, left: LEFT },
    );
}

onPage("the strip of the whole log begins where the timeline does, and has its scale", {}, async (page) => {
    await opened(page);
    assert.equal((await page.locator("#overview").boundingBox()).x, LEFT);
    // Just above the bottom of each, where the drawing is widest.
    const [strip, track] = [await drawnOn(page, "#overview", 31), await drawnOn(page, "#canvas", await bottomOf(page))];
    strip.forEach((x, at) => assert.ok(near(x, track[at], 2), `${strip} and ${track}`));
    assert.match((await page.textContent("#whole-name")).trim(), /^Whole log30\.\d+ ms$/);
});

onPage(
    "the strip's handles change one end of the view, a drag inside of the frame moves it, one beside it makes another",
    {},
    async (page) => {
        await opened(page);
        const box = await page.locator("#overview").boundingBox();
        const x = (share) => box.x + (box.width * (share + 0.02)) / 1.04;
        const y = box.y + 20;
        const drag = async (from, to) => {
            await page.mouse.move(from, y);
            await page.mouse.down();
            await page.mouse.move((from + to) / 2, y);
            await page.mouse.move(to, y);
            await page.mouse.up();
        };
        await drag(box.x + 1, x(0.2));
        let seen = await view(page, ({ from }) => near(from, 0.2, 0.01));
        assert.ok(seen.to > 0.995);
        await drag(box.x + box.width - 1, x(0.5));
        seen = await view(page, ({ to }) => near(to, 0.5, 0.01));
        assert.ok(near(seen.from, 0.2, 0.01));
        await drag(x(0.3), x(0.6));
        seen = await view(page, ({ from }) => near(from, 0.5, 0.01));
        assert.ok(near(seen.to, 0.8, 0.01));
        await drag(x(0.1), x(0.3));
        seen = await view(page, ({ to }) => near(to, 0.3, 0.01));
        assert.ok(near(seen.from, 0.1, 0.01));
    },
);

onPage("back and forward go to earlier views, and leave the log open", {}, async (page) => {
    await opened(page);
    await pressTimes(page, "w", 4);
    const close = await view(page, (seen) => width(seen) < 0.25);
    await page.waitForTimeout(700);
    await pressTimes(page, "d", 4);
    await view(page, (seen) => middle(seen) > middle(close) + 0.05);
    await page.waitForTimeout(700);
    const moved = await view(page, () => true);
    await page.goBack();
    await view(page, (seen) => near(seen.from, close.from, 0.002) && near(seen.to, close.to, 0.002));
    await page.goBack();
    await view(page, isWhole);
    await page.goForward();
    await page.goForward();
    await view(page, (seen) => near(seen.from, moved.from, 0.002) && near(seen.to, moved.to, 0.002));
});

onPage("colours chosen in one tab apply to the others", { restarts: true }, async (page) => {
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.waitForSelector("html[data-started]", { state: "attached" });
    for (const theme of ["light", "dark"]) {
        await other.click("#theme");
        await page.waitForSelector(`html[data-theme=${theme}]`, { state: "attached" });
        assert.equal(await page.getAttribute("#theme", "title"), `Colours: ${theme}`);
    }
});

onPage("on paper it is light, fits the width, and is whole; afterwards it is as before", { colorScheme: "dark" }, async (page) => {
    await opened(page);
    await chooseTab(page, "gc");
    await page.setViewportSize({ width: 1280, height: 1000 });
    await page.waitForTimeout(300);
    const NAMES = await page.$$eval("#headers .name", (names) => names.map((name) => name.textContent));
    assert.ok(NAMES.length > 7);
    const before = await page.$eval("#canvas", (canvas) => canvas.width);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const paper = await page.evaluate(() => {
        const canvas = document.querySelector("#paper canvas");
        const [red] = canvas.getContext("2d").getImageData(canvas.width - 2, canvas.height - 2, 1, 1).data;
        const box = (selector) => document.querySelector(selector).getBoundingClientRect();
        const { width } = canvas.getBoundingClientRect();
        const { data } = canvas.getContext("2d").getImageData(220, 0, canvas.width - 220, canvas.height);
        const found = (hex) => {
            const wanted = Number.parseInt(hex.slice(1), 16);
            return Array.from(
                { length: data.length / 4 },
                (_, at) => (data[at * 4] << 16) | (data[at * 4 + 1] << 8) | data[at * 4 + 2],
            ).filter((colour) => colour === wanted).length;
        };
        const tables = [...document.querySelectorAll("#summary table")];
        return {
            red,
            // Threads that run, in the colours of light and of dark.
            running: [found("#459973") > 1000, found("#6de1bc")],
            width,
            background: getComputedStyle(document.body).backgroundColor,
            rows: box(".block").bottom >= box(".block .track:last-child").bottom - 1,
            names: [...document.querySelectorAll(".block .name")].map((name) => name.textContent),
            left: document.getElementById("unprinted").checkVisibility(),
            once: document.getElementById("timeline").checkVisibility(),
            tables:
                tables.length > 0 &&
                tables.every((table) => table.checkVisibility() && table.getBoundingClientRect().right <= 970) &&
                // That of the capabilities is whole.
                tables.some((table) => table.rows.length === 4),
            figures:
                [...document.querySelectorAll("#summary dl")].filter(
                    (list) => list.checkVisibility() && list.getBoundingClientRect().right <= 970,
                ).length > 5,
            controls: [...document.querySelectorAll(".copy")].filter((part) => part.checkVisibility()).length,
            tab: document.querySelector(".tab-panel").checkVisibility(),
            cut: document.getElementById("panel").scrollHeight > document.getElementById("panel").clientHeight + 1,
            exact: getComputedStyle(document.querySelector(".swatch")).printColorAdjust,
        };
    });
    assert.deepEqual(paper, {
        red: 255,
        running: [true, 0],
        width: 970,
        background: "rgb(255, 255, 255)",
        rows: true,
        names: NAMES,
        left: false,
        once: false,
        tables: true,
        figures: true,
        controls: 0,
        tab: true,
        cut: false,
        exact: "exact",
    });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await until(
        () => page.$eval("#canvas", (canvas) => canvas.width),
        (now) => now === before,
    );
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    assert.equal(await page.locator(".block").count(), 0, "what was painted for paper is gone");
});

/** One finger: each call puts it down, moves it or, without a point, lifts it. */
async function finger(page) {
    const session = await page.context().newCDPSession(page);
    let down = false;
    return async (x, y) => {
        const type = x === undefined ? "touchEnd" : down ? "touchMove" : "touchStart";
        down = x !== undefined;
        await session.send("Input.dispatchTouchEvent", { type, touchPoints: down ? [{ x, y, id: 0 }] : [] });
    };
}

onPage("a finger scrolls the tracks up and down", { hasTouch: true, viewport: { width: 1280, height: 425 } }, async (page) => {
    await opened(page);
    const touch = await finger(page);
    await touch(700, 220);
    for (const y of [210, 195, 180, 165, 150]) await touch(700, y);
    await touch();
    await until(
        () => page.$eval("#timeline", (box) => box.scrollTop),
        (scrolled) => scrolled > 10,
    );
    assert.ok(isWhole(await view(page, () => true)));
});

onPage("a finger that rests before it moves selects a range", { hasTouch: true }, async (page) => {
    const { y } = await opened(page);
    // A finger is less exact than a mouse, and snaps to what is farther away. Both select the same if neither snaps.
    await page.keyboard.press("Shift+R");
    const touch = await finger(page);
    await touch(500, y);
    await page.waitForTimeout(600);
    for (const x of [550, 650, 800]) await touch(x, y + (x - 500) / 10);
    await touch();
    await until(
        () => page.textContent("#announcer"),
        (text) => text.endsWith(" selected"),
    );
    const touched = await page.textContent("#drawer .chip .range");
    await page.keyboard.press("Escape");
    await select(page, 500, 800, y);
    assert.equal(await page.textContent("#drawer .chip .range"), touched);
});

onPage(
    "the details take room from a part of the log without moving what was clicked; of the whole log, all stays in view",
    {},
    async (page) => {
        await openCorpus(page, "returned");
        const { left, y, roles } = await until(
            () => lane(page, "Capability 0"),
            ({ roles }) => roles.includes("running"),
        );
        const x = left + roles.indexOf("running") + 1;
        const open = async () => {
            await page.mouse.click(x, y);
            await page.waitForSelector("#details:not([hidden])");
            await page.waitForTimeout(200);
        };
        await open();
        await view(page, isWhole);
        await page.keyboard.press("Escape");
        await page.waitForSelector("#details[hidden]", { state: "attached" });
        await pressTimes(page, "w", 3);
        const before = await view(page, (seen) => !isWhole(seen));
        const { roles: wide } = await lane(page, "Capability 0");
        await open();
        const { roles: narrow } = await lane(page, "Capability 0");
        assert.ok(narrow.length < wide.length);
        const after = await view(page, (seen) => near(width(seen) / width(before), narrow.length / wide.length, 0.02));
        assert.ok(near(after.from, before.from, 0.004), JSON.stringify({ before, after }));
    },
);
