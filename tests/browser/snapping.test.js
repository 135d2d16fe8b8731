// The ends of a range snap to what begins or ends near them; and measuring from one span to another.

import assert from "node:assert/strict";
import { onPage } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { lane, readTime, tells, until } from "./support/see.js";
import { LEFT, WIDTH, opened, view, width } from "./support/view.js";
import { whole } from "../../web/js/viewport.js";

const { length: LENGTH, lanes } = readCorpus("threaded");

/** The spans of the first lane that are wide when all of the log is in view, with the places of their edges. */
const ALL = whole([0, LENGTH]);
const PIXEL = (ALL.to - ALL.from) / WIDTH;
const place = (time) => LEFT + (time - ALL.from) / PIXEL;
const WIDE = lanes.get(0).filter(({ start, end }) => end - start > 25 * PIXEL);

const spoken = (page) =>
    until(
        () => page.textContent("#announcer"),
        (text) => text.endsWith(" selected"),
    );

/** Drags in a row, and returns the length that is announced. */
async function drag(page, from, to, y) {
    await page.evaluate(() => (document.getElementById("announcer").textContent = ""));
    await page.mouse.move(from, y);
    await page.mouse.down();
    await page.mouse.move((from + to) / 2, y);
    await page.mouse.move(to, y);
    await page.mouse.up();
    return (await spoken(page)).replace(" selected", "");
}

/** Whether something is drawn in the colour of what is selected at a place. */
const accentAt = (page, x, y) =>
    page.evaluate(
        ({ x, y }) => {
            const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
            const canvas = document.getElementById("canvas");
            const box = canvas.getBoundingClientRect();
            const [r, g, b] = canvas.getContext("2d").getImageData(Math.round(x - box.left), Math.round(y - box.top), 1, 1).data;
            return [r, g, b].every((part, at) => part === Number.parseInt(accent.slice(1 + 2 * at, 3 + 2 * at), 16));
        },
        { x, y },
    );

/** Whether more than lines is drawn in that colour in a box. */
const accentAtAny = (page, { x, y, width, height }) =>
    page.evaluate(
        ({ x, y, width, height }) => {
            const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
            const wanted = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
            const canvas = document.getElementById("canvas");
            const box = canvas.getBoundingClientRect();
            const { data } = canvas.getContext("2d").getImageData(Math.round(x - box.left), Math.round(y - box.top), width, height);
            let found = 0;
            for (let at = 0; at < data.length; at += 4) found += wanted.every((part, add) => Math.abs(data[at + add] - part) < 8) ? 1 : 0;
            // The range's two ends are lines.
            return found > 2.5 * height;
        },
        { x, y, width, height },
    );

