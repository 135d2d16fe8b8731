// Keys at the findings: between timeline and drawer, along the list, and out of what is open.

import assert from "node:assert/strict";
import { onPage, openCorpus } from "./support/page.js";
import { evidence, lane, shown, until } from "./support/see.js";

/** A log with several findings that have evidence. */
const LOG = "returned";

const AT_FIRST = { tab: null };

/** The element with the focus, in a few words: its id, or its class. */
const focused = (page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.className);

/** The finding whose title has the focus. */
const focusedFinding = (page) =>
    page.evaluate(() => {
        const at = document.activeElement;
        return at?.matches(".head") ? at.closest(".finding").dataset.finding : null;
    });

const ids = (page) => page.$$eval("log-findings .finding", (all) => all.map(({ dataset }) => dataset.finding));
const chosen = (page) => page.$$eval("log-findings .finding[data-chosen]", (all) => all.map(({ dataset }) => dataset.finding).join());

onPage("F6 goes to the open tab, and back to the timeline; the help lists it", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    for (const expected of ["tab-findings", "timeline", "tab-findings"]) {
        await page.keyboard.press("F6");
        assert.equal(await focused(page), expected);
    }
    // Also from within the panel.
    await page.focus("log-findings .finding .head");
    await page.keyboard.press("F6");
    assert.equal(await focused(page), "timeline");
    await page.keyboard.press("?");
    assert.match(await page.innerText("#keys"), /F6\s+from the timeline to the open tab, and back/);
});

onPage("all names of rows and groups are one stop of Tab, on the way to the findings, too", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    const stops = () => page.$$eval("#headers :is(.track, .heading > button[data-group])[tabindex='0']", (all) => all.length);
    await until(stops, (count) => count === 1);
    const tabTo = async (wanted) => {
        for (let press = 0; press < 20; press++) {
            await page.keyboard.press("Tab");
            if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), wanted)) return;
        }
        assert.fail(`20 stops before ${wanted}`);
    };
    await page.focus("#timeline");
    await tabTo("#tab-findings");
    // The arrows lead from one to the next; Tab comes back to the last one.
    await page.focus("#timeline");
    await tabTo("#headers .track");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const row = () => page.evaluate(() => document.activeElement?.closest(".track")?.dataset.name);
    assert.equal(await row(), "Capability 0");
    assert.equal(await stops(), 1);
    await page.focus("#clock");
    await page.keyboard.press("Tab");
    assert.equal(await row(), "Capability 0");
    await page.keyboard.press("ArrowUp");
    assert.equal(await row(), "Capabilities");
    await page.focus("#clock");
    await page.keyboard.press("Tab");
    assert.equal(await row(), "Capabilities");
    // Where the row is gone, another one is a stop.
    await page.keyboard.press("h");
    await until(row, (name) => name !== "Capabilities");
    await page.focus("#clock");
    await page.keyboard.press("Tab");
    assert.ok(await row());
});

onPage("F6 leaves a field, too", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    await page.keyboard.press("/");
    await page.keyboard.type("type:GC");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#tab-search[aria-selected=true]");
    await page.keyboard.press("F6");
    assert.equal(await focused(page), "tab-search");
});

onPage("Esc on a finding's button leads to its title, since the button goes", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    const [first] = await ids(page);
    await page.focus("log-findings .finding .head");
    await page.keyboard.press("Enter");
    await page.focus("log-findings .finding[data-chosen] .show");
    await page.keyboard.press("Escape");
    await until(
        () => focusedFinding(page),
        (id) => id === first,
    );
    assert.equal(await chosen(page), "");
});

onPage(
    "N moves the focus to the title of what it chooses, if the focus is in the drawer; arrows go along the titles",
    AT_FIRST,
    async (page) => {
        await openCorpus(page, LOG);
        const [first, second] = await ids(page);
        await page.focus("#timeline");
        await page.keyboard.press("n");
        await until(
            () => chosen(page),
            (id) => id === first,
        );
        assert.equal(await focused(page), "timeline");
        await page.focus("#tab-findings");
        await page.keyboard.press("n");
        await until(
            () => focusedFinding(page),
            (id) => id === second,
        );
        assert.equal(await chosen(page), second);
        // The buttons of the finding come next.
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.closest(".finding")?.dataset.finding), second);
        await page.keyboard.press("Shift+Tab");
        // An arrow chooses nothing.
        await page.keyboard.press("ArrowUp");
        assert.deepEqual([await focusedFinding(page), await chosen(page)], [first, second]);
        await page.keyboard.press("ArrowUp");
        assert.equal(await focusedFinding(page), first);
        await page.keyboard.press("ArrowDown");
        assert.equal(await focusedFinding(page), second);
        // From another tab, whose contents had the focus.
        await page.keyboard.press("F6");
        await page.click("#tab-gc");
        await page.keyboard.press("Shift+N");
        await until(
            () => focusedFinding(page),
            (id) => id === first,
        );
    },
);

onPage("Esc closes what was opened last: the details, then the evidence", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    await page.focus("#timeline");
    await page.keyboard.press("n");
    await until(
        () => evidence(page),
        (box) => box !== null,
    );
    const { left, y, roles } = await lane(page, "Capability 0");
    for (let at = 0.5; (await page.locator("#details").isHidden()) && at < 1; at += 0.02) {
        await page.mouse.click(left + roles.length * at, y);
        await page.waitForTimeout(100);
    }
    await page.waitForSelector("#details:not([hidden])");
    await page.mouse.move(600, 300);
    await page.keyboard.press("Escape");
    await page.waitForSelector("#details[hidden]", { state: "attached" });
    assert.notEqual(await evidence(page), null);
    assert.notEqual(await chosen(page), "");
    const { from } = await shown(page);
    assert.ok(from >= 0);
    await page.keyboard.press("Escape");
    await until(
        () => evidence(page),
        (box) => box === null,
    );
});

onPage("a key that leads nowhere else says so", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    const single = await page.$$eval(
        "log-findings",
        ([list]) => list.findings.findings.find(({ evidence, level }) => level === "warning" && evidence.length === 1)?.id,
    );
    assert.ok(single);
    await page.click(`log-findings .finding[data-finding="${single}"] .head`);
    await page.keyboard.press("e");
    await until(
        () => page.innerText("#noted"),
        (text) => text === "This finding has one place only",
    );
    // Of several findings, one is left.
    for (const id of await ids(page)) {
        if (id === single) continue;
        await page.evaluate((id) => document.querySelector("log-findings").acts.dismiss(id), id);
    }
    await page.focus("#timeline");
    for (const text of ["", "This is the only finding"]) {
        await page.keyboard.press("n");
        if (text)
            await until(
                () => page.innerText("#noted"),
                (noted) => noted === text,
            );
    }
});

onPage(
    "PageDown scrolls the tracks, or the panel if the focus is at its tabs",
    { ...AT_FIRST, viewport: { width: 1280, height: 500 } },
    async (page) => {
        await openCorpus(page, LOG);
        const tops = () => page.evaluate(() => ["timeline", "panel"].map((id) => Math.round(document.getElementById(id).scrollTop)));
        await page.keyboard.press("PageDown");
        const [tracks, panel] = await until(tops, ([tracks]) => tracks > 0);
        assert.equal(panel, 0);
        await page.focus("#tab-findings");
        await page.keyboard.press("PageDown");
        assert.equal((await until(tops, ([, panel]) => panel > 0))[0], tracks);
        await page.keyboard.press("PageUp");
        await until(tops, ([, panel]) => panel === 0);
    },
);
