// How a log begins: chosen from several, at its top, with a tab that has something to show.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chooseTab, corpus, drop, dropAll, file, onPage, openCorpus, state } from "./support/page.js";
import { writeSmall } from "./support/eventlog.js";
import { until } from "./support/see.js";

const names = (page) => page.$$eval("#choose-list li button", (all) => all.map(({ firstElementChild }) => firstElementChild.textContent));
const program = (page) => page.textContent("#program");
const chosen = (page) => page.$eval("#drawer [aria-selected=true]", (tab) => tab.id);

onPage("of several files that are dropped at once the user chooses one, and can come back for another", {}, async (page) => {
    await openCorpus(page, "messages");
    const files = { "a.eventlog": readFileSync(corpus("single")), "b.eventlog": readFileSync(corpus("threaded")) };
    await dropAll(page, "body", files);
    await state(page, "choosing");
    assert.equal(await page.textContent("#choose-title"), "Which of these 2 files?");
    assert.deepEqual(await names(page), ["a.eventlog", "b.eventlog"]);
    // Cancel leads back to the log that was open.
    await page.click("#choose-none");
    await state(page, "ready");
    assert.equal(await program(page), "messages");
    await dropAll(page, "body", files);
    await state(page, "choosing");
    await page.click("#choose-list li:nth-child(2) button");
    await page.waitForFunction(() => document.getElementById("program").textContent === "threaded");
    await state(page, "ready");
    await page.click("#others");
    await state(page, "choosing");
    assert.deepEqual(await names(page), ["a.eventlog", "b.eventlog"]);
    await page.click("#choose-list li:nth-child(1) button");
    await page.waitForFunction(() => document.getElementById("program").textContent === "single");
    await state(page, "ready");
    // A file that comes alone has no others.
    await drop(page, "body", corpus("threaded"));
    await page.waitForFunction(() => document.getElementById("program").textContent === "threaded");
    assert.equal(await page.$("#others"), null);
});

onPage("if the chosen one of several files is no log, another one can be chosen", {}, async (page) => {
    await dropAll(page, "body", { "a.eventlog": readFileSync(corpus("single")), "notes.txt": Buffer.from("no log at all") });
    await state(page, "choosing");
    await page.click("#choose-list li:nth-child(2) button");
    await state(page, "error");
    assert.match(await page.textContent("#error"), /notes\.txt cannot be shown/);
    await page.click("#error-others");
    await state(page, "choosing");
    assert.deepEqual(await names(page), ["a.eventlog", "notes.txt"]);
    await page.click("#choose-list li:nth-child(1) button");
    await state(page, "ready");
    // The log has the others, too; a file that fails alone offers none.
    assert.ok(await page.$("#others"));
    await page.setInputFiles("#open-file", file("alone.txt", Buffer.from("no log at all")));
    await page.waitForFunction(() => /alone\.txt cannot/.test(document.getElementById("error").textContent));
    assert.equal(await page.$("#error-others"), null);
});

onPage("many files that are dropped at once can be searched by name", {}, async (page) => {
    const log = readFileSync(corpus("single"));
    await dropAll(page, "body", Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`run-${at}.eventlog`, log])));
    await state(page, "choosing");
    await page.locator("#choose-filter").pressSequentially("RUN-17");
    await until(
        () => names(page),
        (found) => found.join() === "run-17.eventlog",
    );
    await page.click("#choose-list li button");
    await state(page, "ready");
    assert.match(await page.textContent("#facts"), /run-17\.eventlog/);
});

onPage("several files can be chosen with the button, too", {}, async (page) => {
    await page.setInputFiles("#open-file", [corpus("single"), corpus("cut-in-event")]);
    await state(page, "choosing");
    await page.click("#choose-none");
    await state(page, "empty");
});

onPage("a folder that is dropped is named as what it is; with files beside it, those open", {}, async (page) => {
    await page.evaluate(() => {
        const { webkitGetAsEntry } = DataTransferItem.prototype;
        DataTransferItem.prototype.webkitGetAsEntry = function () {
            return this.getAsFile().name === "logs" ? { isDirectory: true } : webkitGetAsEntry.call(this);
        };
    });
    await dropAll(page, "body", { logs: [] });
    await state(page, "error");
    assert.match(await page.textContent("#error"), /^logs cannot be shown\. This is a folder\. Open it, and drop a log/);
    await dropAll(page, "body", { logs: [], "a.eventlog": readFileSync(corpus("single")) });
    await state(page, "ready");
    assert.equal(await program(page), "single");
});

onPage("the bar shows the program's name, and its path in the tooltip", {}, async (page) => {
    await openCorpus(page, "threaded");
    assert.equal(await program(page), "threaded");
    assert.match(await page.getAttribute("#program", "title"), /^\.\/threaded/);
    const names = { "C:\\work\\prog.exe": "prog.exe", "/a b/c\\d": "c\\d", "/": "/", "prog\u200b": "prog\\u200b" };
    for (const [path, name] of Object.entries(names)) {
        await page.setInputFiles("#open-file", file("a.eventlog", writeSmall({ args: [path], labels: ["a"] })));
        await page.waitForFunction((name) => document.getElementById("program").textContent === name, name);
    }
});

onPage(
    "a tab stays if the next log has something for it; else the first one is shown, and comes back",
    { restarts: true },
    async (page) => {
        await openCorpus(page, "heap-type");
        await chooseTab(page, "profile");
        await openCorpus(page, "heap-module");
        assert.equal(await chosen(page), "tab-profile");
        await openCorpus(page, "only-messages");
        await until(
            () => chosen(page),
            (tab) => tab === "tab-findings",
        );
        // A greyed tab that the user chooses stays.
        await chooseTab(page, "profile");
        await page.waitForTimeout(100);
        assert.equal(await chosen(page), "tab-profile");
        await page.reload();
        await openCorpus(page, "only-messages");
        await until(
            () => chosen(page),
            (tab) => tab === "tab-findings",
        );
        await openCorpus(page, "heap-type");
        assert.equal(await chosen(page), "tab-findings", "what is on the screen stays");
    },
);

const LOW = { viewport: { width: 1280, height: 500 } };
onPage("a log begins at its top, and folds are those of its program", LOW, async (page) => {
    const top = () => page.$eval("#timeline", (box) => box.scrollTop);
    const folded = () => page.$eval('.heading button[data-group="caps"]', (heading) => heading.ariaExpanded === "false");
    await openCorpus(page, "threaded");
    await page.click('.heading button[data-group="caps"]');
    await until(folded, (folded) => folded);
    await page.click('.heading button[data-group="threads"]');
    await page.$eval("#timeline", (box) => box.scrollTo(0, 1000));
    await until(top, (top) => top > 20);
    await page.$eval("#panel", (panel) => panel.scrollTo(0, 50));
    await until(
        () => page.$eval("#panel", (panel) => panel.scrollTop),
        (top) => top > 0,
    );
    // Another run of the same program.
    await openCorpus(page, "threaded");
    await until(top, (top) => top === 0);
    assert.ok(await folded());
    assert.equal(await page.$eval("#panel", (panel) => panel.scrollTop), 0);
    await page.$eval("#timeline", (box) => box.scrollTo(0, 1000));
    await until(top, (top) => top > 20);
    await openCorpus(page, "sparks");
    await until(top, (top) => top === 0);
    assert.ok(!(await folded()), "another program's");
    assert.doesNotMatch(page.url(), /tracks=/);
});
