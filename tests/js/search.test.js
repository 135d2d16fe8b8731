// The search: hits in order, the steps along them, what is suggested, and where hits are drawn.

import { test } from "node:test";
import assert from "node:assert/strict";
import { countText, inOrderOf, indexBeside, numberFound } from "../../web/js/search/hits.js";
import { placesOf } from "../../web/js/search/places.js";
import { hasWords } from "../../web/js/search/words.js";
import { newLog, shownOf } from "../../web/js/state.js";
import { Store } from "../../web/js/store.js";
import { withoutBrowser } from "./without-browser.js";

withoutBrowser();
const { COMMANDS } = await import("../../web/js/commands/index.js");
const { PANELS } = await import("../../web/js/panels/tabs/index.js");
const { commandsFor } = await import("../../web/js/search/suggestions.js");
const { inLogTimes, momentOf } = await import("../../web/js/search/moments.js");
const { findFirst } = await import("../../web/js/search/searching.js");
const { tracksNamed } = await import("../../web/js/worker/tracks-named.js");

const hit = (time, text = "", kind = "message") => ({ kind, time, text });
const byKind = (...hits) => ({
    message: hits.filter(({ kind }) => kind === "message"),
    gc: hits.filter(({ kind }) => kind === "gc"),
});
const found = (total, names = [], remarks = []) => ({ names, found: { total, groups: [], remarks } });

test("hits of all kinds are stepped through in order of time", () => {
    const [a, b, c] = [hit(5), hit(7, "", "gc"), hit(9)];
    const hits = inOrderOf(byKind(c, b, a));
    assert.deepEqual(hits, [a, b, c]);
    const steps = [
        // Without a chosen one: from a time on, and before it.
        [null, 6, 1, 1],
        [null, 6, -1, 0],
        [null, 0, -1, -1],
        [null, 10, 1, 3],
        [b, 0, 1, 2],
        [b, 0, -1, 0],
        [c, 0, 1, 3],
        // One of an earlier answer, and one that is no longer there.
        [{ ...b }, 0, 1, 2],
        [hit(8, "gone"), 0, 1, 2],
    ];
    for (const [from, time, by, expected] of steps)
        assert.equal(indexBeside(hits, from, time, by), expected, `${from?.time} ${time} ${by}`);
});

test("hits that are alike do not hold the steps up", () => {
    const hits = [hit(5, "same"), hit(5, "same"), hit(5, "same")];
    assert.deepEqual(
        [hits[0], hits[1], hits[2]].map((from) => indexBeside(hits, from, 0, 1)),
        [1, 2, 3],
    );
});

test("the number of hits is said as far as it is known", () => {
    const texts = [
        [{ report: null, runs: true }, "…"],
        [{ report: found(0), runs: true }, "…"],
        [{ report: found(1240), runs: true }, "at least 1 240…"],
        [{ report: found(1), runs: false }, "1 hit"],
        [{ report: found(0), runs: false }, "0 hits"],
        [{ report: found(2), runs: false, inOrder: [hit(5, "a"), hit(6, "b")], chosen: hit(6, "b") }, "2 of 2 hits"],
        // The page does not have all of them.
        [{ report: found(9), runs: false, inOrder: [hit(5, "a"), hit(6, "b")], chosen: hit(6, "b") }, "9 hits"],
        // Some cannot be found.
        [{ report: found(9, [], ["the log has more"]), runs: false }, "at least 9 hits"],
        [{ report: found(0, [], ["the log has more"]), runs: false }, "0 hits"],
        // Names are at no moment. They count where there are no hits.
        [{ report: found(0, [{ count: 2 }, { count: 1 }]), runs: false }, "3 names"],
        [{ report: found(720, [{ count: 1 }]), runs: false }, "720 hits"],
        [{ report: { fault: { at: 0, reason: "x" } }, runs: false }, "not a query"],
    ];
    for (const [search, text] of texts) assert.equal(countText(search).replace(/\u202f/g, " "), text);
});

test("the tab of what was found has the number of the search field", () => {
    const tab = PANELS.find(({ key }) => key === "search");
    for (const report of [found(720, [{ count: 1 }]), found(0, [{ count: 2 }]), found(0), found(1)]) {
        const { count, things } = tab.counted({}, { search: { report } });
        assert.equal(`${count} ${things}`, countText({ report, runs: false }));
        assert.equal(count, numberFound(report).count);
    }
    assert.equal(tab.counted({}, { search: null }), undefined);
});

/**
 * A log with hits, and what a search of it does.
 * @param {(around: { store: Store, timeline: object }) => void} [meanwhile] what the user does before the hits are known
 */
function searched(hits, meanwhile) {
    const gone = [];
    const log = { ...newLog(1, null), log: { status: { extent: [0, 100] }, process: {} }, finished: true };
    const store = new Store({ shown: 1, view: { from: 6, to: 90 }, range: null, span: null, finding: null, logs: { 1: log } });
    const timeline = { place: { top: 0 } };
    const ask = async (question) => {
        if (question === "hits") return hits;
        meanwhile?.({ store, timeline });
        return { found: { total: hits.length, groups: [{ kind: "message" }], remarks: [] } };
    };
    const context = {
        store,
        timeline,
        client: { of: () => ({ ask }) },
        stage: { root: { getElementById: () => ({ choose: () => {} }) } },
        moving: { showTime: () => {} },
        selecting: { selectAt: async ({ time }) => gone.push(time) },
        say: () => {},
        note: () => {},
    };
    return { context, gone, chosen: () => shownOf(store.value).search.chosen };
}

