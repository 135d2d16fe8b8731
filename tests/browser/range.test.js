// Selecting a range of time.

import assert from "node:assert/strict";
import { onPage } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { described, lane, readTime, select, stretch, tells, until } from "./support/see.js";
import { LEFT, WIDTH, isWhole, middle, near, opened, view, width } from "./support/view.js";
import { whole } from "../../web/js/viewport.js";

const { length: LENGTH, lanes, collections } = readCorpus("threaded");

/** The place where the log begins on the page, when all of it is in view. */
const START = Math.round(LEFT + (WIDTH * 0.02) / 1.04);

/** The places of the edges of a selected range: lines through all tracks. */
async function edges(page) {
    const { left, roles } = await lane(page, "Capability 0");
    return roles.flatMap((role, at) => (role === "accent" ? [left + at] : []));
}

onPage("a drag selects a range and says how long it is", {}, async (page) => {
    const { y } = await opened(page);
    await select(page, 500, 800, y);
    const [text] = (await page.textContent("#announcer")).split(" selected");
    assert.ok(near(readTime(text).ns, (300 / WIDTH) * LENGTH * 1.04, LENGTH / 500), text);
    await page.mouse.move(640, 5);
    assert.deepEqual(
        await until(
            () => edges(page),
            (lines) => lines.length === 2,
        ),
        [500, 799],
    );
});

onPage("a drag to the left is the same as one to the right", {}, async (page) => {
    const { y } = await opened(page);
    await select(page, 500, 800, y);
    const text = await page.textContent("#announcer");
    await select(page, 800 + 250, 500 + 250, y);
    assert.equal(await page.textContent("#announcer"), text);
});

onPage("Enter zooms to a selected range", {}, async (page) => {
    const { y } = await opened(page);
    await select(page, LEFT + 265, LEFT + 530, y);
    await page.keyboard.press("Enter");
    const seen = await view(page, (seen) => !isWhole(seen));
    assert.ok(near(seen.from, 0.24, 0.003) && near(seen.to, 0.5, 0.003), JSON.stringify(seen));
});

onPage("F shows a selected range with a margin", {}, async (page) => {
    const { y } = await opened(page);
    await select(page, LEFT + 265, LEFT + 530, y);
    await page.keyboard.press("f");
    const seen = await view(page, (seen) => !isWhole(seen));
    assert.ok(seen.from < 0.235 && seen.to > 0.505 && width(seen) < 0.4, JSON.stringify(seen));
});

onPage("both edges of a range can be dragged", {}, async (page) => {
    const { y } = await opened(page);
    await select(page, 500, 800, y);
    await select(page, 800, 900, y);
    await page.mouse.move(640, 5);
    assert.deepEqual(
        await until(
            () => edges(page),
            (lines) => lines[1] !== 799,
        ),
        [500, 899],
    );
    await select(page, 500, 400, y);
    await page.mouse.move(640, 5);
    assert.deepEqual(
        await until(
            () => edges(page),
            (lines) => lines[0] !== 500,
        ),
        [400, 899],
    );
});

onPage("Esc clears a range: Enter has nothing to zoom to then", {}, async (page) => {
    const { y } = await opened(page);
    await select(page, 500, 800, y);
    await page.mouse.move(640, 5);
    await page.keyboard.press("Escape");
    await until(
        () => edges(page),
        (lines) => lines.length === 0,
    );
    assert.equal(await page.textContent("#announcer"), "");
    await page.keyboard.press("Enter");
    // A later key has its effect on the whole log, not on a part of it.
    await page.keyboard.press("w");
    assert.ok(near(middle(await view(page, (seen) => !isWhole(seen))), 0.5, 0.005));
});

onPage("a range ends where the log does, however far it is dragged", {}, async (page) => {
    const { y } = await opened(page);
    await select(page, 500, 60, y);
    await page.mouse.move(640, 5);
    assert.deepEqual(
        await until(
            () => edges(page),
            (lines) => lines.length === 2,
        ),
        [START, 499],
    );
    // Keys do not move its end beyond the log's either.
    const text = await page.textContent("#announcer");
    await page.keyboard.press("Alt+Shift+ArrowLeft");
    assert.equal(await page.textContent("#announcer"), text);
});

