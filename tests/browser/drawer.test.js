// The parts around the timeline: the drawer's tabs, the selection, and the range.

import assert from "node:assert/strict";
import { chooseTab, onPage, openCorpus, state } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { described, lane, press, readTime, select, shown, tells, until } from "./support/see.js";
import { LEFT, isWhole, near, opened, pressTimes, view, width } from "./support/view.js";

const NAMES = [
    "Findings",
    "Summary",
    "GC",
    "Heap",
    "Threads",
    "Sparks",
    "Messages",
    "Requests",
    "Events",
    "Search",
    "Notes",
    "Profile",
    "Ticky",
    "Process",
];

/** The tabs: their names, and whether each is chosen, can be reached by Tab, is greyed. */
const tabs = (page) =>
    page.$$eval("#drawer [role=tab]", (all) =>
        all.map((tab) => ({
            // Without the count.
            name: tab.textContent.replace(/[\s\d]+$/, "").trim(),
            chosen: tab.ariaSelected === "true",
            stop: tab.tabIndex === 0,
            greyed: tab.ariaDisabled === "true",
            title: tab.title,
            focused: tab === document.activeElement,
        })),
    );
const chosen = async (page) => (await tabs(page)).find((tab) => tab.chosen);
const height = (page) => page.$eval("#drawer", (drawer) => drawer.getBoundingClientRect().height);
const handle = (page) => page.locator("#drawer [role=separator]");
const valueNow = async (page) => Number(await handle(page).getAttribute("aria-valuenow"));

onPage("arrows, Home and End move between tabs; Tab stops at one of them, and its panel has its name", {}, async (page) => {
    await openCorpus(page, "threaded");
    assert.deepEqual(
        (await tabs(page)).map(({ name }) => name),
        NAMES,
    );
    await page.focus("#tab-summary");
    const steps = [
        ["ArrowRight", "GC"],
        ["ArrowRight", "Heap"],
        ["ArrowLeft", "GC"],
        ["End", "Process"],
        ["ArrowRight", "Findings"],
        ["ArrowLeft", "Process"],
        ["Home", "Findings"],
    ];
    for (const [key, name] of steps) {
        await page.keyboard.press(key);
        const now = await until(
            () => tabs(page),
            (all) => all.find((tab) => tab.chosen)?.name === name,
        );
        assert.deepEqual(
            now.filter(({ stop }) => stop).map((tab) => tab.name),
            [name],
        );
        assert.deepEqual(
            now.filter(({ focused }) => focused).map((tab) => tab.name),
            [name],
        );
        assert.equal(
            await page.$eval("#panel", (panel) =>
                document
                    .getElementById(panel.getAttribute("aria-labelledby"))
                    .textContent.replace(/[\s\d]+$/, "")
                    .trim(),
            ),
            name,
        );
    }
    // None of those keys has moved the timeline.
    assert.ok(isWhole(await view(page, () => true)));
});

onPage("a tab without content is greyed, can be chosen, and says what a log needs for it", {}, async (page) => {
    await openCorpus(page, "threaded");
    for (const { name, greyed, title } of await tabs(page)) {
        assert.equal(greyed, name === "Profile" || name === "Ticky", name);
        await chooseTab(page, name.toLowerCase());
        await until(
            () => chosen(page),
            (tab) => tab.name === name,
        );
        // Without its heading. The parts of a panel may come after it.
        const text = await until(
            async () => (await page.innerText("#panel")).replace(new RegExp(`^${name}\\s+`), ""),
            (text) => text !== name,
        );
        // Ticky counters were logged (-la), so that no flag would add them.
        const why = name === "Ticky" ? /The program was not built with -ticky\.$/ : /A log has it if the program was .*run with \+RTS -/;
        if (greyed) assert.match(text, new RegExp(`^Not in this log: .*\\.\\s+${why.source}`));
        // What has been searched for, or noted: nothing yet.
        else if (name === "Search" || name === "Notes") assert.match(text, /Press [/M]/);
        else assert.match(text, /\d/);
        // The hint says what the panel shows, or why there is nothing.
        if (greyed) assert.equal(title, text.replace(/\s+/g, " ").trim());
        else assert.match(title, /^(\d.* in the log\. )?[A-Z].*[^.]\.$/);
        assert.equal(await page.isVisible("#summary"), name === "Summary");
    }
});

