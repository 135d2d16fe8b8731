// Links: what they say, and what is read from them. A link may come from anybody.

import { test } from "node:test";
import assert from "node:assert/strict";
import { isAbout, linkIn, saysOfLog, seenIn, valueForAny, withFile, withSeen, withoutLog } from "../../web/js/link/link.js";

const log = (name, size, offset = size, events = 7, url = undefined) => ({
    file: { name, size, url },
    log: { status: { offset, events } },
});

test("what is to be seen comes back as it was written", () => {
    const seen = {
        view: { from: 10, to: 5000 },
        range: { from: 20, to: 30 },
        select: { track: 12, time: 25 },
        panel: "gc",
        finding: "gc-share",
        find: "type:GC longer:10ms",
        label: "a&b=c",
        notes: '[[1,"here"]]',
        rows: "-gc",
    };
    assert.deepEqual(seenIn(withSeen("#later=kept", seen)), seen);
    // What is null is taken away, what is not given stays.
    const fragment = withSeen(withSeen("#later=kept", seen), { view: null, range: null, select: null, panel: null });
    assert.equal(seenIn(fragment).view, null);
    assert.equal(seenIn(fragment).finding, "gc-share");
    assert.equal(withoutLog(withFile(fragment, log("a", 1))), "#later=kept");
});

test("a link to a file is about that file: also about a copy of another name, but not about another log", () => {
    const link = linkIn(withFile("#", log("a.eventlog", 100, 1000)));
    assert.equal(link.file, "a.eventlog");
    assert.equal(link.size, 100);
    assert.ok(isAbout(link, log("a.eventlog", 100, 1000)));
    assert.ok(isAbout(link, log("b.eventlog.gz", 40, 1000)));
    assert.ok(!isAbout(link, log("a.eventlog", 100, 1000, 8)));
    // Written by hand, without what distinguishes the log.
    const short = linkIn("#file=a.eventlog&size=100");
    assert.ok(isAbout(short, log("a.eventlog", 100)));
    assert.ok(!isAbout(short, log("a.eventlog", 101)));
    assert.ok(!isAbout(short, log("b.eventlog", 100)));
});

test("a log with an address needs no file, and its values are for whichever log is opened", () => {
    const remote = log("a.eventlog", 100, 100, 7, "logs/a.eventlog");
    assert.equal(withFile("#url=logs/a.eventlog", remote), "#url=logs/a.eventlog");
    assert.equal(linkIn("#url=logs/a.eventlog&file=b"), null);
    assert.equal(valueForAny("#find=x", "find"), "x");
    assert.equal(valueForAny("#find=x&file=a", "find"), null);
    assert.ok(saysOfLog("#finding=a"));
    assert.ok(!saysOfLog("#tracks=gc&panel=gc"));
});

test("any text can be in a link", () => {
    assert.equal(seenIn(withSeen("", { find: "\ud800x" })).find, "\ufffdx");
    assert.equal(linkIn(withFile("", log("\udfff", 1))).file, "\ufffd");
});

test("what cannot be read is not there", () => {
    const bad = [
        "",
        "#t0=5&t1=5",
        "#t0=&t1=9",
        "#t0=9&t1=x",
        "#range=5",
        "#range=9,1",
        "#range=,9",
        "#select=1",
        "#select=1.5,3",
        "#select=a,b",
        "#file=%",
    ];
    for (const fragment of bad) {
        const { view, range, select } = seenIn(fragment);
        assert.deepEqual([view, range, select, linkIn(fragment)], [null, null, null, null], fragment);
    }
    assert.equal(linkIn("#file=a&size=-1").size, 0);
    assert.equal(linkIn(`#file=${"a".repeat(10_000)}`).file.length, 300);
});