onPage("the ends of a dragged range snap to the span that begins and ends near them; with Alt they do not", {}, async (page) => {
    const { y } = await opened(page);
    const span = WIDE[0];
    assert.ok(span, "the lane has a wide span");
    const [from, to] = [place(span.start) + 3, place(span.end) - 3];
    const snapped = await drag(page, from, to, y);
    assert.ok(tells(snapped, span.end - span.start), `${snapped} is not ${span.end - span.start} ns`);
    await page.keyboard.press("Escape");
    await page.keyboard.down("Alt");
    const free = await drag(page, from, to, y);
    await page.keyboard.up("Alt");
    assert.ok(Math.abs(readTime(free).ns - (to - from) * PIXEL) < PIXEL, `${free} is not ${(to - from) * PIXEL} ns`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+R");
    assert.match(await page.textContent("#announcer"), /Snapping is off/);
    assert.equal(await drag(page, from, to, y), free);
});

onPage("a range snaps to the row under the pointer only, and a mark shows that it did", {}, async (page) => {
    const { y } = await opened(page);
    const other = await lane(page, "Activity");
    const span = WIDE[0];
    const [from, to] = [place(span.start) + 3, place(span.end) - 3];
    // The row "Activity" has no spans.
    const elsewhere = await drag(page, from, to, other.y);
    assert.ok(Math.abs(readTime(elsewhere).ns - (to - from) * PIXEL) < PIXEL, elsewhere);
    const top = (await page.locator("#timeline").boundingBox()).y + 28;
    assert.equal(await accentAt(page, Math.round(from) + 2, top), false);
    await page.keyboard.press("Escape");
    await drag(page, from, to, y);
    // The arrow below the axis is wider than the line of the range's end.
    await until(
        () => accentAt(page, Math.round(place(span.start)) - 2, top),
        (is) => is,
    );
    await until(
        () => accentAt(page, Math.round(place(span.end)) + 1, top),
        (is) => is,
    );
});

onPage("while a range is dragged, its length stands at the pointer, and goes when it is released", {}, async (page) => {
    const { y } = await opened(page);
    // Where the length stands, above the pointer: it is too short for the axis.
    const isThere = () => accentAtAny(page, { x: 765, y: y - 34, width: 80, height: 24 });
    await page.keyboard.down("Alt");
    await page.mouse.move(800, y);
    await page.mouse.down();
    await page.mouse.move(790, y);
    await page.mouse.move(806, y);
    await until(isThere, (is) => is);
    await page.mouse.up();
    await page.keyboard.up("Alt");
    await until(isThere, (is) => !is);
});

onPage("keys move an end of the range to what begins or ends on the way", {}, async (page) => {
    const { y } = await opened(page);
    const span = WIDE[0];
    const at = (place(span.start) + place(span.end)) / 2;
    await page.keyboard.down("Alt");
    await drag(page, at - 3, at + 3, y);
    await page.keyboard.up("Alt");
    await page.mouse.move(at, y);
    // Of the row under the pointer. The end never jumps over the span's.
    const steps = Math.ceil((place(span.end) - at) / (0.01 * WIDTH)) + 1;
    let isThere = false;
    const start = span.start + (span.end - span.start) / 2 - 3 * PIXEL;
    for (let step = 0; step < steps && !isThere; step++) {
        await page.keyboard.press("Shift+ArrowRight");
        const { ns } = readTime(await spoken(page));
        isThere = Math.abs(ns - (span.end - start)) < PIXEL;
        assert.ok(ns < span.end - start + PIXEL, "it went beyond the span's end");
    }
    assert.ok(isThere);
    // The other end, by its own keys.
    isThere = false;
    for (let step = 0; step < steps && !isThere; step++) {
        await page.keyboard.press("Alt+Shift+ArrowLeft");
        isThere = tells((await spoken(page)).replace(" selected", ""), span.end - span.start);
    }
    assert.ok(isThere);
});

/** The measured distances in the selection's panel, as names and texts. */
const measured = (page) =>
    page.$eval("#details log-measured", (box) =>
        [...box.querySelectorAll("dt")].map((term) => [term.textContent, term.nextElementSibling.textContent]),
    );

onPage("Ctrl+click on a second span measures the time between the two, which is a range", {}, async (page) => {
    const { y } = await opened(page);
    const [a, , , b] = lanes.get(0).filter((span) => span.end - span.start > 9 * PIXEL);
    assert.ok(b.start > a.end);
    const middleOf = ({ start, end }) => (place(start) + place(end)) / 2;
    await page.mouse.click(middleOf(b), y);
    // The panel beside the timeline makes it narrower, and it still shows all of the log.
    await page.waitForSelector("#details dl");
    const { x: right } = await page.locator("#details").boundingBox();
    const narrower = (x) => LEFT + ((x - LEFT) * (right - LEFT)) / WIDTH;
    await page.keyboard.down("Control");
    await page.mouse.click(narrower(middleOf(a)), y);
    await page.keyboard.up("Control");
    await page.waitForSelector("#details log-measured dl");
    const entries = await measured(page);
    // The one that comes first in time is named first, in whichever order they were chosen.
    assert.match(entries[0][0], /^From the end of .+ to the start of .+/);
    assert.ok(tells(entries[0][1], b.start - a.end), entries[0].join(": "));
    assert.deepEqual(
        entries.slice(1).map(([name]) => name),
        ["From start to start", "From the first start to the last end"],
    );
    assert.ok(tells(entries[1][1], b.start - a.start), entries[1].join(": "));
    assert.ok(tells(entries[2][1], b.end - a.start), entries[2].join(": "));
    assert.match(await page.textContent("#announcer"), /From the end of .* to the start of .*: [\d.]+ [mµ]?s$/);
    // It is the selected range, too.
    await page.click("#details log-measured button:has-text('zoom')");
    await view(page, (seen) => Math.abs(width(seen) - (b.start - a.end) / LENGTH) < 0.004);
    // A plain click begins anew.
    await page.keyboard.press("0");
    await page.mouse.click(LEFT + 300, y);
    await page.waitForSelector("#details log-measured dl", { state: "detached" });
});

onPage("with keys alone: I measures from the selected span, to each that is selected next, until it is pressed again", {}, async (page) => {
    await opened(page);
    await page.keyboard.press("i");
    await until(
        () => page.textContent("#announcer"),
        (text) => text === "Select a span to measure from first",
    );
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
    await page.keyboard.press("i");
    assert.match(await page.textContent("#details log-measured"), /^Measuring from .*: select another one\.$/);
    const [a, b, c] = lanes.get(0);
    for (const span of [b, c]) {
        await page.keyboard.press(".");
        const text = await until(
            async () => (await measured(page))[0]?.[1] ?? "0",
            (text) => text !== "0" && tells(text, span.start - a.end),
        );
        assert.ok(text);
    }
    await page.keyboard.press("i");
    await until(
        () => page.locator("#details log-measured").textContent(),
        (text) => text === "",
    );
    // Esc ends it together with the selection.
    await page.keyboard.press("i");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#details", { state: "hidden" });
});
