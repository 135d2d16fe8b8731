// Addresses and storages that anybody may have written: the log is shown, and nothing fails.

import { onPage, openCorpus, state } from "./support/page.js";
import { until } from "./support/see.js";

const note = (text) => encodeURIComponent(JSON.stringify([[1000, text]]));

/** Values of a link, whose log is the one that is opened. */
const VALUES = [
    "t0=-1e308&t1=1e308&range=0,1e309&select=9007199254740991,1e308",
    "t0=-5&t1=-1&range=-9,-1&select=-1,-5",
    "t0=1e300&t1=2e300&range=1e30,2e30&select=4294967296,-1e308",
    "t0=NaN&t1=Infinity&range=NaN,&select=,&panel=constructor&finding=__proto__&label=constructor",
    "find=%E0%A4%A&label=%ff&notes=%&rows=%",
    `find=${"a".repeat(100_000)}`,
    `find=${encodeURIComponent(`/${"(".repeat(2000)}/`)}`,
    `find=${encodeURIComponent("/(.{0,100}){0,60}x/")}`,
    "find=type:__proto__&rows=hconstructor,o__proto__,p255.4294967295,d18~tostring",
    `rows=${"h3.1,".repeat(20_000)}`,
    `rows=a3.1~${Array.from({ length: 20_000 }, (_, at) => `3.${at}`).join("~")}`,
    `notes=${note("<img src=x onerror=alert(1)></script><script>alert(1)</script>")}`,
    `notes=${note(`\u202e${"x".repeat(20_000)}\ud800`)}`,
    `notes=${encodeURIComponent("[".repeat(20_000))}`,
];

onPage("whatever a link says, the log is shown", { restarts: true }, async (page) => {
    const { href } = new URL(page.url());
    for (const values of VALUES) {
        await page.goto("about:blank");
        await page.goto(`${href.split("#")[0]}#file=log.eventlog&${values}`);
        await state(page, "empty");
        await openCorpus(page, "threaded");
        await state(page, "ready");
        await page.waitForSelector("#search-field");
        await page.waitForTimeout(300);
        // The page still answers: the same link once more, while the log is open.
        await page.evaluate((hash) => (location.hash = hash), `#file=log.eventlog&${values}`);
        await page.waitForTimeout(300);
        await state(page, "ready");
    }
});

onPage("whatever the storage has, the log is shown, and a note can be written", { restarts: true }, async (page) => {
    const keys = ["notes", "rows", "seen", "views", "views-of-all", "recent", "dismissed", "sources", "hints", "clock", "layout", "theme"];
    for (const value of [
        "{",
        "null",
        "5",
        '[null,5,[null],["a",null],["a",[null,5,{}]]]',
        '{"__proto__":{"x":1},"constructor":7}',
        '[{"name":"<b>","rows":5}]',
    ]) {
        await page.evaluate(
            ([keys, value]) => {
                for (const key of keys) localStorage.setItem(`ghc-eventlog-viewer.${key}`, value);
            },
            /** @type {const} */ ([keys, value]),
        );
        await page.reload();
        await state(page, "empty");
        await openCorpus(page, "threaded");
        await state(page, "ready");
        await page.keyboard.press("m");
        await page.waitForSelector("#noting[open]");
        await page.keyboard.type("a note");
        await page.keyboard.press("Control+Enter");
        await until(
            () => page.evaluate(() => localStorage.getItem("ghc-eventlog-viewer.notes") ?? ""),
            (text) => text.includes("a note"),
        );
    }
});
