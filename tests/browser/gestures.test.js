// Fingers on the timeline, and tracks that need to be scrolled.

import assert from "node:assert/strict";
import { onPage } from "./support/page.js";
import { lane, shown, until } from "./support/see.js";
import { LEFT, WIDTH, isWhole, near, opened, pressTimes, view, width } from "./support/view.js";

/** Fingers on a screen: each call puts them down, moves them or, without any, lifts them. */
async function fingers(page) {
    const session = await page.context().newCDPSession(page);
    let down = 0;
    return async (...places) => {
        const type = places.length === 0 ? "touchEnd" : places.length > down ? "touchStart" : "touchMove";
        down = places.length;
        const touchPoints = places.map(([x, y], id) => ({ x, y, id }));
        await session.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
}

onPage("two fingers zoom: the time under each of them stays there", { hasTouch: true }, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 2);
    const start = await view(page, (seen) => width(seen) < 0.5);
    const time = (seen, x) => seen.from + ((x - LEFT) / WIDTH) * width(seen);
    const touch = await fingers(page);
    const [still, moving] = [600, 700];
    await touch([still, y]);
    await touch([still, y], [moving, y]);
    for (const x of [720, 760, 800]) await touch([still, y], [x, y]);
    const close = await view(page, (seen) => near(width(seen), width(start) / 2, 0.005));
    assert.ok(near(time(close, still), time(start, still), 0.003), JSON.stringify([start, close]));
    assert.ok(near(time(close, 800), time(start, moving), 0.003), JSON.stringify([start, close]));
    for (const x of [760, 720, 700]) await touch([still, y], [x, y]);
    await view(page, (seen) => near(seen.from, start.from, 0.004) && near(seen.to, start.to, 0.004));
    await touch();
});

onPage("one finger pans, and selects no range", { hasTouch: true }, async (page) => {
    const { y } = await opened(page);
    await pressTimes(page, "w", 4);
    const start = await view(page, (seen) => width(seen) < 0.25);
    const touch = await fingers(page);
    await touch([900, y]);
    for (const x of [850, 750, 635]) await touch([x, y]);
    await touch();
    const moved = await view(page, ({ from }) => near(from, start.from + (265 / WIDTH) * width(start), 0.006));
    assert.ok(near(width(moved), width(start), 0.003));
    assert.doesNotMatch(await page.textContent("#announcer"), /selected/);
});

onPage("a tap selects a span", { hasTouch: true }, async (page) => {
    const { y } = await opened(page);
    const { left, roles } = await lane(page, "Capability 0");
    const at = roles.findIndex((role, at) => role === "running" && roles[at + 3] === "running");
    await page.touchscreen.tap(left + at + 1, y);
    await page.waitForSelector("#details dl");
    assert.match(await page.textContent("#announcer"), /^Capability 0: .*, running, /);
});

const LOW = { viewport: { width: 1280, height: 425 } };
const SCROLLS = {
    "the wheel": [(page) => page.mouse.wheel(0, 60), (page) => page.mouse.wheel(0, -60)],
    "a press of an arrow key": [(page) => page.keyboard.press("ArrowDown"), (page) => page.keyboard.press("ArrowUp")],
};
for (const [what, [down, up]] of Object.entries(SCROLLS)) {
    onPage(`${what} scrolls the tracks, names and lanes together, and not the time`, LOW, async (page) => {
        const { y } = await opened(page);
        if (what === "the wheel") await page.mouse.move(640, y);
        const top = () => page.$eval("#timeline", (box) => box.scrollTop);
        const before = await until(
            () => lane(page, "Capability 2"),
            ({ roles }) => roles.includes("running") && roles.includes("accent") === (what === "the wheel"),
        );
        await down(page);
        await until(top, (scrolled) => scrolled > 10);
        const after = await until(
            () => lane(page, "Capability 2"),
            ({ roles }) => roles.join() === before.roles.join(),
        );
        assert.ok(after.y < before.y - 10, `${before.y} to ${after.y}`);
        assert.ok(isWhole(await shown(page)));
        await up(page);
        await until(top, (scrolled) => scrolled === 0);
    });
}
