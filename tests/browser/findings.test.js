// The tab Findings: the account, the list, and the evidence on the timeline.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chooseTab, corpus, onPage, openCorpus, state } from "./support/page.js";
import { evidence, readTime, select, shown, lane, until } from "./support/see.js";
import { isWhole, view } from "./support/view.js";

/** A log with a warning whose evidence has tracks and times. */
const LOG = "returned";

/** What the command line says of a log. */
const summaryOf = (log) => JSON.parse(execFileSync(process.env.GHC_EVENTLOG, ["summary", "--json", corpus(log)], { encoding: "utf8" }));

const { findings: EXPECTED, account: ACCOUNT } = summaryOf(LOG);
const FOUND = EXPECTED.filter(({ level }) => level === "warning" || level === "info");

const AT_FIRST = { tab: null };

const findings = (page) => page.locator("log-findings .finding");
const chosen = (page) => page.locator("log-findings .finding[data-chosen]");
const head = (page, id) => page.locator(`log-findings .finding[data-finding="${id}"] .head`);
/** Unfolds the list of the account's parts. */
const listParts = (page) => page.click("log-findings .list-parts");
const idOf = (finding) => finding.getAttribute("data-finding");

/** Waits until the timeline shows evidence, or none. */
const seen = (page, isThere) =>
    until(
        () => evidence(page),
        (box) => (box !== null) === isThere,
    );

/** The place of the rows and of the view: what Esc returns to. */
const place = async (page) => ({
    view: await shown(page),
    top: await page.$eval("#timeline", (timeline) => timeline.scrollTop),
    folded: await page.$$eval("#headers [aria-expanded]", (all) => all.map((heading) => heading.getAttribute("aria-expanded")).join()),
});

onPage("it is the first tab, open at first, and counts warnings and infos", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    const tabs = page.locator("#drawer [role=tab]");
    assert.equal(await tabs.first().getAttribute("id"), "tab-findings");
    assert.equal(await tabs.first().getAttribute("aria-selected"), "true");
    const [warnings, infos] = ["warning", "info"].map((level) => FOUND.filter((finding) => finding.level === level).length);
    assert.ok(warnings > 0 && infos > 0);
    const marks = await tabs.first().locator(".count").innerText();
    assert.equal(marks.replace(/\s+/g, " "), `▲ ${warnings} ● ${infos}`);
    // In words for those who hear it.
    const words = `${warnings} warning${warnings === 1 ? "" : "s"}, ${infos} info${infos === 1 ? "" : "s"}`;
    assert.equal(await page.getByRole("tab", { name: `Findings ${words}`, exact: true }).count(), 1);
    assert.ok((await tabs.first().getAttribute("title")).startsWith(`${words} in the log`));
    assert.ok((await page.innerText("log-findings .verdict")).length > 20);
    assert.deepEqual(
        await findings(page).evaluateAll((all) => all.map(({ dataset }) => dataset.finding)),
        FOUND.map(({ id }) => id),
    );
    // A level is a sign and a word.
    for (const text of await findings(page).locator(".head").allInnerTexts()) assert.match(text, /^[▲●]\s+(Warning|Info)\s+\S/);
});

onPage("the account adds up, and a part leads to its longest stretch", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    assert.equal(await page.locator("log-findings .account-list").first().isVisible(), false);
    await listParts(page);
    const entries = await page.$$eval("log-findings .account-list [data-part]", (all) =>
        all.map((entry) => ({ key: entry.dataset.part, share: entry.querySelector("b").textContent, hint: entry.title })),
    );
    const shares = entries.map(({ share }) => Number.parseFloat(share.replace(/^[<>] /, "")));
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 0.5, shares.join());
    for (const { key, hint } of entries) {
        // Each has a sentence that explains it.
        assert.match(hint.replace(/ Click to .*$/, ""), /^[^:].*: .+ %, .+\. [A-Z].+\.$/, key);
    }
    const running = page.locator('log-findings .account-list [data-part="running_ns"]');
    const ns = readTime(await running.locator(".muted").innerText()).ns;
    assert.ok(Math.abs(ns - ACCOUNT.running_ns) < ACCOUNT.running_ns * 1e-3);
    const bar = await page.$$eval("log-findings .account-bar .part", (all) => all.map((part) => part.getBoundingClientRect().width));
    assert.equal(bar.length, entries.length);
    assert.ok(Math.min(...bar) > 0);
    // By a click on the bar, and by a key on the list.
    await page.click('log-findings .account-bar [data-part="running_ns"]');
    const title = () => page.textContent("#details h2");
    await page.waitForSelector("#details:not([hidden])");
    const byClick = await title();
    await view(page, (seen) => !isWhole(seen));
    await seen(page, true);
    assert.equal(await running.getAttribute("aria-current"), "true");
    // One press takes the frame and the selection away, and shows again what was shown.
    await page.mouse.move(600, 300);
    await page.keyboard.press("Escape");
    await page.waitForSelector("#details[hidden]", { state: "attached" });
    await seen(page, false);
    await view(page, isWhole);
    // Idle time has nothing to select, but can be seen.
    await page.locator('log-findings .account-list button[data-part^="idle_ns"]').first().click();
    await seen(page, true);
    await page.keyboard.press("Escape");
    await seen(page, false);
    await running.focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("#details:not([hidden])");
    assert.equal(await title(), byClick);
});

