// Findings as they are listed, the account as it is drawn, and what is remembered as dismissed.

import { beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { beside, partsOf, sorted, stakeText, tally } from "../../web/js/findings.js";
import { keyOf } from "../../web/js/by-log.js";
import { DISMISSED } from "../../web/js/dismissed.js";
import { Store } from "../../web/js/store.js";
import { changeShown, newLog } from "../../web/js/state.js";
import { withoutBrowser } from "./without-browser.js";

withoutBrowser();
const { shadedParts } = await import("../../web/js/panels/account.js");
const { chooseFinding, chosenOf, dismissFinding, leaveFinding, restoreFindings, stepEvidence, stepFinding, viewOf } = await import(
    "../../web/js/navigation/evidence.js"
);
const { followOpened } = await import("../../web/js/opened.js");
const { closeLast } = await import("../../web/js/navigation/closing.js");
const { mainReason } = await import("../../web/js/panels/idle.js");
const { followDismissed } = await import("../../web/js/dismissed.js");
const { followFindingInAddress } = await import("../../web/js/finding-address.js");
const { nothingText } = await import("../../web/js/panels/findings.js");

const finding = (id, level, more = {}) => ({ id, level, title: id, text: "", remedy: "", evidence: [], ...more });
const ALL = [
    finding("a", "warning"),
    finding("b", "warning"),
    finding("c", "info"),
    finding("d", "fine"),
    finding("e", "waiting"),
    finding("f", "not_applicable", { needs: "-lg" }),
];
const ids = (list) => list.map(({ id }) => id).join("");

test("findings keep the order of the model, and each is in one list", () => {
    const { open, dismissed, fine, waiting, notApplicable } = sorted(ALL, ["b", "d"]);
    assert.deepEqual([open, dismissed, fine, waiting, notApplicable].map(ids), ["ac", "b", "d", "e", "f"]);
});

test("the tab counts what is not dismissed, by level, in signs and in words", () => {
    assert.deepEqual(tally(ALL, []), { count: 3, marks: "▲ 2  ● 1", things: "2 warnings, 1 info" });
    assert.deepEqual(tally(ALL, ["a", "b"]), { count: 1, marks: "● 1", things: "1 info" });
    assert.deepEqual(tally(ALL, ["a", "b", "c"]), { count: 0, marks: "", things: "findings" });
});

test("the next finding and the previous one go round; without a chosen one they begin at an end", () => {
    const { open } = sorted(ALL, []);
    const steps = [
        [null, 1, "a"],
        [null, -1, "c"],
        ["a", 1, "b"],
        ["c", 1, "a"],
        ["a", -1, "c"],
        // One that is no longer listed.
        ["d", 1, "a"],
    ];
    for (const [id, by, expected] of steps) assert.equal(beside(open, id, by)?.id, expected, `${id} ${by}`);
    assert.equal(beside([], null, 1), undefined);
});

test("what is at stake is a time or a size, or not known", () => {
    assert.equal(stakeText({ stakeNs: 250e6 }), "250.0 ms");
    assert.equal(stakeText({ stakeBytes: 3 << 20 }), "3.00 MiB");
    assert.equal(stakeText({}), "");
});

test("what is between signs of code is code; a sign without another one is text", () => {
    const read = (text) =>
        partsOf(text)
            .map(({ text, isCode }) => (isCode ? `<${text}>` : text))
            .join("");
    assert.equal(read("a larger area (`-A64m`), or `-n4m`"), "a larger area (<-A64m>), or <-n4m>");
    assert.equal(read("`-A` of `x"), "<-A> of `x");
    assert.equal(read("plain"), "plain");
    assert.equal(read(""), "");
    // Text of a log has no characters that cannot be seen.
    assert.equal(read("a\u202eb"), "a\\u202eb");
});

test("parts of the account have shares that add up to all, and idle ones shades that differ", () => {
    const part = (key, role, time, idle = false) => ({ key, name: key, role, time, idle });
    const parts = shadedParts({
        all: 100,
        parts: [
            part("running_ns", "running", 40),
            part("gc_ns", "gc-working", 0),
            part("idle_ns.blocked on an MVar", "blocked", 30, true),
            part("idle_ns.blocked in STM retry", "blocked", 20, true),
            part("idle_ns.no thread", "idle", 10, true),
        ],
    });
    assert.deepEqual(
        parts.map(({ share }) => share),
        [0.4, 0.3, 0.2, 0.1],
    );
    const shades = parts.map(({ role, shade }) => `${role} ${shade}`);
    assert.equal(new Set(shades).size, shades.length);
    assert.ok(parts[0].shade === 1 && parts[1].shade > parts[2].shade);
});

test("an idle stretch with one reason says it in its title", () => {
    const reason = (name, time) => ({ name, time, threads: [] });
    assert.equal(mainReason([reason("A collection is pending", 99), reason("Idle: why is not known", 1)]), "a collection is pending");
    assert.equal(mainReason([reason("Idle: there is no other thread", 5)]), "there is no other thread");
    assert.equal(mainReason([reason("A collection is pending", 50), reason("Idle: there is no other thread", 50)]), "");
    assert.equal(mainReason([]), "");
});

test("of two parts with one colour that are not idle, the second has stripes", () => {
    const part = (key, role) => ({ key, name: key, role, time: 1, idle: false });
    const parts = [part("gc_sync_ns", "gc-sync"), part("idle_ns.collection pending", "gc-sync"), part("x", "hatch"), part("y", "hatch")];
    assert.deepEqual(
        shadedParts({ all: 4, parts }).map(({ striped }) => striped),
        [false, true, false, false],
    );
});

test("a piece of evidence is shown with as much time before and after it; a moment with some of the log", () => {
    assert.deepEqual(viewOf({ from: 100, to: 200 }, [0, 10_000]), { from: 0, to: 300 });
    assert.deepEqual(viewOf({ from: 100, to: 100 }, [0, 10_000]), { from: -150, to: 350 });
});

/** A viewer with a log of some findings, which notes what is done to its timeline. */
function viewer(findings = ALL, more = {}) {
    const done = [];
    const log = { name: "x", status: { extent: [0, 1000], offset: 9, events: 3 }, findings: { findings }, ...more };
    const state = {
        shown: 1,
        logs: { 1: { ...newLog(1, null), log, finished: true } },
        finding: null,
        view: { from: 0, to: 1000 },
    };
    const store = new Store(state);
    const moving = { show: (view) => void store.set({ view }) };
    const timeline = {
        place: { top: 7, folds: { gc: true } },
        putBack: (place) => done.push(["put back", place]),
        reveal: (slot) => done.push(["reveal", slot]),
        comeIntoView: () => done.push(["in view"]),
    };
    const client = { of: () => ({ ask: async (_, { track }) => ({ track, group: "caps", at: 0, hidden: track === 9 }) }) };
    const say = (text) => done.push(["say", text]);
    const stage = { own: true, signal: new AbortController().signal };
    return { stage, store, moving, timeline, client, say, note: (text) => done.push(["note", text]), done };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const EVIDENCE = [
    { from: 400, to: 500, label: "a pause", track: 4, also: [5] },
    { from: 600, to: 600, label: "", also: [] },
    { from: 700, to: 710, label: "hidden", track: 9, also: [] },
];

test("choosing a finding shows its first evidence and its track; leaving it shows what was shown before", async () => {
    const around = viewer([finding("a", "warning", { evidence: EVIDENCE })]);
    assert.ok(chooseFinding(around, "a"));
    await settled();
    assert.deepEqual(around.store.value.view, { from: 300, to: 600 });
    assert.deepEqual(around.done, [
        ["say", "a. 1 of 3 places: a pause"],
        ["reveal", { track: 4, group: "caps", at: 0, hidden: false }],
        // A page that scrolls shows the timeline.
        ["in view"],
    ]);
    stepEvidence(around, 1);
    assert.deepEqual(around.store.value.view, { from: 575, to: 625 });
    stepEvidence(around, 1);
    await settled();
    // A row that the user has hidden stays hidden.
    assert.equal(around.done.filter(([what]) => what === "reveal").length, 1);
    stepEvidence(around, 1);
    assert.equal(chosenOf(around.store.value).at, 0);
    assert.ok(leaveFinding(around));
    assert.deepEqual(around.store.value.view, { from: 0, to: 1000 });
    assert.deepEqual(around.done.findLast(([what]) => what === "put back")[1], { top: 7, folds: { gc: true } });
    assert.equal(chosenOf(around.store.value), null);
    assert.ok(!leaveFinding(around));
});

test("from finding to finding, the way back leads to before the first one", () => {
    const around = viewer([finding("a", "warning", { evidence: EVIDENCE }), finding("b", "info", { evidence: EVIDENCE.slice(1) })]);
    stepFinding(around, 1);
    stepFinding(around, 1);
    assert.equal(chosenOf(around.store.value).finding.id, "b");
    leaveFinding(around);
    assert.deepEqual(around.store.value.view, { from: 0, to: 1000 });
});

test("where there is nowhere else to go, a key says so", () => {
    const notes = ({ done }) => done.filter(([what]) => what === "note").map(([, text]) => text);
    const around = viewer([finding("a", "warning", { evidence: EVIDENCE.slice(0, 1) })]);
    stepFinding(around, 1);
    assert.deepEqual(notes(around), []);
    stepFinding(around, 1);
    stepEvidence(around, 1);
    assert.deepEqual(notes(around), ["This is the only finding", "This finding has one place only"]);
    assert.equal(chosenOf(around.store.value).finding.id, "a");
});

test("Esc closes what was opened last; a part of the account goes with the details of what is there", () => {
    const part = { key: "gc_ns", name: "Collecting", longest: { from: 100, to: 200, label: "", also: [] } };
    const around = viewer([finding("a", "warning", { evidence: EVIDENCE })], { account: { parts: [part] } });
    const { store } = around;
    store.set({ span: null, range: null });
    followOpened(around);
    const selecting = { deselect: () => void store.set({ span: null }), clear: () => void store.set({ span: null, range: null }) };
    const open = () => ["finding", "span", "range"].filter((what) => store.value[what] !== null).join(" ");
    const close = () => {
        closeLast({ ...around, selecting });
        return open();
    };
    store.set({ span: {} });
    chooseFinding(around, "a");
    store.set({ range: { from: 1, to: 2 } });
    assert.deepEqual([close(), close(), close()], ["finding span", "span", ""]);
    chooseFinding(around, "a");
    store.set({ span: {} });
    // Another place opens nothing.
    stepEvidence(around, 1);
    assert.deepEqual([close(), close()], ["finding", ""]);
    chooseFinding(around, "account.gc_ns");
    store.set({ span: {} });
    assert.equal(close(), "");
});

test("a finding that the log does not have is not chosen; without findings a key says so", () => {
    const around = viewer([finding("d", "fine")]);
    assert.ok(!chooseFinding(around, "z"));
    assert.equal(around.store.value.finding, null);
    stepFinding(around, 1);
    stepEvidence(around, 1);
    assert.deepEqual(around.done, [
        ["note", "There are no findings"],
        ["note", "There are no findings"],
    ]);
});

test("what cannot be chosen changes nothing, not even for a moment: no finding, and a rule that waits", () => {
    const around = viewer();
    const seen = [];
    around.store.follow(({ finding }) => seen.push(finding));
    for (const id of ["z", "account.idle_ns.no thread", "e"]) assert.ok(!chooseFinding(around, id), id);
    assert.deepEqual(seen, [null]);
    assert.deepEqual([around.done, around.store.value.view], [[], { from: 0, to: 1000 }]);
});

/** The address and the history of a page; the history notes what is written. */
function page(hash) {
    globalThis.location = { hash };
    globalThis.history = { state: null, replaceState: (_state, _title, hash) => void (location.hash = hash) };
    globalThis.addEventListener = () => {};
}

test("while threads are followed, the address keeps the finding that may come, and shows it when it does", () => {
    const part = { key: "idle_ns.no thread", name: "No thread", longest: { from: 100, to: 200, label: "", also: [] } };
    const known = finding("e", "warning", { evidence: EVIDENCE });
    const cases = [
        ["account.idle_ns.no thread", { account: { parts: [part] } }],
        ["e", { findings: { findings: [known] } }],
    ];
    for (const [id, comes] of cases) {
        const hash = `#finding=${encodeURIComponent(id)}`;
        page(hash);
        const around = viewer(ALL, { account: { parts: [] }, following: { share: 0.1 } });
        const { store } = around;
        followFindingInAddress(around);
        assert.deepEqual([store.value.finding, location.hash], [null, hash], id);
        const { log } = store.value.logs[1];
        // Something else comes first.
        changeShown(store, { log: { ...log, findings: { findings: [...ALL] }, following: { share: 0.5 } } });
        assert.deepEqual([store.value.finding, location.hash], [null, hash], id);
        changeShown(store, { log: { ...store.value.logs[1].log, ...comes } });
        assert.equal(store.value.finding?.id, id);
        assert.notDeepEqual(store.value.view, { from: 0, to: 1000 });
        leaveFinding({ ...around, selecting: { deselect() {} } });
        assert.ok(!location.hash.includes("finding"), location.hash);
    }
});

test("the address forgets what has not come when threads have been followed", () => {
    page("#finding=z");
    const around = viewer(ALL, { following: { share: 0.1 } });
    followFindingInAddress(around);
    assert.equal(location.hash, "#finding=z");
    changeShown(around.store, { log: { ...around.store.value.logs[1].log, following: undefined } });
    assert.ok(!location.hash.includes("finding"), location.hash);
});

test("where nothing is listed, it is said whether there is something else, or may be", () => {
    assert.equal(nothingText(false, false), "Nothing was found: no rule passed its limit.");
    assert.equal(nothingText(true, false), "Nothing else was found.");
    assert.equal(nothingText(false, true), "Nothing was found so far.");
    assert.equal(nothingText(true, true), "Nothing else was found so far.");
});

const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => void stored.set(key, text) };
beforeEach(() => stored.clear());

test("dismissed findings are remembered for their log only, and forgotten when they are restored", () => {
    const [one, other] = ["a", "b"].map((name) => keyOf({ name, status: { offset: 10, events: 2 } }));
    assert.notEqual(one, keyOf({ name: "a", status: { offset: 11, events: 2 } }));
    DISMISSED.remember(one, ["gc-share"]);
    assert.deepEqual([DISMISSED.of(one), DISMISSED.of(other)], [["gc-share"], []]);
    DISMISSED.remember(one, []);
    assert.deepEqual(DISMISSED.of(one), []);
    assert.equal([...stored.values()][0], "[]");
});

test("a viewer in another page neither reads nor writes that page's storage", () => {
    for (const own of [true, false]) {
        stored.clear();
        const around = { ...viewer(), stage: { own } };
        dismissFinding(around, "a");
        assert.deepEqual([around.store.value.logs[1].dismissed, stored.size], [["a"], own ? 1 : 0]);
        restoreFindings(around, ["a"]);
        assert.deepEqual([around.store.value.logs[1].dismissed, stored.size], [[], own ? 1 : 0]);
        DISMISSED.remember(keyOf(around.store.value.logs[1].log), ["b"]);
        followDismissed(around);
        assert.deepEqual(around.store.value.logs[1].dismissed, own ? ["b"] : []);
    }
});

test("a bounded number of logs is remembered, the last ones", () => {
    for (let log = 0; log < 150; log++) DISMISSED.remember(`log ${log}`, ["x"]);
    assert.deepEqual([DISMISSED.of("log 149"), DISMISSED.of("log 50"), DISMISSED.of("log 49")], [["x"], ["x"], []]);
});

test("nonsense in the storage is ignored", () => {
    for (const written of [null, 7, {}, [1, ["a"], ["a", 3], [null, []]]]) assert.deepEqual(DISMISSED.in(written), []);
    assert.deepEqual(DISMISSED.in([["a", ["x", 5]]]), [["a", ["x"]]]);
    stored.set("ghc-eventlog-viewer.dismissed", "{");
    assert.deepEqual(DISMISSED.of("a"), []);
});
