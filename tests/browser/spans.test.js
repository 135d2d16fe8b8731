// Exact spans: the page's details of them, compared with a second reader of the same file.

import { describe } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { corpus, onPage, openCorpus } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { described, lane, press, scale, stretch, tablesSettled, tells, tracks, until, walk } from "./support/see.js";

/** Compares a description with a span of a lane. */
function isSpan({ title, fields }, span, labels) {
    const label = labels.get(span.thread);
    const told = JSON.stringify({ title, fields });
    // The fields do not repeat the title.
    assert.equal(fields.State, title === span.state ? undefined : span.state, told);
    assert.ok(tells(fields.Start, span.start), `${told} starts at ${span.start}`);
    assert.ok(tells(fields.Duration, span.end - span.start), `${told} takes ${span.end - span.start}`);
    assert.equal(fields.Ended, span.ended, told);
    assert.equal(fields.Thread, label ? String(span.thread) : undefined, told);
    assert.equal(fields.Label, label, told);
    if (span.thread !== undefined) assert.equal(title, label ? `${span.thread} ${label}` : `thread ${span.thread}`);
}

/** Goes along Capability 0 to a span, and fits it. */
async function fit(page, at) {
    await walk(page, "Period", at + 1);
    await page.keyboard.press("f");
    await until(
        () => stretch(page, "Capability 0", "running"),
        ({ from, to }) => to - from > 600,
    );
}

for (const name of ["threaded", "single", "blocked-threads"]) {
    const { labels, lanes, collections } = readCorpus(name);

    onPage(`${name}: . visits every span of Capability 0, with the details from the file`, {}, async (page) => {
        await openCorpus(page, name);
        const spans = lanes.get(0);
        assert.ok(spans.length > 40);
        const told = await walk(page, "Period", spans.length);
        spans.forEach((span, at) => isSpan(told[at], span, labels));
        // There is none after the last: the one before it is still one step back.
        await page.keyboard.press(".");
        isSpan(await press(page, ","), spans.at(-2), labels);
    });

    onPage(`${name}: every collection is listed, with its generation and its pause`, {}, async (page) => {
        await openCorpus(page, name);
        const { y } = await lane(page, "Collections");
        const { from, to } = await widest(page);
        await page.mouse.click((from + to) / 2, y);
        await page.waitForSelector("#details dl");
        const { fields } = await described(page, "#details");
        const at = collections.findIndex(({ start }) => tells(fields.Start, start));
        assert.ok(at >= 0, JSON.stringify(fields));
        const back = await walk(page, "Comma", at);
        const forth = await walk(page, "Period", collections.length - 1);
        const isCollection = (told, { start, end, generation, cap }) => {
            assert.ok(tells(told.fields.Start, start) && tells(told.fields.Pause, end - start), JSON.stringify(told));
            assert.equal(told.fields.Generation, String(generation));
            assert.equal(told.fields["Collected by"], `cap ${cap}`);
        };
        back.forEach((told, step) => isCollection(told, collections[at - step - 1]));
        forth.forEach((told, step) => isCollection(told, collections[step + 1]));
    });

    onPage(`${name}: headers and table sum the spans up`, {}, async (page) => {
        await openCorpus(page, name);
        const expected = readFileSync(corpus(name).replace("log.eventlog", "expected.txt"), "utf8");
        await tablesSettled(page);
        const notes = Object.fromEntries(
            await until(
                () => tracks(page),
                (rows) => rows.length > 0,
            ),
        );
        for (const [cap, spans] of lanes) {
            const [, share] = new RegExp(`^Capability ${cap} \\(([\\d.]+) %\\)`, "m").exec(expected);
            assert.ok(
                Math.abs(Number.parseFloat(notes[`Capability ${cap}`]) - share) <= 0.051,
                `${notes[`Capability ${cap}`]} is not ${share}`,
            );
            const cells = await page.$$eval(
                "#summary th",
                (heads, name) => {
                    const table = heads.find((head) => head.textContent === name).closest("table");
                    const states = [...table.querySelectorAll("thead th")].map((head) => head.textContent.trim());
                    const row = [...table.querySelectorAll("tbody tr")].find((row) => row.firstElementChild.textContent === name);
                    return Object.fromEntries([...row.children].map((cell, at) => [states[at], cell.textContent]));
                },
                `cap ${cap}`,
            );
            for (const [state, head] of [["running", "Running"], ...["GC working", "GC wait", "GC sync"].map((name) => [name, name])]) {
                const own = spans.filter((span) => span.state === state);
                const total = own.reduce((sum, { start, end }) => sum + end - start, 0);
                assert.ok(tells(cells[head].replace(/ [<>\d. ]+%$/, ""), total), `${state}: ${cells[head]} is not ${total} ns`);
            }
        }
        assert.equal(notes.Collections.split(" · ")[0], String(collections.length));
        assert.ok(tells(notes.Collections.split("max ")[1], Math.max(...collections.map(({ start, end }) => end - start))));
    });
}

/** The widest visible collection. */
async function widest(page) {
    const found = await until(
        () => Promise.all(["gc-working", "gc-major"].map((role) => stretch(page, "Collections", role))),
        (stretches) => stretches.some(({ from, to }) => to - from > 3),
    );
    return found.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
}

