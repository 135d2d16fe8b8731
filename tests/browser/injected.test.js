// One hostile log for everything that is written about a log: none of its text becomes markup, script, a link, a mention or a formula, in
// the page, its tables as text, its Markdown, the saved page, a report with its picture, and the command line's Markdown.

import { after } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SAVES, onPage, state } from "./support/page.js";
import { writeSmall } from "./support/eventlog.js";
import { until } from "./support/see.js";

const { DIST, GHC_EVENTLOG } = process.env;
const EVIL = [
    '=1+1"\'><img id=injected src=x onerror="globalThis.injected = 1">',
    "</script><script id=injected>globalThis.injected = 1</script><!--",
    "</title></textarea></svg><svg id=injected onload='globalThis.injected = 1'>",
    "[x](javascript:alert(1)) ![x](//evil.example/x.png) @everyone #1 | `a` ``` ~~~",
    "\n\n<details id=injected>\n\n# heading\n\n- item",
];
const NAME = "<img id=injected src=x onerror=globalThis.injected=1>`@everyone`.eventlog";

const folder = mkdtempSync(join(tmpdir(), "injected-"));
after(() => rmSync(folder, { recursive: true }));
const log = join(folder, NAME);
writeFileSync(log, writeSmall({ args: EVIL, labels: EVIL, env: EVIL.map((text, at) => `NAME${at}=${text}`) }));

/** Checks that none of it has become part of the document, or has run. */
async function isClean(page) {
    const found = await page.evaluate(() => {
        const roots = [document, ...[...document.querySelectorAll("*")].flatMap((part) => part.shadowRoot ?? [])];
        const all = roots.flatMap((root) => [...root.querySelectorAll("*")]);
        const isHandler = ({ name }) => name.startsWith("on");
        return [
            ...all.filter((part) => part.id === "injected" || part.localName === "foreignobject").map((part) => part.outerHTML),
            ...all.filter((part) => [...part.attributes].some(isHandler)).map((part) => part.outerHTML),
            ...all
                .filter((part) => /^(javascript:|\/\/evil)/.test(part.getAttribute("href") ?? part.getAttribute("src") ?? ""))
                .map((part) => part.outerHTML),
            ...(globalThis.injected ? ["a script has run"] : []),
        ];
    });
    assert.deepEqual(found, []);
}

/** Checks that a page from the disk is clean, with scripts and without, and shows the texts as text. */
async function isCleanFile(page, path) {
    for (const javaScriptEnabled of [true, false]) {
        const context = await page.context().browser().newContext({ javaScriptEnabled });
        const read = await context.newPage();
        await read.goto(pathToFileURL(path).href);
        if (javaScriptEnabled) await read.waitForSelector('html[data-state="ready"]');
        await isClean(read);
        assert.match(await read.locator("#report").evaluate((report) => report.textContent), /<img id=injected src=x/);
        await context.close();
    }
}

/** Checks that Markdown contains the texts only as code, which is neither markup nor a mention. */
function isCleanMarkdown(text) {
    assert.match(text, /<img id=injected/);
    // Spans and indented blocks of code.
    const plain = text.replace(/\n\n( {4}.*\n)+/g, "\n\n").replace(/(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "");
    for (const piece of ["<img", "<script", "<svg", "<details id", "javascript:", "@everyone", "# heading", "evil.example"]) {
        assert.ok(!plain.includes(piece), `${piece} in ${plain}`);
    }
    for (const line of text.split("\n")) assert.doesNotMatch(line, /^(# heading|- item|=1\+1)/);
}

const OPTIONS = { ...SAVES, permissions: ["clipboard-read", "clipboard-write"] };

onPage("any text in a log stays text in all that is written about it", OPTIONS, async (page) => {
    await page.setInputFiles("#open-file", log);
    await state(page, "ready");
    for (const tab of await page.$$("[role=tab]")) {
        await tab.click({ force: true });
        await page.waitForSelector("#panel:not([aria-busy])", { state: "attached" });
        await isClean(page);
    }
    await page.click("#tab-threads");
    await page.waitForSelector("#panel:not([aria-busy]) log-table .copy");
    await page.click("log-table .copy");
    await until(
        () => page.textContent("#announcer"),
        (text) => text === `${EVIL.length} rows copied`,
    );
    const tsv = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(tsv.trimEnd().split("\n").length, 1 + EVIL.length, "a line for each thread");
    assert.doesNotMatch(tsv, /(^|\t)=/m);
    await page.click("#tab-summary");
    await page.click("#copy-summary");
    await until(
        () => page.textContent("#announcer"),
        (text) => text === "Summary copied",
    );
    isCleanMarkdown(await page.evaluate(() => navigator.clipboard.readText()));

    await page.click("#save-page");
    await page.getByRole("checkbox").press("Space");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#saving-start")]);
    await download.saveAs(join(folder, "saved.html"));
    await isCleanFile(page, join(folder, "saved.html"));

    execFileSync(GHC_EVENTLOG, ["report", "--env", "--viewer", join(DIST, "viewer.html"), "-o", "report.html", NAME], {
        cwd: folder,
        stdio: "pipe",
    });
    await isCleanFile(page, join(folder, "report.html"));
    isCleanMarkdown(execFileSync(GHC_EVENTLOG, ["summary", "--markdown", "--env", NAME], { cwd: folder, encoding: "utf8" }));
});