onPage("the drawer takes 30 % of the window at first, and is resized by its edge and by keys", {}, async (page) => {
    await openCorpus(page, "threaded");
    assert.ok(near(await height(page), 720 * 0.3, 1));
    assert.equal(await valueNow(page), 30);
    const box = await handle(page).boundingBox();
    const [x, y] = [700, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 100);
    await page.mouse.move(x, y - 144);
    await page.mouse.up();
    await until(
        () => height(page),
        (now) => near(now, 720 * 0.5, 3),
    );
    assert.ok(near(await valueNow(page), 50, 1));
    await handle(page).focus();
    await page.keyboard.press("ArrowDown");
    await until(
        () => valueNow(page),
        (now) => near(now, 48, 1),
    );
    await page.keyboard.press("ArrowUp");
    await until(
        () => valueNow(page),
        (now) => near(now, 50, 1),
    );
    await page.keyboard.press("Home");
    await until(
        () => valueNow(page),
        (now) => now === 10,
    );
    await page.keyboard.press("End");
    await until(
        () => valueNow(page),
        (now) => now === 80,
    );
    // Something is left of the timeline.
    assert.ok((await page.$eval("#timeline", (box) => box.clientHeight)) >= 60);
    await page.keyboard.press("Enter");
    await until(
        () => valueNow(page),
        (now) => now === 0,
    );
});

onPage("a double click on edge, row or tab folds the drawer to its tabs, another unfolds it; so does a button", {}, async (page) => {
    await openCorpus(page, "threaded");
    const folded = (wanted) =>
        until(
            () => page.isVisible("#panel"),
            (seen) => seen !== wanted,
        );
    for (const place of ["[role=separator]", ".tab-row", "#tab-gc"]) {
        const double = async () => {
            await page.waitForTimeout(600);
            if (place === ".tab-row") await page.dblclick("#drawer .tab-row", { position: { x: 900, y: 15 } });
            else await page.dblclick(`#drawer ${place}`, { force: true });
        };
        await double();
        await folded(true);
        assert.ok((await height(page)) < 45, place);
        await double();
        await folded(false);
    }
    await page.click("#drawer .fold");
    await folded(true);
    assert.equal(await page.getAttribute("#drawer .fold", "aria-expanded"), "false");
    // Choosing a tab scrolls it into view.
    await page.waitForTimeout(600);
    await page.click("#tab-summary");
    await folded(false);
});

onPage("height, fold and tab are remembered", { restarts: true }, async (page) => {
    await openCorpus(page, "threaded");
    await chooseTab(page, "process");
    await handle(page).focus();
    for (let press = 0; press < 5; press++) await page.keyboard.press("ArrowUp");
    await until(
        () => valueNow(page),
        (now) => near(now, 40, 1),
    );
    await page.reload();
    await openCorpus(page, "threaded");
    assert.ok(near(await valueNow(page), 40, 1));
    assert.equal((await chosen(page)).name, "Process");
    await page.click("#drawer .fold");
    await page.reload();
    await openCorpus(page, "threaded");
    assert.equal(await valueNow(page), 0);
    assert.ok(await page.isHidden("#panel"));
});