describe("one span, zoomed in", () => {
    const { labels, lanes } = readCorpus("threaded");
    const spans = lanes.get(0);
    // A short one, and a long one that a name fits in; both of threads with labels.
    const labelled = spans.filter(({ thread }) => labels.has(thread)).toSorted((a, b) => a.end - a.start - (b.end - b.start));
    const [short, long] = [labelled.find(({ start, end }) => end - start > 1500), labelled.at(-1)];

    for (const span of [short, long]) {
        const length = span.end - span.start;

        onPage(`the tooltip describes a span of ${length} ns exactly`, {}, async (page) => {
            await openCorpus(page, "threaded");
            await fit(page, spans.indexOf(span));
            const { y } = await lane(page, "Capability 0");
            const { from, to } = await stretch(page, "Capability 0", "running");
            for (const x of [from + 2, (from + to) / 2, to - 3]) {
                await page.mouse.move(x, y + 40);
                await page.mouse.move(x, y);
                await page.waitForSelector("#tooltip", { state: "visible" });
                isSpan(await described(page, "#tooltip"), span, labels);
            }
        });

        onPage(`a span of ${length} ns is drawn from its start to its end`, {}, async (page) => {
            await openCorpus(page, "threaded");
            await fit(page, spans.indexOf(span));
            await page.keyboard.press("Escape");
            const { from, to } = await stretch(page, "Capability 0", "running");
            const perPixel = await scale(page);
            assert.ok(Math.abs(to - from - length / perPixel) <= 3, `${to - from} pixels of ${perPixel} ns`);
        });
    }

    onPage("a click selects a span: panel, outline and announcement show it", {}, async (page) => {
        await openCorpus(page, "threaded");
        await fit(page, spans.indexOf(long));
        await page.keyboard.press("Escape");
        await page.waitForSelector("#details dl", { state: "detached" });
        const { from, to } = await stretch(page, "Capability 0", "running");
        const { y } = await lane(page, "Capability 0");
        await page.mouse.click((from + to) / 2, y);
        await page.waitForSelector("#details dl");
        isSpan(await described(page, "#details"), long, labels);
        const spoken = await page.textContent("#announcer");
        assert.ok(spoken.startsWith(`Capability 0: ${long.thread} ${labels.get(long.thread)}, running, `), spoken);
        assert.ok(tells(spoken.split(", ").at(-1), long.end - long.start), spoken);
        assert.equal(await page.textContent('#headers [aria-current="true"] .name'), "Capability 0");
    });

    onPage("two quick presses move two spans, even if the first one has no answer yet", {}, async (page) => {
        await openCorpus(page, "threaded");
        await press(page, ".");
        await page.evaluate(() => {
            for (const code of ["Period", "Period"]) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true }));
            }
        });
        await until(
            () => described(page, "#details"),
            ({ fields }) => tells(fields.Start, spans[2].start),
        );
    });

    onPage("a click where nothing is selects nothing", {}, async (page) => {
        await openCorpus(page, "threaded");
        await press(page, ".");
        const { y } = await lane(page, "Capability 0");
        // The margin before the log's start.
        await page.mouse.click(224, y);
        await page.waitForSelector("#details dl", { state: "detached" });
        assert.equal(await page.textContent("#announcer"), "");
        await page.waitForSelector('#headers [aria-current="true"]', { state: "detached" });
    });

    onPage("the tooltip goes when the pointer leaves the span or the timeline", {}, async (page) => {
        await openCorpus(page, "threaded");
        await fit(page, spans.indexOf(long));
        const { from, to } = await stretch(page, "Capability 0", "running");
        const { y } = await lane(page, "Capability 0");
        for (const [x2, y2] of [
            [(from + to) / 2, 20],
            [(from + to) / 2, 700],
        ]) {
            await page.mouse.move((from + to) / 2, y);
            await page.waitForSelector("#tooltip", { state: "visible" });
            await page.mouse.move(x2, y2);
            await page.waitForSelector("#tooltip", { state: "hidden" });
        }
        // The header has its own.
        await page.mouse.move(100, y);
        await until(
            () => page.textContent("#tooltip strong"),
            (text) => text.startsWith("Capability 0: "),
        );
        assert.match(await page.textContent("#tooltip .colours"), /running.*GC working.*GC wait.*GC sync/);
    });

    onPage("stepping to a span outside of the view brings it into view", {}, async (page) => {
        await openCorpus(page, "threaded");
        await fit(page, spans.indexOf(short));
        const next = spans.findIndex(({ start }, at) => at > spans.indexOf(short) && start > short.end + 20 * (short.end - short.start));
        const told = await walk(page, "Period", next - spans.indexOf(short));
        isSpan(told.at(-1), spans[next], labels);
        const { y } = await lane(page, "Capability 0");
        // It is in the middle.
        await page.mouse.click(220 + (1280 - 300 - 220) / 2, y);
        await until(
            () => page.textContent("#announcer"),
            (text) => text !== "",
        );
        isSpan(await described(page, "#details"), spans[next], labels);
    });
});
