// Logs that broke an earlier version open in the page, as far as they can be read. They are beside the project on the developers' machines.

import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { test } from "node:test";
import assert from "node:assert/strict";
import { choose, onPage } from "./support/page.js";
import { lane } from "./support/see.js";

const folder = fileURLToPath(new URL("../../../shared/hostile", import.meta.url));

/** Logs that are compressed: the page loads its unpacker for zstd. */
const PACKED = /\.(gz|zst)$/;

/** Opens one, however long it takes to unpack. */
async function open(page, name) {
    await choose(page, join(folder, name));
    await page.waitForSelector('html[data-state="ready"]:not([data-following])', { state: "attached" });
    assert.ok((await page.textContent("#bar")).includes(name), "its name is shown");
}

if (!existsSync(folder)) {
    test("strangers' logs", { skip: `no ${folder}` }, () => {});
} else {
    const names = readdirSync(folder).filter((name) => /\.eventlog(\.gz|\.zst)?$/.test(name));
    for (const name of names) {
        onPage(`${name} opens`, { unpacks: PACKED.test(name) }, (page) => open(page, name));
    }

    onPage("a click where nothing is comes to an end", { unpacks: true }, async (page) => {
        await open(page, "livelock.eventlog.zst");
        const [worker] = page.workers();
        await worker.evaluate(() => {
            const { slice } = Blob.prototype;
            globalThis.reads = 0;
            Blob.prototype.slice = function (...range) {
                globalThis.reads += 1;
                return slice.apply(this, range);
            };
        });
        const reads = () => worker.evaluate(() => globalThis.reads);
        const { left, y } = await lane(page, "Capability 0");
        const { width } = await page.locator("#canvas").boundingBox();
        for (const part of [0.1, 0.5, 0.9]) await page.mouse.click(left + (width - left) * part, y);
        await page.mouse.move(left + 40, y);
        await page.waitForSelector("#tooltip", { state: "visible" });
        const before = await reads();
        await page.waitForTimeout(1500);
        assert.equal(await reads(), before, "nothing is read any more");
    });
}