onPage("R without a selected span selects the log's part of the view; a drag beside the log selects nothing", {}, async (page) => {
    const { y } = await opened(page);
    await page.keyboard.press("r");
    const text = await until(
        () => page.textContent("#announcer"),
        (text) => text.endsWith("selected"),
    );
    assert.ok(tells(text, LENGTH), text);
    await page.mouse.move(LEFT + 2, y);
    await page.mouse.down();
    await page.mouse.move(LEFT + 12, y);
    await page.mouse.up();
    await until(
        () => page.textContent("#announcer"),
        (text) => text === "",
    );
    await page.mouse.move(640, 5);
    await until(
        () => edges(page),
        (lines) => lines.length === 0,
    );
});

onPage("R, F and Enter right after a click or a step use what that selects", {}, async (page) => {
    const { y } = await opened(page);
    const [first, second] = lanes.get(0);
    // All in one task: no answer comes in between.
    const keys = (...codes) =>
        page.evaluate((codes) => {
            for (const code of codes) document.body.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true }));
        }, codes);
    for (const { start, end } of [first, second]) {
        await keys("Period", "KeyR");
        await until(
            () => page.textContent("#announcer"),
            (text) => text.endsWith("selected") && tells(text, end - start),
        );
    }
    await keys("Escape");
    // The panel of the selection makes way for the tracks, which become wider.
    await page.waitForSelector("#details", { state: "hidden" });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const { from, to } = await stretch(page, "Capability 0", "running");
    await page.evaluate(
        ({ x, y }) => {
            const box = document.getElementById("timeline");
            box.setPointerCapture = () => {};
            for (const type of ["pointerdown", "pointerup"]) {
                box.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, button: 0, pointerType: "mouse" }));
            }
            for (const code of ["KeyR", "Enter"]) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true }));
            }
        },
        { x: (from + to) / 2, y },
    );
    const seen = await view(page, (seen) => !isWhole(seen));
    const { fields } = await described(page, "#details");
    assert.ok(near(width(seen), readTime(fields.Duration).ns / LENGTH, 0.003), JSON.stringify([seen, fields]));
});

onPage("Esc right after R leaves no range", {}, async (page) => {
    await opened(page);
    await page.evaluate(() => {
        for (const code of ["Period", "KeyR", "Escape"]) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true }));
        }
    });
    await page.waitForTimeout(200);
    await page.mouse.move(640, 5);
    assert.deepEqual(await edges(page), []);
});

/** The summary's heading, and the durations in its table and of its collections, row by row. */
async function summary(page) {
    return page.$eval("#summary", (summary) => {
        const text = (cell) =>
            cell.firstElementChild?.matches(".share")
                ? cell.textContent.replace(cell.firstElementChild.textContent, "").trim()
                : cell.textContent.trim();
        const rows = [...summary.querySelectorAll("table[aria-label=Capabilities] tbody tr")];
        const list = summary.querySelector("[aria-label='Garbage collection'] dl");
        const figures = Object.fromEntries(
            [...list.querySelectorAll("dt")].map((term) => [term.textContent, term.nextElementSibling.textContent.trim()]),
        );
        const isSettled = summary.querySelector("[aria-busy=true]") === null;
        return {
            heading: isSettled ? summary.querySelector("h2").textContent : "",
            // The last columns are the time known about each, and its allocation.
            times: [
                ...rows.map((row) => [...row.querySelectorAll("td")].slice(0, -2).map(text)),
                [figures["Minor GC"], figures["Major GC"]],
            ],
            shares: [...summary.querySelectorAll(".share")].map((share) => share.textContent),
            names: [...rows.map((row) => row.firstElementChild.textContent), `Collections (${figures.Collections})`],
        };
    });
}

/** The summary, once it is about the current range, not one during the drag. */
async function ofSelection(page) {
    const spoken = await page.textContent("#announcer");
    return until(
        () => summary(page),
        ({ heading }) => heading === `Summary of ${spoken}`,
    );
}

