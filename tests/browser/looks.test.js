// Colours, and windows of all sizes.

import assert from "node:assert/strict";
import { choose, corpus, onPage, openCorpus, state } from "./support/page.js";
import { drawn, lane, pixelsOf, shown, tracks, until } from "./support/see.js";

/** The colours in use: of the page itself, and of running threads on the canvas. */
async function colours(page) {
    await until(
        () => pixelsOf(page, "Capability 0", "running"),
        (pixels) => pixels > 0,
    );
    return page.evaluate(() => {
        const root = document.documentElement;
        const running = getComputedStyle(root).getPropertyValue("--running").trim();
        return { theme: root.dataset.theme, background: getComputedStyle(document.body).backgroundColor, running };
    });
}

const LIGHT = { theme: "light", background: "rgb(255, 255, 255)" };
const DARK = { theme: "dark", background: "rgb(18, 22, 27)" };

for (const [colorScheme, expected] of Object.entries({ light: LIGHT, dark: DARK })) {
    onPage(`on a ${colorScheme} system the page is ${colorScheme}, the canvas too`, { colorScheme }, async (page) => {
        await openCorpus(page, "single");
        const { theme, background } = await colours(page);
        assert.deepEqual({ theme, background }, expected);
    });
}

onPage("running threads have another colour on dark than on light", { colorScheme: "light" }, async (page) => {
    await openCorpus(page, "single");
    const light = await colours(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForSelector('html[data-theme="dark"]', { state: "attached" });
    assert.notEqual((await colours(page)).running, light.running);
});

onPage("the button goes from the system's colours to light, to dark and back", { colorScheme: "light" }, async (page) => {
    await openCorpus(page, "single");
    const seen = [];
    for (let press = 0; press < 4; press++) {
        seen.push([await page.getAttribute("#theme", "title"), (await colours(page)).theme]);
        await page.click("#theme");
    }
    const [system, light, dark, again] = seen;
    assert.deepEqual(
        [system, light, dark, again].map(([, theme]) => theme),
        ["light", "light", "dark", "light"],
    );
    assert.equal(new Set([system, light, dark].map(([title]) => title)).size, 3);
    assert.deepEqual(again, system);
});

onPage("after a switch, everything looks as if it had begun with those colours", { colorScheme: "dark" }, async (page) => {
    const pictures = () => page.$$eval("#canvas, #overview", (all) => all.map((canvas) => canvas.toDataURL()).join());
    // Pixels of closely packed spans mix several colours: they must be mixed again.
    await openCorpus(page, "blocked-threads");
    await until(
        () => drawn(page, "Capability 0"),
        (pixels) => pixels > 10,
    );
    /** The canvas once the worker has mixed the colours again. */
    const settled = async () => {
        await page.waitForTimeout(300);
        return pictures();
    };
    const dark = await settled();
    await page.emulateMedia({ colorScheme: "light" });
    await until(pictures, (seen) => seen !== dark);
    await page.emulateMedia({ colorScheme: "dark" });
    await until(pictures, (seen) => seen === dark);
    await page.emulateMedia({ colorScheme: "light" });
    await until(pictures, (seen) => seen !== dark);
    const light = await settled();
    await page.click("#close");
    await openCorpus(page, "blocked-threads");
    await until(pictures, (seen) => seen === light);
});

onPage("colours that were chosen stay when the system's change", { colorScheme: "dark" }, async (page) => {
    await openCorpus(page, "single");
    await page.click("#theme");
    await page.waitForSelector('html[data-theme="light"]', { state: "attached" });
    await page.emulateMedia({ colorScheme: "light" });
    await page.emulateMedia({ colorScheme: "dark" });
    const { theme, background } = await colours(page);
    assert.deepEqual({ theme, background }, LIGHT);
});

/** How far visible elements extend beyond the window's right edge, and how far the page can be scrolled. */
function overhang(page) {
    return page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        document.documentElement.scrollLeft = 1000;
        const scrolled = document.documentElement.scrollLeft;
        const parts = [
            // Tabs without room scroll.
            ...document.querySelectorAll("button:not(.tabs *), label.button, h1, #facts li, #timeline, #overview, #error, .tabs"),
        ];
        const beyond = parts.filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > clientWidth + 0.5);
        return {
            wider: scrollWidth - clientWidth,
            scrolled,
            beyond: beyond.map((part) => part.id || part.textContent),
        };
    });
}

const FITS = { wider: 0, scrolled: 0, beyond: [] };
for (const width of [400, 320]) {
    onPage(
        `nothing extends beyond a window ${width} pixels wide, whatever the page shows`,
        { viewport: { width, height: 700 } },
        async (page) => {
            assert.deepEqual(await overhang(page), FITS, "empty");
            await openCorpus(page, "threaded");
            assert.deepEqual(await overhang(page), FITS, "a log");
            await openCorpus(page, "cut-in-event");
            await page.waitForSelector("#notices", { state: "visible" });
            assert.deepEqual(await overhang(page), FITS, "a notice");
            await choose(page, corpus("cut-in-header"));
            await state(page, "error");
            assert.deepEqual(await overhang(page), FITS, "an error");
        },
    );
}

onPage("in a narrow window a log is still drawn, beside narrower names", { viewport: { width: 400, height: 700 } }, async (page) => {
    await openCorpus(page, "threaded");
    await until(
        () => pixelsOf(page, "Capability 0", "running"),
        (pixels) => pixels > 5,
    );
    const { left, roles } = await lane(page, "Capability 0");
    assert.ok(left < 150 && left + roles.length === 400, `${left} + ${roles.length}`);
});

onPage("a low window scrolls as a page, and squeezes nothing", { viewport: { width: 640, height: 360 } }, async (page) => {
    await openCorpus(page, "threaded");
    await until(
        () => tracks(page),
        (rows) => rows.length > 0,
    );
    const { timeline, rows, scrolled, wider } = await page.evaluate(() => {
        window.scrollTo(0, 10_000);
        return {
            timeline: document.getElementById("timeline").clientHeight,
            rows: document.querySelectorAll("#headers .track").length,
            scrolled: window.scrollY,
            wider: document.documentElement.scrollWidth - innerWidth,
        };
    });
    // The tabs of the drawer are in view below it, at first.
    assert.ok(timeline >= 170 && rows >= 6 && scrolled > 100 && wider <= 0, JSON.stringify({ timeline, rows, scrolled, wider }));
    const panel = await page.locator("#panel").boundingBox();
    assert.ok(panel.y + panel.height <= 361, "its end can be reached");
});

onPage("the canvas follows the window's size", {}, async (page) => {
    await openCorpus(page, "threaded");
    await until(
        () => tracks(page),
        (rows) => rows.length > 0,
    );
    for (const width of [900, 1400]) {
        await page.setViewportSize({ width, height: 600 });
        await until(
            () => lane(page, "Capability 0"),
            ({ left, roles }) => left + roles.length === width,
        );
        await until(
            () => shown(page),
            ({ from, to }) => from === 0 && to === 1,
        );
        await until(
            () => pixelsOf(page, "Capability 0", "running"),
            (pixels) => pixels > 0,
        );
    }
});

onPage(
    "on a screen with two pixels for each CSS pixel, the canvases are as sharp as the screen",
    { deviceScaleFactor: 2 },
    async (page) => {
        await openCorpus(page, "threaded");
        const fine = () =>
            page.$$eval("#canvas, #overview", (all) => all.map((canvas) => canvas.width / canvas.getBoundingClientRect().width));
        await until(fine, (ratios) => ratios.every((ratio) => ratio === 2));
    },
);
