// What screen readers and keys need in every tab: headings in order, and no part that scrolls but cannot be reached by keys. The rules are
// those of axe, "heading-order" and "scrollable-region-focusable".

import assert from "node:assert/strict";
import { chooseTab, onPage, openCorpus } from "./support/page.js";
import { tablesSettled } from "./support/see.js";

/** The levels of the visible headings, in order, with their texts. */
const headings = (page) =>
    page.$$eval("h1, h2, h3, h4, h5, h6", (all) =>
        all
            .filter((heading) => heading.getClientRects().length > 0)
            .map((heading) => ({ level: Number(heading.localName[1]), text: heading.textContent.trim() })),
    );

/** The parts of the panel that scroll, but neither have the focus nor contain anything that can. */
const unreachable = (page) =>
    page.$$eval("#panel, #panel *", (all) => {
        const scrolls = (part) => {
            const { overflowX, overflowY } = getComputedStyle(part);
            const down = /auto|scroll/.test(overflowY) && part.scrollHeight > part.clientHeight + 1;
            return down || (/auto|scroll/.test(overflowX) && part.scrollWidth > part.clientWidth + 1);
        };
        const reach = "a[href], button:not([disabled]), input, select, summary, [tabindex='0']";
        return all.filter((part) => scrolls(part) && !part.matches(reach) && !part.querySelector(reach)).map((part) => part.className);
    });

for (const log of ["threaded", "heap-closure", "time-profile"]) {
    onPage(
        `${log}: in every tab, headings are in order, and what scrolls can be reached by keys`,
        { viewport: { width: 1280, height: 500 } },
        async (page) => {
            await openCorpus(page, log);
            const tabs = await page.$$eval("#drawer [role=tab]", (all) => all.map(({ id }) => id.replace("tab-", "")));
            assert.ok(tabs.length >= 10);
            for (const tab of tabs) {
                await chooseTab(page, tab);
                await tablesSettled(page);
                let last = 0;
                for (const { level, text } of await headings(page)) {
                    assert.ok(level <= last + 1, `${tab}: ${text} is of level ${level} after one of level ${last}`);
                    last = level;
                }
                assert.deepEqual(await unreachable(page), [], tab);
            }
        },
    );
}
