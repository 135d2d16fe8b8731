// A second worker reads a file whose stream comes in small pieces, as in Firefox. These tests make Chromium's streams like that.

import { after } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, onPage, state } from "./support/page.js";
import { writeLarge } from "./support/eventlog.js";
import { READING } from "./support/reading.js";
import { slow } from "./support/loading.js";
import { workerOf } from "./support/worker.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));
const LARGE = join(folder, "large.eventlog");
writeLarge(LARGE, 40e6);

/** Counts the workers that a worker starts, and how often it tells them that no more is wanted. */
const COUNTED = `
    self.started = 0;
    self.ended = 0;
    self.Worker = class extends Worker {
        constructor(...from) {
            super(...from);
            self.started += 1;
        }
        postMessage(data, ...rest) {
            if (!data.blob && !data.buffer) self.ended += 1;
            super.postMessage(data, ...rest);
        }
    };
    const { read } = ReadableStreamBYOBReader.prototype;`;

/** Makes its streams give 64 KiB at a time. */
const SMALL_PIECES = `${COUNTED}
    ReadableStreamBYOBReader.prototype.read = function (view) {
        return read.call(this, view.subarray(0, 1 << 16));
    };`;

/** Makes them give 1 MiB at a time, however the bytes come. */
const LARGE_PIECES = `${COUNTED}
    let last = Promise.resolve();
    ReadableStreamBYOBReader.prototype.read = function ({ buffer }) {
        const fill = async () => {
            for (let filled = 0; ; ) {
                const { done, value } = await read.call(this, new Uint8Array(buffer, filled, (1 << 20) - filled));
                if (done && filled === 0) return { done, value };
                ({ buffer } = value);
                filled += value.length;
                if (done || filled === 1 << 20) return { done: false, value: new Uint8Array(buffer, 0, filled) };
            }
        };
        return (last = last.then(fill));
    };`;

/** Reasons why there is no second worker. */
const REFUSED = {
    "refused at once": 'self.Worker = class { constructor() { throw new DOMException("no", "SecurityError"); } };',
    "refused later": `self.Worker = class extends EventTarget {
        constructor() { super(); setTimeout(() => this.onerror(new Event("error", { cancelable: true }))); }
        postMessage() {}
        terminate() {}
    };`,
};

/**
 * Reads a file in a worker as the page does; returns the digest of its bytes, and how many second workers that took.
 * @param {import("playwright-core").Page} page
 * @param {string} before code that runs there first
 * @param {number} most pieces that are wanted
 */
async function read(page, before, most = Infinity) {
    await page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "read" })));
    await page.setInputFiles("#read", LARGE);
    const code = `${before}\n${READING};
        onmessage = async ({ data: { file, most } }) => {
            const parts = [];
            for await (const piece of pieces(file)) if (parts.push(piece.slice()) === most) break;
            const digest = await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer());
            postMessage({ digest: [...new Uint8Array(digest)], started: self.started, ended: self.ended });
        };`;
    return page.evaluate(
        ({ code, most }) => {
            const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
            worker.postMessage({ file: document.getElementById("read").files[0], most });
            return new Promise((resolve, reject) => {
                worker.onmessage = ({ data }) => resolve(data);
                worker.onerror = ({ message }) => reject(new Error(message));
            });
        },
        { code, most },
    );
}

const DIGEST = [...createHash("sha256").update(readFileSync(LARGE)).digest()];

onPage("a stream of large pieces is read by the worker that decodes the log", {}, async (page) => {
    const { digest, started } = await read(page, LARGE_PIECES);
    assert.deepEqual(digest, DIGEST);
    assert.equal(started, 0);
});

onPage("a stream of small pieces is read by a second worker, byte for byte", {}, async (page) => {
    const { digest, started, ended } = await read(page, SMALL_PIECES);
    assert.deepEqual(digest, DIGEST);
    assert.deepEqual([started, ended], [1, 1]);
});

onPage("the second worker learns when no more is wanted", {}, async (page) => {
    const { started, ended } = await read(page, SMALL_PIECES, 66);
    assert.deepEqual([started, ended], [1, 1]);
});

for (const [how, refuse] of Object.entries(REFUSED)) {
    onPage(`if a second worker is ${how}, the file is read without one`, {}, async (page) => {
        const { digest } = await read(page, SMALL_PIECES + refuse);
        assert.deepEqual(digest, DIGEST);
    });
}

/** Makes the pieces small that the page's worker gets; returns a function that asks that worker. */
async function smallPieces(page) {
    const session = await page.context().newCDPSession(page);
    const send = await workerOf(session);
    const ask = async (expression) => (await send("Runtime.evaluate", { expression, returnByValue: true })).result.value;
    await ask(`{${SMALL_PIECES}}`);
    return ask;
}

onPage("the page shows the same of a log that a second worker reads", {}, async (page) => {
    await choose(page, LARGE);
    await state(page, "ready");
    const facts = await page.textContent("#facts");
    const summary = await page.textContent("#summary");
    await page.click("#close");
    const ask = await smallPieces(page);
    await choose(page, LARGE);
    await state(page, "ready");
    assert.equal(await page.textContent("#facts"), facts);
    assert.equal(await page.textContent("#summary"), summary);
    assert.equal(await ask("started"), 1);
    // Read once to be decoded, and once more for its threads.
    for (let tries = 0; (await ask("ended")) < 2; tries++) assert.ok(tries < 500, "it is not told");
});

onPage("when a file is cut short while a second worker reads it, a notice says so, and what was read stays", {}, async (page) => {
    const path = join(folder, "cut.eventlog");
    copyFileSync(LARGE, path);
    const ask = await smallPieces(page);
    await slow(page, 30);
    await choose(page, path);
    await page.waitForFunction(() => /[1-9]\S* events/.test(document.getElementById("progress-text").textContent));
    for (let tries = 0; (await ask("started")) === 0; tries++) assert.ok(tries < 500, "no second worker was started");
    truncateSync(path, 20e6);
    await state(page, "ready");
    await page.waitForSelector("#notices", { state: "visible" });
    assert.match(await page.textContent("#notices"), /changed or removed/);
    assert.match(await page.textContent("#facts"), /events/);
});

onPage("Cancel also stops the second worker", {}, async (page) => {
    const ask = await smallPieces(page);
    await slow(page, 30);
    await choose(page, LARGE);
    for (let tries = 0; (await ask("started")) === 0; tries++) assert.ok(tries < 500, "no second worker was started");
    await page.click("#cancel");
    await state(page, "empty");
    for (let tries = 0; (await ask("ended")) === 0; tries++) assert.ok(tries < 500, "it is not told");
});
