// The list of hits: it goes along with the steps, its tab is whole, and it gets the spans that were not known when the search began.

import assert from "node:assert/strict";
import { choose, file, onPage, state } from "./support/page.js";
import { writeSpans } from "./support/eventlog.js";
import { until } from "./support/see.js";

const status = (page) => page.textContent("#search-status");
const MANY = file("many.eventlog", writeSpans("GET /report", 20_000));

/** Whether the first element is within the second one, sideways and up and down. */
const isWithin = (page, inner, outer) =>
    page.locator(inner).evaluate((element, selector) => {
        const [a, b] = [element, element.closest(selector)].map((each) => each.getBoundingClientRect());
        return a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    }, outer);

onPage("the list goes along with the steps, and the number of hits in the tab is not cut", {}, async (page) => {
    await choose(page, file("few.eventlog", writeSpans("GET /report", 15)));
    await state(page, "ready");
    // Less room than the tabs need: the chosen one is the last in view.
    await page.setViewportSize({ width: 700, height: 600 });
    await page.focus("#timeline");
    await page.keyboard.press("/");
    await page.keyboard.type("report");
    await page.keyboard.press("Enter");
    await until(
        () => status(page),
        (text) => text === "1 of 45 hits",
    );
    await until(
        () => isWithin(page, "#tab-search", ".tabs"),
        (isWhole) => isWhole,
    );
    const current = () => page.$$eval("log-hits .hit", (all) => all.findIndex((hit) => hit.getAttribute("aria-current") === "true"));
    for (let step = 0; step < 10; step++) {
        const before = await current();
        await page.keyboard.press("Enter");
        await until(current, (at) => at !== before);
    }
    await until(
        () => isWithin(page, "log-hits .hit[aria-current]", "#panel"),
        (isWhole) => isWhole,
    );
    assert.equal(await status(page), "11 of 45 hits");
});

onPage("the details of what ran when a message was written say the message", {}, async (page) => {
    await choose(page, file("few.eventlog", writeSpans("GET /report", 15)));
    await state(page, "ready");
    await page.focus("#timeline");
    await page.keyboard.press("/");
    await page.keyboard.type("STOP");
    await page.keyboard.press("Enter");
    await page.locator("log-hits .hit").first().click();
    await until(
        () => page.locator("#details").innerText(),
        (text) => /thread 1/.test(text) && /Found\s+1\.001\s000 ms: STOP GET \/report/.test(text),
    );
    await page.locator("log-hits .hit").nth(1).click();
    await until(
        () => page.locator("#details").innerText(),
        (text) => /Found\s+2\.001\s000 ms: STOP GET \/report/.test(text),
    );
});

onPage("a link with a query finds spans, too, once threads have been followed", {}, async (page) => {
    await page.evaluate(() => (location.hash = "#find=report"));
    await choose(page, MANY);
    await state(page, "ready");
    await until(
        () => status(page),
        (text) => text.replace(/\D/g, "") === "60000",
    );
});
