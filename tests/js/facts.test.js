// What messages carry of the facts while more of a log comes to be known.

import { test } from "node:test";
import assert from "node:assert/strict";
import { SentFacts, areInFull, completed } from "../../web/js/facts.js";
import { wantedBy } from "../../web/js/panels/panel.js";
import { withoutBrowser } from "./without-browser.js";

withoutBrowser();
const { PANELS } = await import("../../web/js/panels/tabs/index.js");

/** A section with one figure; without a value, it is missing. */
const section = (key, count, value) => ({
    key,
    name: key,
    count,
    flag: value === null ? "-lx" : undefined,
    figures: [{ key: "count", name: "Count", unit: "count", value }],
    tables: [],
});
const facts = (...sections) => ({ sections });
const first = facts(section("gc", 1, 1), section("heap", 1, 1), section("sparks", 0, null));
const later = facts(section("gc", 2, 2), section("heap", 2, 2), section("sparks", 0, null));

test("at first everything is sent; then what the open tab shows, and of the others what their tabs say", () => {
    const sent = new SentFacts();
    assert.equal(sent.want(["heap"]), false, "the page has everything");
    assert.deepEqual(sent.abridge(first), first);
    assert.deepEqual(sent.abridge(later), facts({ key: "gc", count: 2 }, later.sections[1], { key: "sparks", count: 0 }));
});

test("the page keeps what it had of the sections that come as outlines, in the order of the message", () => {
    const sent = new SentFacts();
    sent.want(["heap"]);
    const before = completed(sent.abridge(first), undefined);
    const after = completed(sent.abridge(later), before);
    assert.deepEqual(after, facts({ ...first.sections[0], count: 2 }, later.sections[1], later.sections[2]));
});

test("only a message without outlines has all facts: one that was on its way when they were asked for does not", () => {
    const sent = new SentFacts();
    sent.want(["heap"]);
    const messages = [first, later].map((all) => areInFull(sent.abridge(all)));
    sent.want(null);
    assert.deepEqual([...messages, areInFull(sent.abridge(later))], [true, false, true]);
});

test("a section of which the log has something only now is sent, whichever tab is open", () => {
    const sent = new SentFacts();
    sent.want([]);
    sent.abridge(first);
    const found = section("sparks", 3, 3);
    assert.deepEqual(sent.abridge(facts(...later.sections.slice(0, 2), found)).sections[2], found);
});

test("another tab gets its facts at once if the page has only older ones", () => {
    const sent = new SentFacts();
    const answers = [["heap"], ["heap"], [], ["heap", "gc"], ["gc"], null, null].map((wanted) => sent.want(wanted));
    assert.deepEqual(answers, [false, false, false, true, false, true, false]);
});

test("a panel gets the sections that it names, or its own; one that renders itself and names none gets all", () => {
    for (const panel of PANELS) assert.deepEqual(wantedBy(panel), panel.sections ?? (panel.render ? null : [panel.key]), panel.key);
    assert.deepEqual(wantedBy(PANELS.find(({ key }) => key === "findings")), []);
    assert.equal(wantedBy(PANELS.find(({ key }) => key === "summary")), null);
});
