// Links: what they lead to, what they say where the file is missing or another one is opened, and a log that is opened again.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { chooseTab, corpus, onPage, openCorpus, state } from "./support/page.js";
import { described, until } from "./support/see.js";
import { isWhole, near, opened, pressTimes, view, width } from "./support/view.js";

const COPIES = { permissions: ["clipboard-read", "clipboard-write"], restarts: true };

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

/** What is on the clipboard after something has been copied there. */
async function copied(page, act) {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await act();
    return until(
        () => clipboard(page),
        (text) => text !== "",
    );
}

/** Opens a link as a stranger does: nothing is remembered from before. */
async function visit(page, link) {
    await page.evaluate(() => localStorage.clear());
    // What the page remembers when it is left is gone, too.
    await page.goto("about:blank");
    await page.goto(link);
    await state(page, "empty");
    await page.evaluate(() => localStorage.clear());
}

const notice = (page) => page.textContent("#about-link").then((text) => text.replace(/\s+/g, " ").trim());

onPage("a link to a file's view says which file to drop, and shows the view when it is", COPIES, async (page) => {
    await opened(page);
    await page.keyboard.press(".");
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
    const selected = await described(page, "#details");
    await page.keyboard.press("f");
    const seen = await view(page, (seen) => width(seen) < 0.1);
    await chooseTab(page, "gc");
    const link = await copied(page, () => page.keyboard.press("y"));
    assert.match(await page.textContent("#announcer"), /^Link copied\. It needs the file log\.eventlog \(33\.\d KiB\)$/);
    const { hash } = new URL(link);
    assert.match(hash, /file=log\.eventlog/);
    assert.ok(hash.includes(`size=${statSync(corpus("threaded")).size}`), hash);
    await visit(page, link);
    assert.match(await page.textContent("#linked-file"), /^Drop log\.eventlog \(33\.\d KiB\) here to see what this link points to$/);
    await openCorpus(page, "threaded");
    await view(page, (now) => near(now.from, seen.from, 0.004) && near(now.to, seen.to, 0.004));
    await page.waitForSelector("#details dl");
    assert.deepEqual((await described(page, "#details")).fields, selected.fields);
    assert.equal(await page.getAttribute("#tab-gc", "aria-selected"), "true");
    assert.equal(await notice(page), "");
});

onPage(
    "another log than the link's is shown as it is, and the page says so; its notes come only if one wants them",
    COPIES,
    async (page) => {
        await opened(page);
        await page.keyboard.press("m");
        await page.waitForSelector("#noting[open]");
        await page.keyboard.type("look here");
        await page.keyboard.press("Control+Enter");
        await page.waitForSelector("#noting:not([open])", { state: "attached" });
        await pressTimes(page, "w", 3);
        await view(page, (seen) => width(seen) < 0.4);
        // The address itself names the file, too: it may be copied from there.
        await until(
            () => page.evaluate(() => location.hash),
            (hash) => /notes=/.test(hash) && /file=log\.eventlog/.test(hash),
        );
        const link = await copied(page, () => page.keyboard.press("y"));
        await visit(page, link);
        await openCorpus(page, "single");
        assert.match(await notice(page), /^The link is about log\.eventlog \(33\.\d KiB\)\. This is another log\./);
        assert.ok(isWhole(await view(page, () => true)));
        await chooseTab(page, "notes");
        assert.equal(await page.locator(".notes li").count(), 0);
        assert.doesNotMatch(await page.evaluate(() => location.hash), /notes=|file=/);
        // The link is still good for its own log.
        await openCorpus(page, "threaded");
        await view(page, (seen) => width(seen) < 0.4);
        await chooseTab(page, "notes");
        await page.waitForSelector(".notes li");
        assert.equal(await notice(page), "");
        // And for another one, if one wants that.
        await visit(page, link);
        await openCorpus(page, "single");
        await page.click("#about-link button:has-text('all the same')");
        await chooseTab(page, "notes");
        await page.waitForSelector(".notes li");
        assert.equal(await notice(page), "");
    },
);