test("a search leads to the first hit in view, once it is known", async () => {
    const hits = [5, 7, 9].map((time) => ({ ...hit(time), track: 3 }));
    const { context, gone, chosen } = searched(hits);
    await findFirst(context, "word");
    assert.deepEqual([gone, chosen()], [[7], hits[1]]);
});

test("a search leads nowhere if there are no hits, or the user has done something else meanwhile", async () => {
    const none = searched([]);
    await findFirst(none.context, "word");
    assert.deepEqual([none.gone, none.chosen()], [[], null]);
    for (const meanwhile of [
        ({ store }) => store.set({ view: { from: 0, to: 100 } }),
        ({ store }) => store.set({ span: { start: 1 } }),
        ({ store }) => store.set({ finding: { id: "gc" } }),
        ({ timeline }) => (timeline.place = { top: 40 }),
    ]) {
        const { context, gone, chosen } = searched([{ ...hit(7), track: 3 }], meanwhile);
        await findFirst(context, "word");
        assert.deepEqual([gone, chosen()], [[], null], String(meanwhile));
    }
});

test("every command that a key runs can be found by what it does, and by its key", () => {
    for (const command of COMMANDS) {
        if (!("run" in command) || command.id === "commands.show") continue;
        const names = (text) => commandsFor(text, new Map()).map(({ text }) => text);
        assert.ok(names(command.name).includes(command.name), command.id);
        const [key] = command.keys.split(" ");
        if (key) assert.ok(names(key).includes(command.name), `${command.id} by ${key}`);
    }
    for (const { name } of PANELS) assert.ok(commandsFor(`tab ${name}`, new Map()).some(({ text }) => text === `tab ${name}`));
});

test("what begins with the text comes first", () => {
    const [{ text }] = commandsFor("show", new Map());
    assert.match(text, /^show/);
    assert.deepEqual(commandsFor("no such command", new Map()), []);
});

test("words may be anywhere in a name, capitals or not", () => {
    assert.ok(hasWords("CAP 3", ["Capabilities", "Capability 3"]));
    assert.ok(!hasWords("cap 4", ["Capabilities", "Capability 3"]));
    assert.ok(hasWords("", ["anything"]));
});

test("tracks are found by their names and those of their groups; a group only by its own", () => {
    const groups = [
        { key: "caps", name: "Capabilities", tracks: 2 },
        { key: "sparks", name: "Sparks", tracks: 0 },
    ];
    const names = { caps: ["Capability 0", "Capability 1"], sparks: [] };
    const log = { tree: () => ({ groups }), tracks_of: (_, group) => names[group].map((name, id) => ({ id, name })) };
    const found = (text, most = 9) => tracksNamed({ log }, { text, most }).map(({ name, track }) => [name, track]);
    assert.deepEqual(found("capability 1"), [["Capability 1", 1]]);
    assert.deepEqual(found("capabilities"), [
        ["Capabilities", null],
        ["Capability 0", 0],
        ["Capability 1", 1],
    ]);
    assert.equal(found("", 2).length, 2);
    // What is not there is not offered.
    assert.deepEqual(found("sparks"), []);
});

test("hits are drawn where their stretch of time is, each pixel once", () => {
    const log = { status: { extent: [100, 199] } };
    const search = { report: { buckets: Uint32Array.of(1, 0, 3, 1) } };
    const at = (scale) => placesOf({ search, log }, (time) => (time - 100) * scale);
    assert.deepEqual(at(1), [13, 63, 88]);
    assert.deepEqual(at(0.001), [0]);
    assert.deepEqual(
        placesOf({ search: null, log }, (time) => time),
        [],
    );
});

test("times of day in a query become the log's own times, but not in quotes", () => {
    const S = 1e9;
    // The log's time 0 is 21:59:50 UTC; it is 100 s long, and 5 s later on the page.
    const process = { clocks: [[0, Date.UTC(2026, 0, 31, 21, 59, 50)]] };
    const log = { number: 1, offset: 5 * S, log: { status: { extent: [0, 100 * S] }, process } };
    const state = { logs: { 1: log }, shown: 1, clock: "utc" };
    for (const [query, expected] of [
        ["from:21:59:52 timeout", "from:@2000000000 timeout"],
        ["a to:22:00  -from:22:00:05.5", "a to:@10000000000  -from:@15500000000"],
        ['to:"2026-01-31 22:00:01"', "to:@11000000000"],
        ["from:2026-01-31T22:00:01", "from:@11000000000"],
        // Minutes and seconds since the start; before the start; what is read with the query.
        ["to:1:05.5", "to:@65500000000"],
        ["from:20:00", "from:@0"],
        ["from:2s to:@7 x:21:59:52", "from:2s to:@7 x:21:59:52"],
        ['"x from:21:59:52 y" text:"from:21:59:52"', '"x from:21:59:52 y" text:"from:21:59:52"'],
    ])
        assert.equal(inLogTimes(state, query), expected, query);
    const at = (text) => momentOf(state, text);
    assert.deepEqual(["21:59:52", "2 s", "12", "timeout", "23:00"].map(at), [7 * S, 7 * S, null, null, null]);
});
