// The logs that were opened last, among the commands.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { corpus, drop, onPage, openCorpus, state } from "./support/page.js";
import { until } from "./support/see.js";

const offered = async (page, text) => {
    await page.keyboard.press(">");
    await page.keyboard.type(text);
    await page.waitForSelector("#suggestions li");
    return page.$$eval("#suggestions li .text", (all) => all.map((part) => part.textContent));
};

onPage(
    "they are offered, the last first, but not the one on the screen; a file says that it has to be dropped",
    { restarts: true },
    async (page) => {
        await page.setInputFiles("#open-file", { name: "one.eventlog", mimeType: "", buffer: bytesOf("threaded") });
        await state(page, "ready");
        await openCorpus(page, "single");
        await page.focus("#timeline");
        assert.deepEqual(await offered(page, "open again"), ["open again: one.eventlog"]);
        await page.keyboard.press("Enter");
        await until(
            () => page.textContent("#announcer"),
            (text) => /^Drop one\.eventlog \(33\.\d KiB\) on this page: the browser cannot open it again by itself$/.test(text),
        );
        await page.reload();
        await state(page, "empty");
        assert.deepEqual(await offered(page, "open again"), ["open again: log.eventlog", "open again: one.eventlog"]);
        await page.keyboard.press("Escape");
        await offered(page, "forget the logs");
        await page.keyboard.press("Enter");
        await until(
            () => page.textContent("#announcer"),
            (text) => text === "The recent logs are forgotten",
        );
        await page.keyboard.press(">");
        await page.keyboard.type("open again");
        await page.waitForTimeout(100);
        assert.deepEqual(
            await page.$$eval("#suggestions li .text", (all) => all.map((part) => part.textContent).filter((text) => /again/.test(text))),
            [],
        );
    },
);

onPage("a file that the browser can open again is opened", { restarts: true }, async (page) => {
    // What a dropped file is in Chromium: here of the page's own file system, which needs no question.
    await page.evaluate(() => {
        DataTransferItem.prototype.getAsFileSystemHandle = async function () {
            const file = this.getAsFile();
            const root = await navigator.storage.getDirectory();
            const handle = await root.getFileHandle(file.name, { create: true });
            const writer = await handle.createWritable();
            await writer.write(file);
            await writer.close();
            return handle;
        };
    });
    await drop(page, "#welcome", corpus("threaded"));
    await state(page, "ready");
    await page.waitForTimeout(500);
    await openCorpus(page, "single");
    await page.focus("#timeline");
    assert.deepEqual(await offered(page, "open again dropped"), ["open again: dropped.eventlog"]);
    await page.keyboard.press("Enter");
    await until(
        () => page.textContent("#bar"),
        (text) => /dropped\.eventlog/.test(text),
    );
});

function bytesOf(name) {
    return readFileSync(corpus(name));
}
