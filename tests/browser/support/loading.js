// Opening logs, and what can be done to the page and its worker meanwhile.

import assert from "node:assert/strict";
import { state } from "./page.js";
import { tracks, until } from "./see.js";
import { within } from "./within.js";
import { workerOf } from "./worker.js";

/** Once the first events are read, something happens to the page, before it hears of any more. */
export async function whenLoading(page, act, argument) {
    // As a text: the page's own policy forbids that scripts are made of texts within it.
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

/** A round trip to the worker: what it has said before is on the page then. */
export async function roundTrip(page) {
    await page.keyboard.press("Escape");
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
}

export async function isTheSingleLog(page) {
    await page.waitForFunction(() => document.getElementById("program").textContent === "./single");
    await state(page, "ready");
    await roundTrip(page);
    assert.equal(await page.textContent("#program"), "./single");
    assert.equal(await page.getAttribute("html", "data-state"), "ready");
    const names = (await tracks(page)).map(([name]) => name);
    assert.deepEqual(
        names.filter((name) => /^HEC \d+$/.test(name)),
        ["HEC 0"],
    );
    assert.ok(await page.isHidden("#notices"));
}

/** Gives the page files to drop on itself, as often as it likes: `drop_(0)` drops the first. */
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

/** The page's worker has ended, without a word to anybody: so it is when the browser kills it. */
export async function kill(page) {
    const [worker] = page.workers();
    const gone = new Promise((resolve) => worker.once("close", resolve));
    await worker.evaluate(() => self.close()).catch(() => {});
    await gone;
}

/** From now on, reading goes otherwise in the page's worker, for as long as that lives. */
export async function feeding(page, how, argument) {
    const session = await page.context().newCDPSession(page);
    const send = await workerOf(session);
    // A worker that has just come to be has not run its script yet.
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

/** Every bite takes so many milliseconds. */
export function slow(page, ms) {
    return feeding(page, "for (const end = performance.now() + argument; performance.now() < end; ); feed();", ms);
}

/** Seconds go by ten times as fast for the page from now on. */
export function hurry(page) {
    return page.evaluate(() => {
        const { setTimeout } = window;
        window.setTimeout = (act, ms, ...rest) => setTimeout(act, ms / 10, ...rest);
    });
}