for (const [what, script] of Object.entries({
    "there is no storage": 'Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } })',
    "what is remembered is nonsense": 'localStorage.setItem("ghc-eventlog-viewer.drawer", \'{"share":"x","folded":1,"tab":[]}\')',
})) {
    onPage(`if ${what}, the drawer looks as at first, and works`, { restarts: true }, async (page) => {
        await page.addInitScript(script);
        await page.reload();
        await openCorpus(page, "threaded");
        assert.equal(await valueNow(page), 30);
        assert.equal((await chosen(page)).name, "Findings");
        await chooseTab(page, "events");
        assert.equal((await chosen(page)).name, "Events");
    });
}

onPage("the panel of the selection is beside the timeline, only while something is selected; all times stay in view", {}, async (page) => {
    const { y, left, roles } = await opened(page);
    assert.ok(await page.isHidden("#details"));
    await page.mouse.click(left + roles.indexOf("running"), y);
    await page.waitForSelector("#details dl");
    const box = await page.locator("#details").boundingBox();
    assert.ok(box.width === 300 && box.x + box.width === 1280, JSON.stringify(box));
    assert.equal(await page.$eval("#canvas", (canvas) => canvas.getBoundingClientRect().right), 980);
    await view(page, isWhole);
    await page.click("#details [aria-label='Clear the selection']");
    await page.waitForSelector("#details", { state: "hidden" });
    await view(page, isWhole);
    assert.equal(await page.evaluate(() => document.activeElement.id), "timeline");
});

onPage("a click near the right edge keeps its part of the time in view, close up, too", {}, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 4);
    const before = await view(page, (seen) => width(seen) < 0.25);
    const { left, roles } = await lane(page, "Capability 0");
    const at = roles.lastIndexOf("running");
    assert.ok(left + at > 990);
    await page.mouse.click(left + at, y);
    await page.waitForSelector("#details dl");
    await page.waitForFunction(() => document.getElementById("canvas").getBoundingClientRect().right === 980);
    const seen = await shown(page);
    assert.ok(near(seen.from, before.from, 0.003) && near(seen.to, before.to, 0.003), JSON.stringify([before, seen]));
    const { fields } = await described(page, "#details");
    const share = readTime(fields.Start).ns / readTime(await page.textContent("#whole-name")).ns;
    assert.ok(seen.from < share && share < seen.to, JSON.stringify([seen, share]));
});

onPage("a range's chip moves no tab, in windows of any width", {}, async (page) => {
    const places = () => page.$$eval("#drawer [role=tab]", (all) => all.map((tab) => tab.getBoundingClientRect().toJSON()));
    const { y } = await opened(page);
    for (const size of [1280, 1000, 420]) {
        await page.setViewportSize({ width: size, height: 720 });
        await page.mouse.move(5, 5);
        await page.keyboard.press("Escape");
        await page.waitForSelector("#drawer .chip", { state: "detached" });
        const before = await places();
        await page.keyboard.press("r");
        const chip = await (await page.waitForSelector("#drawer .chip")).boundingBox();
        const after = await places();
        assert.deepEqual(
            after.map(({ x, y }) => [x, y]),
            before.map(({ x, y }) => [x, y]),
            `${size} pixels`,
        );
        assert.ok(chip.x >= 0 && chip.x + chip.width <= size, JSON.stringify(chip));
        assert.ok(chip.y < y + 720);
    }
});

onPage(
    "the panel shows track, start, end and duration, steps to its neighbours, and copies",
    { permissions: ["clipboard-read", "clipboard-write"] },
    async (page) => {
        const [first, second] = readCorpus("threaded").lanes.get(0);
        await opened(page);
        const { title, fields } = await press(page, ".");
        assert.equal(fields.Track, "Capability 0");
        assert.ok(tells(fields.Start, first.start) && tells(fields.End, first.end) && tells(fields.Duration, first.end - first.start));
        assert.deepEqual(Object.keys(fields).indexOf("End"), Object.keys(fields).indexOf("Start") + 1);
        await page.click("#details button:text('copy')");
        await until(
            () => page.textContent("#announcer"),
            (text) => text === "copied",
        );
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(copied.split("\n")[0], title);
        assert.ok(copied.includes(`\nStart\t${fields.Start}\n`), copied);
        await page.click("#details button:text('next')");
        await until(
            () => described(page, "#details"),
            ({ fields }) => tells(fields.Start, second.start),
        );
        await page.click("#details button:text('previous')");
        await until(
            () => described(page, "#details"),
            ({ fields }) => tells(fields.Start, first.start),
        );
    },
);

