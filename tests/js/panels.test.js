// The drawer's tabs, and its layout.

import { test } from "node:test";
import assert from "node:assert/strict";
import { LEAST, MOST, bounded, layoutOf, rememberLayout, rememberedLayout } from "../../web/js/panels/layout.js";
import { shownFacts } from "../../web/js/panels/range-or-whole.js";
import { isMissing } from "../../web/js/facts.js";
import { countedBy, sectionsOf, tabAfter, tabHint, tableSections } from "../../web/js/panels/panel.js";
import { asLines } from "../../web/js/why-none.js";
import { withoutBrowser } from "./without-browser.js";

withoutBrowser();
const { PANELS } = await import("../../web/js/panels/tabs/index.js");

const LAST = PANELS.length - 1;
const KEYS = PANELS.map(({ key }) => key);

test("arrows go from tab to tab and round, Home and End to the first and the last", () => {
    const steps = [
        [0, "ArrowRight", 1],
        [LAST, "ArrowRight", 0],
        [0, "ArrowLeft", LAST],
        [3, "Home", 0],
        [3, "End", LAST],
        [3, "w", null],
    ];
    for (const [at, key, expected] of steps) assert.equal(tabAfter(at, key, PANELS.length), expected, `${key} at ${at}`);
});

const section = (key, parts) => ({ key, name: key, figures: [], tables: [], ...parts });
const figure = (value) => ({ key: "count", name: "Count", unit: "count", value });

test("every empty tab says what it is for, and which flag a log needs", () => {
    assert.equal(new Set(KEYS).size, KEYS.length);
    for (const tab of PANELS.filter(({ what }) => what)) {
        const [what, needs] = asLines(tab, [section(tab.key, { flag: "-lx" })]);
        assert.match(what, /^Not in this log: .+\.$/);
        assert.match(needs, /^A log has it if the program was (built with -[a-z]+ and )?run with \+RTS -lx\.$/);
    }
});

test("where messages were logged and there are none, no flag is advised; where nothing says which it is, both are said", () => {
    const messages = PANELS.find(({ key }) => key === "messages");
    const none = "The program wrote no message.";
    const lines = (parts) => asLines(messages, [section("messages", parts), section("spans", parts)]).slice(1);
    assert.deepEqual(lines({ none }), [none]);
    assert.deepEqual(lines({ none, flag: "-lu" }), [none, "Or it was not logged: a log has it if the program was run with +RTS -lu."]);
    assert.ok(isMissing(section("messages", { none, figures: [figure(0)] })));
});

test("a tab counts the things of the selected range, or none, and says which", () => {
    const counted = (key, count, things) => section(key, { count, things });
    const all = [counted("gc", 40, "collections"), counted("events", 9000, "events"), counted("heap_profile", undefined, "censuses")];
    const texts = (about) =>
        ["gc", "events", "profile"].map((tab) => {
            const panel = PANELS.find(({ key }) => key === tab);
            return tabHint({ what: "x" }, countedBy(panel, about), about.isOfRange);
        });
    assert.deepEqual(texts(shownFacts(all, null)), ["40 collections in the log. X.", "9\u202f000 events in the log. X.", "X."]);
    const ofRange = [counted("gc", 3, "collections"), counted("heap_profile", 2, "censuses")];
    assert.deepEqual(texts(shownFacts(all, ofRange)), [
        "3 collections in the selected range. X.",
        "X.",
        "2 censuses in the selected range. X.",
    ]);
});

test("a section is missing if a flag is missing, and it has no figure and no row", () => {
    assert.ok(isMissing(section("threads", { flag: "-ls", figures: [figure(null), figure(0)], tables: [{ rows: 0 }] })));
    assert.ok(!isMissing(section("threads", { flag: "-ls", figures: [figure(null), figure(3)] })));
    assert.ok(!isMissing(section("threads", { flag: "-ls", tables: [{ rows: 1 }] })));
    // A program without sparks is not a log without them.
    assert.ok(!isMissing(section("sparks", { figures: [figure(0)] })));
});

