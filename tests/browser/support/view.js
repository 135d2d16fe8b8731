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

/** Waits until `wanted` accepts the view. */
export const view = (page, wanted) => until(() => shown(page), wanted);

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