onPage("in a narrow window it is a sheet over the drawer", { viewport: { width: 420, height: 800 } }, async (page) => {
    await openCorpus(page, "threaded");
    const before = await page.$eval("#timeline", (box) => box.clientWidth);
    await press(page, ".");
    await page.waitForSelector("#details dl");
    const [sheet, drawer] = [await page.locator("#details").boundingBox(), await page.locator("#drawer").boundingBox()];
    assert.ok(sheet.x === 0 && sheet.width === 420 && near(sheet.y + sheet.height, 800, 1), JSON.stringify(sheet));
    assert.ok(near(drawer.y + drawer.height, 800, 1));
    assert.equal(await page.$eval("#timeline", (box) => box.clientWidth), before);
});

// A window of 1280 × 800 at 200 %, a smaller one, and one that is hardly higher than wide.
for (const viewport of [
    { width: 640, height: 400 },
    { width: 640, height: 320 },
    { width: 420, height: 500 },
]) {
    const { width, height } = viewport;
    onPage(`in a window of ${width} × ${height} pixels, the sheet covers nothing of the selected row`, { viewport }, async (page) => {
        await openCorpus(page, "returned");
        /** Where the selected row ends, and where the sheet begins. */
        const places = () =>
            page.evaluate(() => {
                const row = document.querySelector('#headers [aria-current="true"]')?.getBoundingClientRect();
                const { top } = document.getElementById("details").getBoundingClientRect();
                return { name: document.querySelector("#details dd")?.textContent, from: row?.top, to: row?.bottom, sheet: top };
            });
        const isSeen = ({ from, to, sheet }) => from >= 0 && to <= sheet + 1 && sheet > 0;
        await page.focus("#timeline");
        await page.keyboard.press(".");
        await page.waitForSelector("#details dl");
        await until(places, isSeen);
        for (let row = 0; row < 4; row++) {
            const { name } = await places();
            await page.keyboard.press("Shift+ArrowDown");
            await until(places, (seen) => seen.name !== name && isSeen(seen));
        }
        // Also after the page has been scrolled.
        await page.mouse.move(300, 5);
        await page.evaluate(() => scrollTo(0, 0));
        await page.keyboard.press("Shift+ArrowUp");
        await until(places, isSeen);
        // And where nothing is below the timeline.
        await page.keyboard.press("Escape");
        await page.locator("#drawer .fold").click();
        await page.evaluate(() => scrollTo(0, 0));
        await page.focus("#timeline");
        await page.keyboard.press(".");
        await until(places, isSeen);
    });
}

onPage("a tab under the pointer does not look like the open one", {}, async (page) => {
    await openCorpus(page, "threaded");
    const look = (tab) =>
        page.$eval(`#tab-${tab}`, (button) => {
            const { borderTopColor, textDecorationLine, fontWeight } = getComputedStyle(button);
            return { line: borderTopColor, under: textDecorationLine, weight: fontWeight };
        });
    const [open, other] = [await look("summary"), await look("heap")];
    await page.hover("#tab-heap");
    const hovered = await look("heap");
    assert.deepEqual(hovered, { ...other, under: "underline" });
    assert.ok(hovered.line !== open.line && hovered.weight !== open.weight, JSON.stringify([hovered, open]));
    await page.hover("#tab-summary");
    assert.deepEqual(await look("summary"), open);
});

