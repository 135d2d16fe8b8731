// Links from places in the source: set in a dialog, given by an attribute, kept in a saved page; and refused where they could do harm.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { SAVES, chooseTab, onPage, openCorpus } from "./support/page.js";
import { until } from "./support/see.js";

const TEMPLATE = "https://example.org/me/it/blob/{commit}/{file}#L{line}";

const open = async (page) => {
    await openCorpus(page, "torn");
    await chooseTab(page, "profile");
    await page.waitForSelector("log-call-tree tbody tr[aria-level]");
};

const links = (page, within) =>
    page.$$eval(`${within} a.source`, (all) =>
        all.map(({ href, target, rel, textContent }) => ({ href, target, rel, text: textContent.trim() })),
    );

const field = (page, name) => page.locator("#sources").getByRole("textbox", { name, exact: true });

async function set(page, template, commit) {
    await page.getByRole("button", { name: "Set a link to your sources…" }).first().click();
    await field(page, "Address").fill(template);
    await field(page, "Commit").fill(commit);
    await page.keyboard.press("Enter");
}

onPage(
    "without a link, places are text, and one is offered; with one, they are links in tables, the tree and details",
    { restarts: true },
    async (page) => {
        await open(page);
        assert.deepEqual(await links(page, "#panel"), []);
        await set(page, TEMPLATE, "1f2e3d");
        const tree = await until(
            () => links(page, "log-call-tree"),
            (all) => all.length > 0,
        );
        assert.deepEqual(tree[0], {
            href: "https://example.org/me/it/blob/1f2e3d/Heap.hs#L17",
            target: "_blank",
            rel: "noopener noreferrer",
            text: "Heap.hs:(17,1)-(34,18)",
        });
        assert.ok((await links(page, "log-table")).length > 0);
        // <built-in> is no place.
        assert.ok((await page.locator("log-call-tree td", { hasText: "<built-in>" }).count()) > 0);
        assert.equal(await page.locator("a.source", { hasText: "<built-in>" }).count(), 0);
        await page.locator("log-call-tree tr", { hasText: "main" }).first().locator(".call-name").click();
        await until(
            () => links(page, ".flame-said"),
            (all) => all.length === 1,
        );
        // By keys: the tree's row is where they are.
        await page.focus("log-call-tree table");
        await page.evaluate(() => {
            const noted = (event) => {
                const link = event.composedPath().find((part) => part.localName === "a");
                if (!link) return;
                event.preventDefault();
                document.title = link.href;
            };
            addEventListener("click", noted, true);
        });
        await page.keyboard.press("Control+Enter");
        assert.equal(await page.title(), "https://example.org/me/it/blob/1f2e3d/Heap.hs#L17");
        // It is remembered.
        await page.reload();
        await open(page);
        await until(
            () => links(page, "log-call-tree"),
            (all) => all.length > 0,
        );
        await page.getByRole("button", { name: "Link to your sources…" }).first().click();
        assert.equal(await field(page, "Address").textContent(), TEMPLATE);
        await page.getByRole("button", { name: "No links" }).click();
        await until(
            () => links(page, "#panel"),
            (all) => all.length === 0,
        );
    },
);

onPage("a link that could run a script is refused, and the dialog says why", {}, async (page) => {
    await open(page);
    await set(page, "javascript:alert(1)//{file}", "");
    await until(
        () => page.textContent("#sources-fault"),
        (text) => text.startsWith("A link begins with https://"),
    );
    await field(page, "Address").fill(TEMPLATE);
    await page.keyboard.press("Enter");
    await until(
        () => page.textContent("#sources-fault"),
        (text) => text.includes("say which commit"),
    );
    await page.keyboard.press("Escape");
    assert.deepEqual(await links(page, "#panel"), []);
});

onPage("the page's author can give one, which must be harmless as well", {}, async (page) => {
    await open(page);
    const give = (attributes) =>
        page.evaluate((attributes) => {
            const viewer = document.querySelector("ghc-eventlog-viewer");
            for (const [name, value] of Object.entries(attributes)) viewer.setAttribute(name, value);
        }, attributes);
    await give({ "source-url": "javascript:alert(1)//{file}" });
    await until(
        () => page.textContent("#announcer"),
        (text) => text.startsWith("The page's link to the sources is not used."),
    );
    assert.deepEqual(await links(page, "#panel"), []);
    await give({ "source-url": TEMPLATE, commit: "abc" });
    const all = await until(
        () => links(page, "log-call-tree"),
        (all) => all.length > 0,
    );
    assert.ok(all[0].href.startsWith("https://example.org/me/it/blob/abc/"));
});

onPage("a saved page has it", SAVES, async (page) => {
    await open(page);
    await set(page, TEMPLATE, '1"><b>');
    await until(
        () => links(page, "log-call-tree"),
        (all) => all.length > 0,
    );
    await chooseTab(page, "summary");
    await page.click("#save-page");
    await page.waitForSelector("#saving[open]");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#saving-start")]);
    const saved = readFileSync(await download.path(), "utf8");
    assert.ok(saved.includes(`data-source-url="${TEMPLATE}" data-commit="1&quot;`), saved.match(/data-log=[^>]{0,300}/)?.[0]);
});