onPage("a range over the whole log has the whole log's totals, and Escape brings those back", {}, async (page) => {
    const { y } = await opened(page);
    const before = await until(
        () => summary(page),
        ({ heading }) => heading === "Summary",
    );
    await select(page, LEFT + 2, LEFT + WIDTH - 2, y);
    const selected = await ofSelection(page);
    assert.deepEqual(selected.times, before.times);
    assert.deepEqual(selected.shares, before.shares, "what is selected beside the log does not count");
    assert.match(selected.names.at(-1), /^Collections \(\d+\)$/);
    await page.keyboard.press("Escape");
    assert.deepEqual(
        await until(
            () => summary(page),
            ({ heading }) => heading === "Summary",
        ),
        before,
    );
});

onPage("a selection's totals are what the log says", {}, async (page) => {
    const { y } = await opened(page);
    const all = whole([0, LENGTH]);
    for (const [x1, x2] of [
        [500, 800],
        [333, 334 + 4],
        [700, 1200],
    ]) {
        await select(page, x1, x2, y);
        const { times, names } = await ofSelection(page);
        const [from, to] = [x1, x2].map((x) => all.from + ((x - LEFT) / WIDTH) * (all.to - all.from));
        const inside = (spans) => {
            return spans.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
        };
        const assertTells = (texts, groups) => {
            assert.equal(texts.length, groups.length);
            texts.forEach((text, at) => {
                const ns = inside(groups[at]);
                // The edge may cut each span across it a nanosecond off.
                assert.ok(tells(text, ns) || Math.abs(readTime(text).ns - ns) < 3, `${text} is not ${ns} ns`);
            });
        };
        for (const [cap, spans] of lanes) {
            const states = ["running", "GC working", "GC wait", "GC sync"];
            const groups = states.map((state) => spans.filter((span) => span.state === state));
            const told = times[names.indexOf(`cap ${cap}`)];
            assertTells(told.slice(0, -1), groups);
            // Time between spans is idle; before the first and after the last one, little is known.
            const [first, last] = [Math.max(from, spans[0].start), Math.min(to, spans.at(-1).end)];
            const [busy, idle] = [inside(spans), readTime(told.at(-1))];
            const most = Math.min(to, LENGTH) - Math.max(from, 0) - busy;
            assert.ok(idle.ns >= last - first - busy - idle.step - 3 && idle.ns <= most + idle.step, `${idle.ns}, ${most}`);
        }
        const major = collections.filter(({ generation }) => generation > 0);
        const minor = collections.filter(({ generation }) => generation === 0);
        assertTells(times.at(-1), [minor, major]);
        const begun = collections.filter(({ start }) => from <= start && start < to).length;
        assert.equal(names.at(-1), `Collections (${begun})`);
        await page.keyboard.press("Escape");
        await until(
            () => summary(page),
            ({ heading }) => heading === "Summary",
        );
    }
});

onPage("a selection's totals are those of its parts", {}, async (page) => {
    const { y } = await opened(page);
    const totals = async (from, to) => {
        await select(page, from, to, y);
        await page.mouse.move(640, 5);
        const { times, names } = await ofSelection(page);
        await page.keyboard.press("Escape");
        await until(
            () => summary(page),
            ({ heading }) => heading === "Summary",
        );
        const collections = Number(
            names
                .at(-1)
                .match(/\((.*)\)/)[1]
                .replace(/\D/g, ""),
        );
        return [...times.flat().map((text) => readTime(text)), { ns: collections, step: 0 }];
    };
    const [all, left, right] = [await totals(400, 900), await totals(400, 650), await totals(650, 900)];
    assert.ok(all.some(({ ns }) => ns > 0));
    all.forEach((whole, at) => {
        const parts = left[at].ns + right[at].ns;
        const rounding = whole.step + left[at].step + right[at].step;
        assert.ok(Math.abs(whole.ns - parts) <= rounding, `figure ${at}: ${whole.ns} is not ${parts}`);
    });
});
