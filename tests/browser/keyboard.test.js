// By keyboard alone: from the start to a closed log, each step leaves the focus somewhere that can be seen.

import assert from "node:assert/strict";
import { onPage, state } from "./support/page.js";
import { until } from "./support/see.js";
import { isWhole, view } from "./support/view.js";

/** What has the focus. */
const focused = (page) =>
    page.evaluate(() => {
        const { activeElement: element } = document;
        return {
            id: element.id,
            role: element.role ?? element.localName,
            text: element.textContent.trim().replace(/\s+/g, " ").slice(0, 60),
        };
    });

/**
 * Presses Tab until something has the focus; each stop on the way must be visible.
 * @param {(focused: { id: string, role: string, text: string }) => boolean} wanted
 */
async function tabTo(page, wanted, key = "Tab") {
    const stops = [];
    for (let press = 0; press < 60; press++) {
        await page.keyboard.press(key);
        const now = await focused(page);
        stops.push(`${now.role}#${now.id} ${now.text}`);
        const seen = await page.evaluate(() => {
            const { activeElement: element } = document;
            const { width, height } = element.getBoundingClientRect();
            const styles = [
                getComputedStyle(element),
                getComputedStyle(element, "::after"),
                getComputedStyle(element.parentElement ?? element),
            ];
            const isMarked = ({ outlineStyle }) => outlineStyle !== "none";
            const hasLine = element.role === "separator" && styles[0].backgroundImage !== "none";
            // A hidden field's label shows its focus.
            const marked = styles.some(isMarked) || hasLine || element.matches(".visually-hidden, body");
            return { marked, sized: (width > 0 && height > 0) || element.matches("body") };
        });
        assert.ok(seen.marked && seen.sized, `${stops.at(-1)}: ${JSON.stringify(seen)}`);
        if (wanted(now)) return now;
    }
    return assert.fail(`not reached: ${stops.join(" → ")}`);
}

onPage("from the start to the answer and back, by keyboard alone", {}, async (page) => {
    // The example opens without a file dialog, which tests cannot drive.
    await tabTo(page, ({ text, role }) => role === "button" && /example/i.test(text));
    await page.keyboard.press("Enter");
    await state(page, "ready");
    assert.equal((await focused(page)).id, "timeline");

    // A closer look, a span, its details, its time as a range.
    await view(page, isWhole);
    await page.keyboard.press("w");
    await view(page, (now) => !isWhole(now));
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
    await page.keyboard.press("f");
    await page.keyboard.press("r");
    await page.waitForSelector("#drawer .chip");
    await page.keyboard.press("0");
    await view(page, isWhole);

    // To the collections, and the longest one.
    await tabTo(page, ({ role }) => role === "tab");
    for (let press = 0; press < 30 && (await focused(page)).id !== "tab-gc"; press++) await page.keyboard.press("ArrowRight");
    assert.equal((await focused(page)).id, "tab-gc");
    await page.keyboard.press("Escape");
    await tabTo(page, ({ role, text }) => role === "button" && /\d [mµ]?s$/.test(text));
    await page.keyboard.press("Enter");

    // A table's rows are reached with arrows, and lead to the timeline.
    await tabTo(page, ({ role }) => /^(grid|table|treegrid)$/.test(role));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    // The help, and back to where it was opened.
    const before = await focused(page);
    await page.keyboard.press("?");
    await until(
        () => focused(page),
        ({ id }) => id === "help-title",
    );
    await page.keyboard.press("Escape");
    assert.deepEqual(await focused(page), before);

    await tabTo(page, ({ id }) => id === "close", "Shift+Tab");
    await page.keyboard.press("Enter");
    await state(page, "empty");
    assert.equal((await focused(page)).id, "open-file");
});