test("a tab shows its sections, and names the flags of those that are missing", () => {
    const all = [section("heap_profile", { flag: "-l -hT" }), section("gc", {}), section("time_profile", { flag: "-l -p" })];
    const profile = PANELS.find(({ key }) => key === "profile");
    const own = sectionsOf(profile, all);
    assert.deepEqual(
        own.map(({ key }) => key),
        ["heap_profile", "time_profile"],
    );
    const [what, needs] = asLines(profile, own);
    assert.match(what, /^Not in this log: /);
    assert.equal(needs, "A log has it if the program was run with +RTS -l -hT or -l -p.");
    assert.deepEqual(
        sectionsOf(
            PANELS.find(({ key }) => key === "gc"),
            all,
        ),
        [all[1]],
    );
});

test("the tables of sections that no panel shows are in the summary", () => {
    const withTable = (key) => section(key, { tables: [{ key, rows: 1 }] });
    const all = shownFacts(["gc", "caps", "time_profile"].map(withTable), null);
    assert.deepEqual(
        tableSections(all).map(({ key }) => key),
        ["caps"],
    );
});

test("a range shows its own sections and tables, and marked ones of the whole log for those it lacks", () => {
    const table = (key, rows) => ({ key, name: key, columns: [], rows });
    const all = [
        section("process", {}),
        section("gc", { figures: [figure(40)], tables: [table("collections", 40)] }),
        section("threads", { figures: [figure(12)], tables: [table("threads", 12)] }),
    ];
    const ofRange = [
        section("range", {}),
        section("gc", { figures: [figure(4)], tables: [table("collections", 4)] }),
        section("threads", { figures: [figure(3)] }),
    ];
    assert.deepEqual(shownFacts(all, null), { sections: all, isOfRange: false, wholeSections: new Set(), wholeTables: new Set() });
    const { sections, wholeSections, wholeTables } = shownFacts(all, ofRange);
    assert.deepEqual(
        sections.map(({ key }) => key),
        ["range", "process", "gc", "threads"],
    );
    assert.deepEqual(
        sections.map(({ figures }) => figures[0]?.value),
        [undefined, undefined, 4, 3],
    );
    assert.deepEqual(
        sections.map(({ tables }) => tables[0]?.rows),
        [undefined, undefined, 4, 12],
    );
    assert.deepEqual([[...wholeSections], [...wholeTables]], [["process"], ["threads"]]);
});

test("a table without rows in the whole log is left out; one without rows in a range stays", () => {
    const table = (key, rows) => ({ key, name: key, columns: [], rows });
    const all = [section("heap", { tables: [table("returned", 0), table("sizes", 7)] })];
    const ofRange = [section("heap", { tables: [table("returned", 0), table("sizes", 0)] })];
    for (const ranged of [null, ofRange]) {
        const [{ tables }] = shownFacts(all, ranged).sections;
        assert.deepEqual(
            tables.map(({ key }) => key),
            ["sizes"],
        );
    }
});

test("the drawer's height stays within its bounds", () => {
    assert.deepEqual([0, 0.05, 0.3, 0.95].map(bounded), [LEAST, LEAST, 0.3, MOST]);
});

test("nonsense in the stored layout is ignored", () => {
    const first = { share: 0.3, folded: false, tab: "findings" };
    for (const written of [{}, null, 7, "x", { share: "0.5", folded: "yes", tab: "gone" }])
        assert.deepEqual(layoutOf(written, KEYS), first);
    assert.deepEqual(layoutOf({ share: 0.5, folded: true, tab: "gc" }, KEYS), { share: 0.5, folded: true, tab: "gc" });
    assert.equal(layoutOf({ share: 9 }, KEYS).share, MOST);
});

test("without storage nothing is remembered, and nothing fails", () => {
    rememberLayout({ share: 0.5, folded: true, tab: "gc" });
    assert.deepEqual(rememberedLayout(KEYS), { share: 0.3, folded: false, tab: "findings" });
});
