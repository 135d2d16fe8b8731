// The time of day: on the axis, in tooltips, tables and copies; and going to a moment.

import assert from "node:assert/strict";
import { choose, file, onPage, openCorpus, state } from "./support/page.js";
import { writeCollections } from "./support/eventlog.js";
import { described, until } from "./support/see.js";
import { isWhole, opened, view } from "./support/view.js";

/** The log was written in the Indian time zone, 5 h 30 min from UTC. */
const INDIA = { timezoneId: "Asia/Kolkata", permissions: ["clipboard-read", "clipboard-write"] };

/** The texts that are painted onto the timeline and the strip. */
async function painted(page, act) {
    await page.evaluate(() => {
        window.painted_ = [];
        const { fillText } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
            window.painted_.push([this.canvas.id, text]);
            return fillText.call(this, text, ...rest);
        };
    });
    await act();
    await page.waitForTimeout(300);
    return page.evaluate(() => window.painted_);
}

onPage("a tooltip is written by the new clock at once", INDIA, async (page) => {
    await opened(page);
    const { y, height } = await page.locator("#headers .track", { hasText: "Capability 0" }).boundingBox();
    await page.mouse.move(700, y + height / 2);
    const start = (wanted) =>
        until(
            () => described(page, "#tooltip").catch(() => ({ fields: {} })),
            ({ fields }) => fields.Start && wanted.test(fields.Start),
        );
    await start(/ [mµn]?s$/);
    await page.keyboard.press("c");
    await start(/^15:51:0/);
    await page.keyboard.press("c");
    await start(/^10:21:0/);
    assert.match(await page.textContent("#facts"), /\d 10:21:0\d UTC/);
    await page.keyboard.press("c");
    await start(/ [mµn]?s$/);
    assert.match(await page.textContent("#facts"), /\d 15:51:0\d(?! UTC)/);
});

onPage(
    "the clock is shown on the axis, in details, tables and the chip of a range; it is remembered",
    { restarts: true, ...INDIA },
    async (page) => {
        await opened(page);
        const button = page.locator("#clock");
        assert.equal(await button.textContent().then((text) => text.trim()), "from start");
        await page.keyboard.press(".");
        await page.waitForSelector("#details dl");
        const since = (await described(page, "#details")).fields.Start;
        assert.match(since, / [mµn]?s$/);
        const texts = await painted(page, () => button.click());
        assert.equal((await button.textContent()).trim(), "local time");
        for (const canvas of ["canvas", "overview"]) {
            assert.ok(
                texts.some(([on, text]) => on === canvas && /^15:51:0\d\.\d/.test(text)),
                `${canvas}: ${JSON.stringify(texts.slice(0, 30))}`,
            );
        }
        assert.match((await described(page, "#details")).fields.Start, /^15:51:0\d\.[\d\u202f]+$/);
        await page.keyboard.press("r");
        assert.match(await page.textContent("#drawer .chip"), /15:51:0\d\.[\d\u202f]+–15:51:0\d\.[\d\u202f]+ ·/);
        await page.keyboard.press("c");
        await until(
            () => described(page, "#details"),
            ({ fields }) => fields.Start.startsWith("10:21:0"),
        );
        assert.match(await page.textContent("#noted"), /UTC/);
        await page.reload();
        await openCorpus(page, "threaded");
        assert.equal((await button.textContent()).trim(), "UTC");
        await page.click("#tab-threads");
        await page.waitForFunction(() => /10:21:0\d\.\d/.test(document.querySelector("#panel .tab-panel log-table")?.textContent ?? ""));
        const copy = page.locator("#panel .tab-panel log-table").first();
        await copy.locator(".copy").click();
        await page.waitForFunction(() => /copied/.test(document.getElementById("announcer").textContent));
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(copied, /\(UTC\)/);
        assert.match(copied, /\t2026-11-\d\d 10:21:0\d\.\d{9}\t/);
        await page.keyboard.press("c");
    },
);

onPage("a log without the time of day says so, and shows times since its start", {}, async (page) => {
    await choose(page, file("collections.eventlog", writeCollections(50)));
    await state(page, "ready");
    const button = page.locator("#clock");
    assert.equal(await button.getAttribute("aria-disabled"), "true");
    assert.match(await button.getAttribute("title"), /no WALL_CLOCK_TIME event/);
    await button.click({ force: true });
    await page.waitForFunction(() => /does not say at which time of day/.test(document.getElementById("noted").textContent));
    assert.equal((await button.textContent()).trim(), "from start");
});

onPage("G goes to a moment, since the start or by the clock", INDIA, async (page) => {
    await opened(page);
    const go = async (text) => {
        await page.keyboard.press("g");
        await page.waitForSelector("#go[open]");
        await page.keyboard.type(text);
        await page.keyboard.press("Enter");
    };
    await go("15.2 ms");
    await page.waitForSelector("#go:not([open])", { state: "attached" });
    const near = await view(page, (seen) => !isWhole(seen));
    assert.ok(near.from < 0.5 && near.to > 0.5, JSON.stringify(near));
    assert.equal(await page.evaluate(() => document.activeElement.id), "timeline");
    await page.keyboard.press("0");
    await view(page, isWhole);
    // The keys of the timeline do nothing while one types.
    await go("what");
    await page.waitForFunction(() => /not a moment/.test(document.getElementById("go-trouble").textContent));
    await page.keyboard.press("Escape");
    await page.waitForSelector("#go:not([open])", { state: "attached" });
    assert.ok(isWhole(await view(page, isWhole)));
    await go("11:00");
    await page.waitForFunction(() => /not in the log: it is from 15:51:0/.test(document.getElementById("go-trouble").textContent));
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await page.keyboard.press(".");
    const { Start } = (
        await until(
            () => described(page, "#details").catch(() => null),
            (details) => details !== null,
        )
    ).fields;
    await go(Start);
    await page.waitForSelector("#go:not([open])", { state: "attached" });
    const seen = await view(page, (seen) => !isWhole(seen));
    assert.ok(seen.from < 0.02, JSON.stringify(seen));
});

onPage("a time of day in the search field can be gone to, and searches begin and end at it", INDIA, async (page) => {
    await openCorpus(page, "threaded");
    await view(page, isWhole);
    await page.keyboard.press("c");
    const clock = (await page.textContent("#facts")).match(/\d\d:\d\d:\d\d/)[0];
    await page.keyboard.press("/");
    await page.keyboard.type(clock);
    const first = page.locator("#suggestions li").first();
    await until(
        () => first.textContent(),
        (text) => text.startsWith(`Go to ${clock}`),
    );
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await view(page, (seen) => !isWhole(seen));
    const count = async (query) => {
        await page.keyboard.press("/");
        await page.keyboard.type(query);
        await page.keyboard.press("Enter");
        const said = await until(
            () => page.textContent("#search-status"),
            (text) => /\d hits?$/.test(text),
        );
        await page.keyboard.press("Escape");
        return Number(/([\d\u202f]+) hits?$/.exec(said)[1].replace(/\D/g, ""));
    };
    const [hours, minutes] = clock.split(":").map(Number);
    const next = `${hours}:${String(minutes + 1).padStart(2, "0")}`;
    const all = await count("type:GC");
    assert.ok(all > 0);
    assert.deepEqual([await count(`type:GC to:${next}`), await count(`type:GC from:${next}`)], [all, 0]);
});