onPage("a link that is opened while its log is open is followed, and one about another log is not", COPIES, async (page) => {
    await opened(page);
    const link = await copied(page, async () => {
        await pressTimes(page, "w", 3);
        await view(page, (seen) => width(seen) < 0.4);
        await page.keyboard.press("y");
    });
    await page.keyboard.press("0");
    await view(page, isWhole);
    await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
    const seen = await view(page, (seen) => width(seen) < 0.4);
    await page.evaluate(() => (location.hash = "#file=other.eventlog&size=1&log=1-1&t0=0&t1=1000"));
    await page.waitForFunction(() => /This is another log/.test(document.getElementById("about-link").textContent));
    assert.ok(near(width(await view(page, () => true)), width(seen), 0.003));
});

onPage("links lead to a table's row, a hit, a finding and a note, by mouse and by key", COPIES, async (page) => {
    await openCorpus(page, "threaded");
    await chooseTab(page, "gc");
    const row = page.locator("#table-collections-row-3");
    await row.hover();
    const byMouse = await copied(page, () => row.locator(".row-link").click());
    await page.focus("table[aria-label=Collections]");
    await page.keyboard.press("Home");
    await pressTimes(page, "ArrowDown", 3);
    await until(
        () => page.getAttribute("table[aria-label=Collections]", "aria-activedescendant"),
        (id) => id === "table-collections-row-3",
    );
    const byKey = await copied(page, () => page.keyboard.press("y"));
    assert.equal(byKey, byMouse);
    assert.match(new URL(byKey).hash, /select=\d+,\d+/);
    await page.keyboard.press("/");
    await page.keyboard.type("type:GC_START");
    await page.keyboard.press("Enter");
    const hit = page.locator("log-hits li").first();
    await hit.hover();
    const toHit = await copied(page, () => hit.locator(".row-link").click());
    assert.match(new URL(toHit).hash, /find=type/);
    await visit(page, byKey);
    await openCorpus(page, "threaded");
    await page.waitForSelector("#details dl");
    assert.equal((await described(page, "#details")).fields.Track, "Collections");
});

onPage("a finding's link shows it", COPIES, async (page) => {
    await openCorpus(page, "returned");
    await chooseTab(page, "findings");
    const finding = page.locator(".finding").first();
    await finding.locator(".head").click();
    const id = await finding.getAttribute("data-finding");
    const link = await copied(page, () => finding.locator(".copy-link").click());
    await visit(page, link);
    await openCorpus(page, "returned");
    await page.waitForSelector(`.finding[data-chosen][data-finding="${id}"]`);
});

onPage("a log that is opened again is shown as it was left, with a way to all of it", COPIES, async (page) => {
    await opened(page);
    await pressTimes(page, "w", 3);
    const left = await view(page, (seen) => width(seen) < 0.4);
    // Remembered when the view rests.
    await page.waitForFunction(() => /t0=/.test(localStorage.getItem("ghc-eventlog-viewer.seen") ?? ""));
    await openCorpus(page, "single");
    await view(page, isWhole);
    // What the address says of one log does not keep another one from being shown as it was left.
    await page.keyboard.press("m");
    await page.keyboard.type("here");
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction(() => /notes=/.test(location.hash) && /file=/.test(location.hash));
    assert.equal(await notice(page), "");
    await openCorpus(page, "threaded");
    await view(page, (seen) => near(seen.from, left.from, 0.004) && near(seen.to, left.to, 0.004));
    assert.match(await notice(page), /^Shown as you left it\./);
    await page.click("#about-link button:has-text('Whole log')");
    await view(page, isWhole);
    assert.equal(await notice(page), "");
    // Also after a reload, and back in the history is the whole log, too.
    await pressTimes(page, "w", 3);
    await view(page, (seen) => width(seen) < 0.4);
    await page.waitForFunction(() => /t0=/.test(localStorage.getItem("ghc-eventlog-viewer.seen") ?? ""));
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, "threaded");
    await view(page, (seen) => width(seen) < 0.4);
    await page.waitForTimeout(700);
    await page.goBack();
    await view(page, isWhole);
    // Left as a whole, it is opened as a whole.
    await page.waitForFunction(() => !/t0=/.test(localStorage.getItem("ghc-eventlog-viewer.seen") ?? ""));
    await openCorpus(page, "single");
    await openCorpus(page, "threaded");
    await view(page, isWhole);
    assert.equal(await notice(page), "");
});