onPage("the range has a chip that shows its ends and its length, zooms to it and clears it", {}, async (page) => {
    const { y } = await opened(page);
    assert.equal(await page.$("#drawer .chip"), null);
    await select(page, LEFT + 265, LEFT + 530, y);
    const text = (await page.textContent("#drawer .chip")).replace(/\s+/g, " ").trim();
    assert.match(text, /^\d\.\d\d?–1\d\.\d\d? ms · \d\.\d+ ms ×$/);
    await page.click("#drawer .chip .range");
    const seen = await view(page, (seen) => !isWhole(seen));
    assert.ok(near(width(seen), 0.25 * 1.04, 0.003), JSON.stringify(seen));
    await page.click("#drawer .chip [aria-label='Clear the range']");
    await page.waitForSelector("#drawer .chip", { state: "detached" });
    await page.waitForFunction(() => document.querySelector("#summary h2").textContent === "Summary");
    assert.equal(await page.evaluate(() => document.activeElement.id), "timeline");
    await state(page, "ready");
});

onPage("figures come after the tracks are drawn, in a task of their own; until then the panel is busy", {}, async (page) => {
    await page.evaluate(() => {
        window.drawings = [];
        const { drawImage } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.drawImage = function (...args) {
            const [figures, busy] = [document.querySelectorAll("#summary dd").length, document.getElementById("panel").ariaBusy];
            if (this.canvas.id === "canvas") window.drawings.push({ figures, busy });
            return drawImage.apply(this, args);
        };
    });
    await openCorpus(page, "threaded");
    assert.deepEqual(await page.evaluate(() => window.drawings[0]), { figures: 0, busy: "true" });
    assert.ok((await page.locator("#summary dd").count()) > 20);
    assert.equal(await page.getAttribute("#panel", "aria-busy"), null);
});

onPage("the facts about a log go as soon as the log does", {}, async (page) => {
    await openCorpus(page, "threaded");
    await page.evaluate(() => {
        window.mixed = [];
        const look = () => {
            const [program, figures] = [document.getElementById("program").textContent, document.getElementById("summary").textContent];
            if (program === "single") window.mixed.push(figures.includes("cap 2"));
            requestAnimationFrame(look);
        };
        look();
    });
    await openCorpus(page, "single");
    const mixed = await until(
        () => page.evaluate(() => window.mixed),
        (seen) => seen.length > 2,
    );
    assert.ok(
        mixed.every((was) => !was),
        String(mixed),
    );
});

onPage("a folded panel is not rendered, and keeps its scrolling when it is unfolded", {}, async (page) => {
    await openCorpus(page, "threaded");
    const parts = () => page.locator("#panel :is(dl, table)").count();
    const scrolled = () => page.$eval("#panel", (panel) => panel.scrollTop);
    await page.$eval("#panel", (panel) => (panel.scrollTop = 60));
    assert.ok((await parts()) > 3);
    await page.click("#drawer .fold");
    await until(parts, (count) => count === 0);
    await page.click("#drawer .fold");
    await until(parts, (count) => count > 3);
    assert.equal(await scrolled(), 60);
    // The panel of a tab that is not chosen is not rendered either, nor is its scrolling kept.
    await page.click("#drawer .fold");
    await until(parts, (count) => count === 0);
    await page.click("#tab-events");
    await until(parts, (count) => count > 0);
    assert.equal(await page.locator("#summary dl").count(), 0);
    assert.equal(await scrolled(), 0);
});

onPage("GC time with censuses of a heap profile says that it includes them", {}, async (page) => {
    await openCorpus(page, "heap-closure");
    await chooseTab(page, "gc");
    await until(
        () => page.innerText("#panel .remark"),
        (text) => text.startsWith("The GC time includes the censuses of the heap profile, as the runtime's own figure does."),
    );
    await openCorpus(page, "threaded");
    // Without censuses, it says why productivity is not what +RTS -s prints.
    await until(
        () => page.innerText("#panel .remark"),
        (text) => text.startsWith("Productivity is of elapsed time"),
    );
    assert.match(await page.innerText("#panel"), /GC time/);
});
