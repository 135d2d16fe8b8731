// Streams of events as devices send them, replayed on the timeline: gestures/*.json. Each says where it comes from. They are written by
// hand after what browsers document and do; none was recorded on a device.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { readCorpus } from "./support/eventlog.js";
import { onPage } from "./support/page.js";
import { readTime, until } from "./support/see.js";
import { LEFT, WIDTH, isWhole, middle, near, opened, pressTimes, view, width } from "./support/view.js";

const FOLDER = new URL("gestures/", import.meta.url);

const stream = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));

/** The streams that were replayed: a file that no test uses would test nothing. */
const replayed = new Set();

/** Replays wheel events, or Safari's gestures, in the page, at their times: the browser's driver sends neither lines nor fractions. */
async function replay(page, name, x, y) {
    replayed.add(name);
    const { kind, modifiers = [], events } = stream(name);
    const end = await page.evaluate(
        async ({ kind, modifiers, events, x, y }) => {
            const target = document.getElementById("timeline");
            const held = { ctrlKey: modifiers.includes("Control"), shiftKey: modifiers.includes("Shift") };
            const begun = performance.now();
            let prevented = 0;
            for (const { at, type = "wheel", scale, ...deltas } of events) {
                await new Promise((done) => setTimeout(done, at - (performance.now() - begun)));
                const common = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y };
                const event = kind === "wheel" ? new WheelEvent(type, { ...common, ...held, ...deltas }) : new MouseEvent(type, common);
                if (scale) Object.defineProperty(event, "scale", { value: scale });
                target.dispatchEvent(event);
                prevented += event.defaultPrevented ? 1 : 0;
            }
            return prevented;
        },
        { kind, modifiers, events, x, y },
    );
    return { prevented: end, events };
}

/** Replays fingers through the browser itself, which makes pointer events of them. */
async function touch(page, name, y) {
    replayed.add(name);
    const { events } = stream(name);
    const session = await page.context().newCDPSession(page);
    const begun = Date.now();
    let down = 0;
    for (const { at, touches } of events) {
        await new Promise((done) => setTimeout(done, at - (Date.now() - begun)));
        const type = touches.length < down ? "touchEnd" : touches.length > down ? "touchStart" : "touchMove";
        down = touches.length;
        await session.send("Input.dispatchTouchEvent", { type, touchPoints: touches.map(([x, dy], id) => ({ x, y: y + dy, id })) });
    }
    return events;
}

const timeAt = (seen, x) => seen.from + ((x - LEFT) / WIDTH) * width(seen);

for (const name of ["wheel-notches-pixels", "wheel-notches-lines", "touchpad-pinch"]) {
    onPage(`${name}: zooms in at the pointer, by a pleasant amount, and the page does not zoom`, {}, async (page) => {
        const { y } = await opened(page);
        await pressTimes(page, "w", 1);
        const start = await view(page, (seen) => width(seen) < 0.75);
        const x = 500;
        const { prevented, events } = await replay(page, name, x, y);
        assert.equal(prevented, events.length);
        const close = await view(page, (seen) => width(seen) < 0.9 * width(start));
        assert.ok(near(timeAt(close, x), timeAt(start, x), 0.004), JSON.stringify([start, close]));
        // Neither so little that one thinks nothing happens, nor so much that one is lost.
        const factor = width(start) / width(close);
        assert.ok(factor > 1.15 && factor < 12, `${factor}`);
    });
}

onPage("safari-pinch: the fingers' scale is the zoom's", {}, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 1);
    const start = await view(page, (seen) => width(seen) < 0.75);
    const { prevented, events } = await replay(page, "safari-pinch", 500, y);
    // Its end has nothing to prevent.
    assert.equal(prevented, events.length - 1);
    const close = await view(page, (seen) => near(width(seen), width(start) / 2, 0.005));
    assert.ok(near(timeAt(close, 500), timeAt(start, 500), 0.004), JSON.stringify([start, close]));
});

onPage("wheel-notches-pages: a page with Shift is as far as the timeline is high", {}, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 4);
    const start = await view(page, (seen) => width(seen) < 0.25);
    await replay(page, "wheel-notches-pages", 640, y);
    const high = await page.$eval("#timeline", (box) => box.clientHeight);
    await view(
        page,
        (seen) => near(seen.from, start.from + (high / WIDTH) * width(start), 0.005) && near(width(seen), width(start), 0.003),
    );
});

onPage("touchpad-inertia-sideways: pans by all of its way, and its jitter scrolls no tracks", {}, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 4);
    const start = await view(page, (seen) => width(seen) < 0.25);
    const { prevented, events } = await replay(page, "touchpad-inertia-sideways", 640, y);
    // Only while it is not known yet where it goes, the browser may scroll: by two pixels here.
    assert.ok(prevented >= events.length - 2, `${prevented} of ${events.length}`);
    const way = events.reduce((sum, { deltaX }) => sum + deltaX, 0);
    const moved = await view(page, (seen) => near(seen.from, start.from + (way / WIDTH) * width(start), 0.005));
    assert.ok(near(width(moved), width(start), 0.003));
});

onPage("touch-pinch: zooms about what is between the fingers, and selects nothing", { hasTouch: true }, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 2);
    const start = await view(page, (seen) => width(seen) < 0.5);
    const events = await touch(page, "touch-pinch", y);
    const two = events.filter(({ touches }) => touches.length === 2).map(({ touches: [[a], [b]] }) => ({ from: a, to: b }));
    const [first, last] = [two[0], two.at(-1)];
    const close = await view(page, (seen) => near(width(seen), (width(start) * width(first)) / width(last), 0.005));
    assert.ok(near(timeAt(close, middle(last)), timeAt(start, middle(first)), 0.004), JSON.stringify([start, close]));
    assert.equal(await page.isVisible("#details"), false);
    assert.doesNotMatch(await page.textContent("#announcer"), /selected/);
});

onPage("touch-fling: pans as far as the finger goes, and neither scrolls nor selects", { hasTouch: true }, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 4);
    const start = await view(page, (seen) => width(seen) < 0.25);
    const events = await touch(page, "touch-fling", y);
    const xs = events.flatMap(({ touches }) => touches.map(([x]) => x));
    const moved = await view(page, (seen) => near(seen.from, start.from + ((xs[0] - xs.at(-1)) / WIDTH) * width(start), 0.008));
    assert.ok(near(width(moved), width(start), 0.003));
    assert.equal(await page.isVisible("#details"), false);
    assert.doesNotMatch(await page.textContent("#announcer"), /selected/);
});

onPage("touch-long-press-drag: selects a range from where the finger rested, and pans nothing", { hasTouch: true }, async (page) => {
    await opened(page);
    const start = await view(page, isWhole);
    // In the row of activity, where nothing has edges that the ends would snap to.
    const activity = await page.locator("#headers .track", { hasText: "Activity" }).boundingBox();
    const events = await touch(page, "touch-long-press-drag", activity.y + activity.height / 2);
    const xs = events.flatMap(({ touches }) => touches.map(([x]) => x));
    const text = await until(
        () => page.textContent("#announcer"),
        (text) => text.endsWith(" selected"),
    );
    const { length } = readCorpus("threaded");
    const pixel = (length * 1.04) / WIDTH;
    assert.ok(near(readTime(text).ns, (xs.at(-1) - xs[0]) * pixel, 2 * pixel), text);
    assert.deepEqual(await view(page, isWhole), start);
});

test("each stream is replayed, and says where it comes from", () => {
    const names = readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ""));
    assert.deepEqual(names.sort(), [...replayed].sort());
    for (const name of names) assert.match(stream(name).source, /\w/);
});
