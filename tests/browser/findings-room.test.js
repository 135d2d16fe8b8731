// What there is room for: findings in the drawer, evidence in a low window, tabs in a narrow one.

import assert from "node:assert/strict";
import { onPage, openCorpus } from "./support/page.js";
import { until } from "./support/see.js";

/** A log with several findings that have evidence, and with time of capabilities while a collection is pending. */
const LOG = "returned";

const AT_FIRST = { tab: null };

/** How many of some elements are in view as a whole, in the panel. */
const inPanel = (page, selector) =>
    page.$$eval(selector, (all) => {
        const panel = document.getElementById("panel").getBoundingClientRect();
        return all.filter((part) => {
            const { top, bottom } = part.getBoundingClientRect();
            return top >= panel.top && bottom <= panel.bottom;
        }).length;
    });

/** Whether elements are in the window, as a whole. */
const inWindow = (page, ...selectors) =>
    page.evaluate(
        (selectors) =>
            selectors.map((selector) => {
                const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
                return top >= -1 && bottom <= innerHeight + 1;
            }),
        selectors,
    );

/** The evidence's frame, top and bottom in the window. */
const frame = (page) =>
    page.evaluate(() => {
        const canvas = document.getElementById("canvas");
        const hex = getComputedStyle(document.documentElement).getPropertyValue("--evidence").trim();
        const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
        const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const rows = Array.from({ length: height }, (_, y) => {
            let found = 0;
            for (let x = 0; x < width; x++) {
                const at = (y * width + x) * 4;
                if (data[at] === r && data[at + 1] === g && data[at + 2] === b) found++;
            }
            return found;
        });
        const seen = rows.flatMap((found, y) => (found > 8 ? [y] : []));
        if (seen.length === 0) return null;
        const { top } = canvas.getBoundingClientRect();
        return { top: top + seen[0] / devicePixelRatio, bottom: top + seen.at(-1) / devicePixelRatio };
    });

onPage("two findings with their sentences are in view at first, and the account is one bar", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    assert.ok((await inPanel(page, "log-findings .finding")) >= 2);
    assert.equal(await inPanel(page, "log-findings .account-bar"), 1);
    assert.equal(await page.locator("#account-parts").isVisible(), false);
    const toggle = page.locator("log-findings .list-parts");
    assert.equal(await toggle.getAttribute("aria-expanded"), "false");
    await toggle.focus();
    await page.keyboard.press("Enter");
    assert.equal(await toggle.getAttribute("aria-expanded"), "true");
    assert.equal(await page.locator("#account-parts").isVisible(), true);
    // The bar's parts and the entries have the same colours, and no two parts look alike.
    const looks = await page.$$eval("log-findings .account-bar .part", (all) => all.map((part) => part.style.background));
    const swatches = await page.$$eval("log-findings .account-list .swatch", (all) => all.map((swatch) => swatch.style.background));
    assert.deepEqual(new Set(looks), new Set(swatches));
    assert.equal(new Set(looks).size, looks.length);
    // What it says is one sentence: no space before its comma.
    assert.match(await page.innerText("log-findings .entry.idle"), /^Idle \S+ % [\d.]+ \S+, of it:$/);
});

onPage(
    "in a narrow window, a finding is in view at first, and arrows lead to more tabs",
    { ...AT_FIRST, viewport: { width: 420, height: 800 } },
    async (page) => {
        await openCorpus(page, LOG);
        assert.ok((await inPanel(page, "log-findings .finding .head-row")) >= 1);
        assert.ok((await inPanel(page, "log-findings .finding .head-row + p")) >= 1);
        const [before, after] = [page.locator(".more-tabs.before"), page.locator(".more-tabs.after")];
        await after.waitFor();
        assert.equal(await before.isVisible(), false);
        while (await after.isVisible()) {
            await after.click();
            await page.waitForTimeout(200);
        }
        assert.equal(await before.isVisible(), true);
        const last = page.locator("#drawer [role=tab]").last();
        await last.click();
        assert.equal(await last.getAttribute("aria-selected"), "true");
        // Names of groups, and figures with their units, are not cut.
        const cut = await page.$$eval("#headers .track :is(.name, .note)", (all) =>
            all
                .filter((part) => part.getClientRects().length > 0 && part.scrollWidth > part.clientWidth)
                .map(({ textContent }) => textContent),
        );
        assert.deepEqual(cut, []);
    },
);

onPage("where all tabs have room, no arrow leads to more", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    await page.waitForTimeout(200);
    assert.equal(await page.locator(".more-tabs:visible").count(), 0);
});

// A window of 1280 × 720 at 200 %, and at 400 %.
onPage(
    "at 200 %, evidence, tabs and the chosen finding are in view together",
    { ...AT_FIRST, viewport: { width: 640, height: 360 } },
    async (page) => {
        await openCorpus(page, LOG);
        assert.deepEqual(await inWindow(page, "#tab-findings"), [true]);
        for (let times = 0; times < 3; times++) {
            await page.keyboard.press("n");
            await page.waitForTimeout(500);
            const { top, bottom } = await until(
                () => frame(page),
                (box) => box !== null,
            );
            const tabs = await page.$eval(".tab-row", (row) => row.getBoundingClientRect().top);
            assert.ok(top >= 0 && bottom <= tabs + 1, `${top} to ${bottom}, tabs at ${tabs}`);
            assert.deepEqual(await inWindow(page, "#tab-findings", ".finding[data-chosen] .head"), [true, true]);
            // The timeline covers no title.
            const under = await page.$eval(".finding[data-chosen] .head", (head) => {
                const { left, top, height } = head.getBoundingClientRect();
                return head.contains(head.getRootNode().elementFromPoint(left + 8, top + height / 2));
            });
            assert.ok(under);
        }
        // Without evidence, the page scrolls as a whole.
        await page.keyboard.press("Escape");
        await until(
            () => page.$eval("#timeline", (timeline) => getComputedStyle(timeline).position),
            (position) => position === "relative",
        );
    },
);

onPage("a figure without room beside the name is below it: neither is cut", {}, async (page) => {
    await openCorpus(page, LOG);
    const cut = await page.$$eval("#headers .rows .track :is(.name, .note)", (all) =>
        all.filter((part) => part.scrollWidth > part.clientWidth).map(({ textContent }) => textContent),
    );
    assert.deepEqual(cut, []);
});
