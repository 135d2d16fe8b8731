// Opens logs, and interferes with the page and its worker meanwhile.

import assert from "node:assert/strict";
import { state } from "./page.js";
import { tracks, until } from "./see.js";
import { within } from "./within.js";
import { workerOf } from "./worker.js";

/** Calls `act` in the page once the first events are read, before it gets more reports. */
export async function whenLoading(page, act, argument) {
    // As a text: the page's content security policy forbids `eval` within it.
    await page.evaluate(`((argument) => {
        const text = document.getElementById("progress-text");
        const observer = new MutationObserver(() => {
            if (!/[1-9]\\S* events$/.test(text.textContent)) return;
            observer.disconnect();
            window.progressThen = text.textContent;
            ${act}
        });
        observer.observe(text, { childList: true });
    })(${JSON.stringify(argument) ?? "undefined"})`);
}

/** A round trip to the worker: after it, the page has all that the worker sent before. */
export async function roundTrip(page) {
    await page.keyboard.press("Escape");
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
}

export async function isTheSingleLog(page) {
    await page.waitForFunction(() => document.getElementById("program").textContent === "single");
    await state(page, "ready");
    await roundTrip(page);
    assert.equal(await page.textContent("#program"), "single");
    assert.equal(await page.getAttribute("html", "data-state"), "ready");
    const names = (await tracks(page)).map(([name]) => name);
    assert.deepEqual(
        names.filter((name) => /^Capability \d+$/.test(name)),
        ["Capability 0"],
    );
    assert.ok(await page.isHidden("#notices"));
}

/** Gives the page files to drop on itself, any number of times: `drop_(0)` drops the first. */
export async function hold(page, paths) {
    await page.evaluate(() => {
        const input = document.createElement("input");
        document.body.append(Object.assign(input, { type: "file", multiple: true, id: "held" }));
        window.drop_ = (which) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(input.files[which]);
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        };
    });
    await page.setInputFiles("#held", paths);
}

/** Ends the page's worker silently, as when the browser kills it. */
export async function kill(page) {
    const [worker] = page.workers();
    const gone = new Promise((resolve) => worker.once("close", resolve));
    await worker.evaluate(() => self.close()).catch(() => {});
    await gone;
}

/** Changes how the page's worker decodes, for as long as it lives. */
export async function feeding(page, how, argument) {
    const session = await page.context().newCDPSession(page);
    const send = await workerOf(session);
    // A new worker has not run its script yet.
    await until(
        () => within(send, () => "within_" in globalThis),
        (there) => there,
    );
    await within(
        send,
        (how, argument) =>
            within_.changeLogs((logs) => {
                const { feed } = logs;
                const other = new Function("feed", "log", "wasm", "argument", how);
                logs.feed = function (bytes) {
                    other(() => feed.call(this, bytes), this.__wbg_ptr, within_.exports(), argument);
                };
            }),
        how,
        argument,
    );
    await session.detach();
}

/** Makes every bite take this many ms. */
export function slow(page, ms) {
    return feeding(page, "for (const end = performance.now() + argument; performance.now() < end; ); feed();", ms);
}

/** Makes time go ten times as fast for the page. */
export function hurry(page) {
    return page.evaluate(() => {
        const { setTimeout } = window;
        window.setTimeout = (act, ms, ...rest) => setTimeout(act, ms / 10, ...rest);
    });
}