onPage("the account is of the selected range, and says so where it is not", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    const { y, left } = await lane(page, "Capability 0");
    const whole = await page.innerText("log-findings .account h3");
    await select(page, left + 300, left + 500, y);
    const text = await until(
        () => page.innerText("log-findings .account h3"),
        (text) => text !== whole,
    );
    const chip = await page.innerText("#drawer .chip .range");
    assert.ok(text.includes(chip.split(" · ")[1]) || text.includes("of the whole log"), `${text} for ${chip}`);
});

onPage("choosing a finding lays its evidence over the timeline; Esc takes it away, and all is as before", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    await view(page, isWhole);
    const before = await place(page);
    assert.equal(await evidence(page), null);
    const first = FOUND.find(({ evidence }) => evidence.length > 0);
    await head(page, first.id).click();
    const box = await seen(page, true);
    assert.ok(box.right > box.left && box.bottom > box.top);
    assert.equal(await idOf(chosen(page)), first.id);
    assert.equal(await head(page, first.id).getAttribute("aria-expanded"), "true");
    assert.equal(await chosen(page).locator(".evidence li").count(), first.evidence.length);
    // The frame is where the evidence is, as far as that is in view.
    const [piece] = first.evidence;
    const { from, to } = await shown(page);
    const length = Math.max(...EXPECTED.flatMap(({ evidence }) => evidence.map(({ to_ns }) => to_ns)));
    assert.ok(
        from * length <= piece.from_ns + length * 0.01 && to * length >= piece.to_ns - length * 0.05,
        JSON.stringify({ from, to, piece }),
    );
    await page.mouse.move(600, 300);
    await page.keyboard.press("Escape");
    await seen(page, false);
    await view(page, isWhole);
    assert.deepEqual(await place(page), before);
    assert.equal(await chosen(page).count(), 0);
});

onPage("N and Shift+N go along the findings, E along the evidence, also from another tab; the help lists them", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    await chooseTab(page, "gc");
    const ids = FOUND.map(({ id }) => id);
    await page.focus("#timeline");
    for (const id of [...ids, ids[0]]) {
        await page.keyboard.press("n");
        await page.waitForSelector(`log-findings .finding[data-chosen][data-finding="${id}"]`);
    }
    await page.keyboard.press("Shift+N");
    await page.waitForSelector(`log-findings .finding[data-chosen][data-finding="${ids.at(-1)}"]`);
    const several = FOUND.find(({ evidence }) => evidence.length > 1);
    if (several) {
        await head(page, several.id).click();
        const current = () => chosen(page).locator(".evidence [aria-current]").innerText();
        const first = await current();
        await page.focus("#timeline");
        await page.keyboard.press("e");
        const second = await until(current, (text) => text !== first);
        await page.keyboard.press("Shift+E");
        assert.equal(await until(current, (text) => text !== second), first);
    }
    await page.keyboard.press("?");
    const help = await page.innerText("#keys");
    for (const text of ["next finding", "next place", "opened last"]) assert.ok(help.includes(text), text);
});

onPage("a piece of evidence is a link; back in the history leads to before", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    await view(page, isWhole);
    const { id } = FOUND.find(({ evidence }) => evidence.length > 0);
    await head(page, id).click();
    await seen(page, true);
    // A view that rests becomes an entry of the history.
    await page.waitForTimeout(700);
    const entry = chosen(page).locator(".evidence button").last();
    await entry.click();
    assert.equal(await entry.getAttribute("aria-current"), "true");
    await page.waitForTimeout(700);
    while (!isWhole(await shown(page))) {
        await page.goBack();
        await page.waitForTimeout(200);
    }
    await seen(page, false);
    assert.equal(await chosen(page).count(), 0);
});

