// Reads the view, for tests that move it.

import { openCorpus } from "./page.js";
import { lane, shown, until } from "./see.js";

/** The left edge and the width of the timeline, in CSS pixels, in a window 1280 wide. */
export const LEFT = 220;
export const WIDTH = 1280 - LEFT;

export const near = (a, b, by) => Math.abs(a - b) <= by;
export const middle = ({ from, to }) => (from + to) / 2;
export const width = ({ from, to }) => to - from;
export const isWhole = ({ from, to }) => from < 0.005 && to > 0.995;

/** Two frames of the page: what a key or a click has asked for is drawn after them. */
const twoFrames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Waits until `wanted` accepts the view and it stays for two frames. Of three pressed keys, a busy machine may have drawn only two. */
export async function view(page, wanted) {
    const same = (a, b) => a.from === b.from && a.to === b.to;
    const { now } = await until(
        async () => {
            const before = await shown(page);
            await twoFrames(page);
            return { before, now: await shown(page) };
        },
        ({ before, now }) => same(before, now) && wanted(now),
    );
    return now;
}

/** Opens the log of these tests, and returns its first lane. */
export async function opened(page) {
    await openCorpus(page, "threaded");
    await view(page, isWhole);
    // The first picture is coarser.
    let last = "";
    return until(
        async () => {
            await page.waitForTimeout(60);
            return lane(page, "Capability 0");
        },
        ({ roles }) => {
            const settled = roles.join() === last;
            last = roles.join();
            return settled;
        },
    );
}

export async function pressTimes(page, key, times) {
    for (let press = 0; press < times; press++) await page.keyboard.press(key);
}