onPage("a dismissed finding stays dismissed after a reload, and can be restored", { ...AT_FIRST, restarts: true }, async (page) => {
    await openCorpus(page, LOG);
    const [{ id }] = FOUND;
    await head(page, id).click();
    await chosen(page).locator(".dismiss").click();
    await page.waitForSelector("log-findings details.dismissed");
    // The focus is not lost with the button.
    assert.equal(await page.evaluate(() => document.activeElement.closest("log-findings") !== null), true);
    assert.equal(await findings(page).count(), FOUND.length - 1);
    assert.equal(await evidence(page), null);
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, LOG);
    assert.equal(await findings(page).count(), FOUND.length - 1);
    assert.equal(await page.innerText("log-findings details.dismissed summary"), "1 dismissed");
    await page.click("log-findings details.dismissed summary");
    await page.click("log-findings details.dismissed .restore");
    await page.waitForSelector(`log-findings .finding[data-finding="${id}"]`);
    assert.equal(await page.locator("log-findings details.dismissed").count(), 0);
});

onPage(
    "a finding is copied as Markdown with a link, and the link opens with it chosen",
    { ...AT_FIRST, restarts: true, permissions: ["clipboard-read", "clipboard-write"] },
    async (page) => {
        await openCorpus(page, LOG);
        const { id, title, evidence } = FOUND.find(({ evidence }) => evidence.length > 0);
        await head(page, id).click();
        await chosen(page).locator(".copy-finding").click();
        await page.waitForFunction(() => document.getElementById("announcer").textContent === "Finding copied");
        const text = await page.evaluate(() => navigator.clipboard.readText());
        assert.ok(text.includes(title), text);
        // Where it is read, nobody sees which log it is about.
        const args = (await page.getAttribute("#program", "title")).split(" ").slice(1).join(" ");
        for (const about of [await page.innerText("#program"), "log.eventlog", "GHC", args])
            assert.ok(text.includes(about), `${about}: ${text}`);
        const [, link] = /\[[^\]]+\]\(<([^>]+)>\)\s*$/.exec(text) ?? assert.fail(text);
        assert.match(link, new RegExp(`#.*finding=${id}`));
        assert.equal(new URL(page.url()).hash.includes(`finding=${id}`), true);
        assert.ok(evidence.length > 0);
        await page.goto("about:blank");
        await page.goto(link);
        await state(page, "empty");
        await openCorpus(page, LOG);
        await seen(page, true);
        assert.equal(await idOf(chosen(page)), id);
        const { from, to } = await shown(page);
        assert.ok(!isWhole({ from, to }) || evidence[0].label.includes("whole"), JSON.stringify({ from, to }));
    },
);

onPage("a part of the account in the address is shown, also after a reload", { ...AT_FIRST, restarts: true }, async (page) => {
    await openCorpus(page, LOG);
    await listParts(page);
    await page.locator('log-findings .account-list button[data-part^="idle_ns"]').first().click();
    await seen(page, true);
    await page.waitForFunction(() => location.hash.includes("finding=account.idle_ns"));
    const { hash } = new URL(page.url());
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, LOG);
    await seen(page, true);
    assert.equal(/finding=[^&]*/.exec(new URL(page.url()).hash)[0], /finding=[^&]*/.exec(hash)[0]);
    assert.equal(await page.locator('log-findings .account-list [data-part^="idle_ns"][aria-current="true"]').count(), 1);
});

onPage("rules that do not apply say why, with the flag that each needs", AT_FIRST, async (page) => {
    await openCorpus(page, "only-messages");
    const { findings: expected } = summaryOf("only-messages");
    const missing = expected.filter(({ level }) => level === "not_applicable");
    assert.ok(missing.some(({ needs }) => needs));
    await page.click("log-findings details.not-applicable summary");
    for (const { id, needs } of missing) {
        const text = await page.innerText(`log-findings details.not-applicable [data-finding="${id}"]`);
        if (needs) assert.ok(text.includes(`Needs ${needs}`), text);
    }
});

onPage("another log has no finding chosen, and the address no longer names it", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    await head(page, FOUND[0].id).click();
    await page.waitForFunction(() => location.hash.includes("finding="));
    await openCorpus(page, "heap-type");
    assert.equal(await chosen(page).count(), 0);
    await page.waitForFunction(() => !location.hash.includes("finding="));
});

onPage("the open tab is printed: verdict, account and findings with what to try", AT_FIRST, async (page) => {
    await openCorpus(page, LOG);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const text = await page.innerText("log-findings");
    assert.ok(text.includes("Try:"), text);
    assert.equal(await page.locator("log-findings button:visible").count(), 0);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.ok((await page.locator("log-findings button:visible").count()) > 0);
});

for (const colorScheme of ["light", "dark"]) {
    onPage(
        `in a narrow window, ${colorScheme}, nothing of it is wider than the panel`,
        { ...AT_FIRST, colorScheme, viewport: { width: 420, height: 800 } },
        async (page) => {
            await openCorpus(page, LOG);
            await head(page, FOUND[0].id).click();
            const wider = await page.$eval("#panel", (panel) => panel.scrollWidth - panel.clientWidth);
            assert.ok(wider <= 0, `${wider} too wide`);
        },
    );
}
