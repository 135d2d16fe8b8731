import { test } from "node:test";
import assert from "node:assert/strict";
import { POINTER, SELECTION } from "../../web/js/protocol.js";

// A real channel would keep the test from ending.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage()) };
};
const { Opening } = await import("../../web/js/worker/opening.js");
const { answer } = await import("../../web/js/worker/answers.js");

/** The bands of pictures. */
/** The arrangement at first. */
const arrangement = {};

const BANDS = { order: "name", count: 3 };

/** A log that wants ten pieces for each answer, and a file that gives each when the test says so. */
function opened() {
    /** The number of pieces that each job still wants. */
    const left = [];
    const log = {
        look_up: () => left.push(10) - 1,
        job: (job) => ({ reads: left[job] > 0 ? [[100 * job + left[job], 1]] : [], done: 10 - left[job], of: 10 }),
        give: (job) => {
            left[job] -= 1;
            return true;
        },
        found: () => ({ kind: "empty" }),
        drop_job: () => {},
        replay: () => undefined,
        status: () => ({ offset: 0 }),
    };
    const reads = [];
    const range = (offset) => new Promise((resolve) => reads.push({ offset, give: () => resolve(new Uint8Array(1)) }));
    const answered = [];
    const opening = new Opening({ name: "", source: { range } }, { log, arrangement }, (kind) => assert.fail(kind));
    const ask = async (id, asker) => void answered.push([id, await answer(opening, "lookUp", { asker })]);
    /** Gives all wanted pieces, until none is wanted. */
    const give = async () => {
        let given = 0;
        while (reads.length > 0) {
            reads.shift().give();
            given += 1;
            await new Promise((resolve) => setTimeout(resolve));
        }
        return given;
    };
    return { ask, give, reads, answered };
}

test("a question is answered when all parts that it needs are read", async () => {
    const { ask, give, answered } = opened();
    void ask(1, POINTER);
    assert.equal(await give(), 10);
    assert.deepEqual(answered, [[1, { kind: "empty" }]]);
});

test("a newer question ends an older one, which is answered with null", async () => {
    const { ask, give, reads, answered } = opened();
    void ask(1, POINTER);
    void ask(2, POINTER);
    assert.equal(reads.length, 2);
    assert.equal(await give(), 11, "what was on its way, and what the newer one takes");
    assert.deepEqual(answered, [
        [1, null],
        [2, { kind: "empty" }],
    ]);
});

test("a question of the pointer does not end one of the selection", async () => {
    const { ask, give, answered } = opened();
    void ask(1, SELECTION);
    void ask(2, POINTER);
    assert.equal(await give(), 20);
    assert.deepEqual(answered.toSorted(), [
        [1, { kind: "empty" }],
        [2, { kind: "empty" }],
    ]);
});

/**
 * A log with one table that has been read; its ranges need no parts of the file.
 * @param {(told: any[]) => { log?: object, source?: object }} otherwise what is different
 */
async function read(otherwise = () => ({})) {
    const [asked, told] = [[], []];
    const different = otherwise(told);
    const log = {
        finish: () => {},
        lacks_names: () => false,
        free: () => {},
        replay: () => undefined,
        status: () => ({ offset: 0, events: 1 }),
        tree: () => ({ groups: [] }),
        process: () => ({ args: ["./main"], runtime: "" }),
        facts: (_, range) => ({ sections: [{ key: range ? "range" : "log" }] }),
        findings: () => ({ verdict: "", findings: [], waiting: 0 }),
        account: (range) => ({ caps: range ? 1 : 2 }),
        notices: () => [],
        range: () => 7,
        job: () => ({ reads: [], done: 0, of: 0 }),
        drop_job: () => {},
        take_range: (job) => job === 7,
        query_fault: (query) => (query === "longer:soon" ? { at: 7, reason: "" } : undefined),
        event_rows: (...wish) => {
            asked.push(wish);
            return 8;
        },
        event_rows_read: (job) => ({ job }),
        event_lines_read: (job) => `line of ${job}`,
        table: (_, ...wish) => {
            asked.push(wish);
            return { table: wish[0] };
        },
        ...different.log,
    };
    async function* pieces() {}
    const source = { pieces, broken: "", ...different.source };
    const opening = new Opening({ name: "", source }, { log, arrangement }, (kind, body) => told.push([kind, body]));
    await opening.read();
    return { opening, asked, told, table: (wish) => answer(opening, "table", wish), ask: (kind, wish) => answer(opening, kind, wish) };
}

/** A log that lacks names: its definitions are read again, in one part. `log` notes what the page had been told by then. */
const nameless = (notes, range) => (told) => {
    let left = 1;
    const log = {
        lacks_names: () => true,
        late_names: () => 5,
        job: () => ({ reads: left > 0 ? [[3, 4]] : [], done: 0, of: 1 }),
        give: (job, offset, { length }) => {
            left -= 1;
            notes.push([job, offset, length, told.length]);
            return true;
        },
    };
    return { log, source: { range } };
};

test("names that were too many to be kept are read before the log is ready", async () => {
    const notes = [];
    const { told, opening } = await read(nameless(notes, async (_, length) => new Uint8Array(length)));
    assert.deepEqual(notes, [[5, 3, 4, 0]]);
    assert.deepEqual(
        told.map(([kind]) => kind),
        ["ready"],
    );
    assert.ok(opening.isRead);
});

test("a log that cannot be read again is ready without these names, and the page is told why", async () => {
    const notes = [];
    const gone = async () => Promise.reject(new DOMException("", "NotReadableError"));
    const { told } = await read(nameless(notes, gone));
    assert.deepEqual(notes, []);
    assert.deepEqual(
        told.map(([kind]) => kind),
        ["ready", "trouble"],
    );
    assert.match(told[1][1], /changed or removed/);
});

test("facts, findings and the account come with the log, the facts and the account of a range with its totals", async () => {
    const { opening, told } = await read();
    const [[kind, log]] = told;
    assert.equal(kind, "ready");
    assert.equal(log.facts.sections[0].key, "log");
    assert.deepEqual(log.findings.findings, []);
    assert.equal(log.account.caps, 2);
    assert.deepEqual(log.process.args, ["./main"]);
    const totals = await answer(opening, "range", { from: 2, to: 3 });
    assert.deepEqual(totals, { from: 2, to: 3, facts: { sections: [{ key: "range" }] }, account: { caps: 1 } });
});

test("a page of a table is about the whole log, unless it is asked for the range", async () => {
    const { opening, asked, table } = await read();
    const wish = { table: "threads", sort: "runs", down: true, filter: "a", within: null, from: 5, count: 10 };
    assert.deepEqual(await table(wish), { table: "threads" });
    await table({ ...wish, range: true });
    await table({ ...wish, within: { column: "pause_ns", from: 100, to: 200 } });
    assert.deepEqual(asked, [
        ["threads", false, "runs", true, "a", "", 0, 0, 5, 10],
        ["threads", true, "runs", true, "a", "", 0, 0, 5, 10],
        ["threads", false, "runs", true, "a", "pause_ns", 100, 200, 5, 10],
    ]);
    opening.close();
    assert.equal(await table(wish), null, "there is no log any more");
});

test("rows of the list of events are read by a job", async () => {
    const { asked, ask } = await read();
    const wish = { byTime: true, types: "9,10", query: "cap:0", range: false, from: 5, count: 10 };
    assert.deepEqual(await ask("eventRows", wish), { job: 8 });
    assert.deepEqual(await ask("eventLines", { ...wish, byTime: false, range: true }), "line of 8");
    assert.deepEqual(asked, [
        [true, "9,10", "cap:0", false, 5, 10, false],
        [false, "9,10", "cap:0", true, 5, 10, true],
    ]);
    assert.equal(await ask("eventRows", { ...wish, query: "longer:soon" }), null, "that is no query");
});

test("of two pictures of the whole log, the newer one is shown, even if the older one comes late", async () => {
    const waiting = [];
    const range = () => new Promise((resolve) => waiting.push(() => resolve(new Uint8Array(1))));
    async function* pieces() {}
    const log = {
        finish: () => {},
        lacks_names: () => false,
        replay: () => undefined,
        status: () => ({ offset: 0, events: 1, extent: [0, 9] }),
        tree: () => ({ groups: [] }),
        tracks_of: () => [],
        process: () => ({ args: [], runtime: "" }),
        facts: () => ({ sections: [] }),
        findings: () => ({ verdict: "", findings: [], waiting: 0 }),
        account: () => undefined,
        notices: () => [],
        reads: [[0, 1]],
        plan: (from, to) => ({ job: 1, from, to }),
        job: () => ({ reads: log.reads, gaveUp: false }),
        give: () => {
            log.reads = [];
            return true;
        },
        drop_job: () => {},
    };
    const opening = new Opening({ name: "", size: 1, source: { pieces, range, broken: "" } }, { log, arrangement }, () => {});
    await opening.read();
    const older = answer(opening, "whole", { width: 100, tracks: [], bands: BANDS });
    // The missing part is on its way; the newer picture needs none.
    log.reads = [];
    const newer = answer(opening, "whole", { width: 200, tracks: [], bands: BANDS });
    assert.equal((await newer).width, 200);
    waiting.forEach((give) => give());
    assert.equal(await older, null);
});

/** A log of 200 000 tracks that notes how many it describes. */
function ofMany() {
    const described = [];
    const groups = [
        { key: "caps", tracks: 2, open: true, parts: [{ shape: "states", tracks: 2 }] },
        { key: "threads", tracks: 200_000, open: false, parts: [{ shape: "states", tracks: 200_000 }] },
        { key: "none", tracks: 0, open: true, parts: [] },
    ];
    const log = {
        finish: () => {},
        lacks_names: () => false,
        replay: () => undefined,
        status: () => ({ offset: 0, events: 1 }),
        tree: () => ({ groups }),
        tracks_of: (_, group, from, count) => {
            const { tracks } = groups.find(({ key }) => key === group);
            const page = Array.from({ length: Math.min(count, tracks - from) }, (_, at) => ({ id: from + at, shape: "states" }));
            described.push(...page);
            return page;
        },
        process: () => ({ args: [], runtime: "" }),
        facts: () => ({ sections: [] }),
        findings: () => ({ verdict: "", findings: [], waiting: 0 }),
        account: () => undefined,
        notices: () => [],
    };
    const told = [];
    const source = { pieces: async function* () {}, used: 0, broken: "" };
    return { opening: new Opening({ name: "", size: 1, source }, { log, arrangement }, (_, log) => told.push({ log })), told, described };
}

const pages = ({ log }) => log.pages.map(({ group, from, tracks }) => [group, from, tracks.length]);

test("a log comes with the first tracks of open groups, until the page reports its view", async () => {
    const first = ofMany();
    await first.opening.read();
    assert.deepEqual(first.told.map(pages), [[["caps", 0, 2]]]);
    const { opening, told } = ofMany();
    const shown = [
        { group: "threads", from: 128, count: 64 },
        { group: "threads", from: 192, count: 64 },
    ];
    const missing = opening.rows(shown, [shown[1]]);
    assert.deepEqual(
        missing.map(({ from, tracks }) => [from, tracks[0].id]),
        [[192, 192]],
    );
    await opening.read();
    assert.deepEqual(told.map(pages), [
        [
            ["threads", 128, 64],
            ["threads", 192, 64],
        ],
    ]);
});

test("a log is not reported again for rows of spans that it has already", async () => {
    const { opening, told } = ofMany();
    const arranged = [];
    opening.arrangement.spans = (...wish) => void arranged.push(wish);
    opening.arrangement.hide_counters = () => {};
    opening.log.name_spans = () => false;
    await opening.read();
    opening.arrangeSpans({ byThread: false, label: "", words: "", hidden: [] });
    assert.deepEqual([told.length, arranged], [1, []]);
    for (let times = 0; times < 2; times++) opening.arrangeSpans({ byThread: true, label: "", words: "", hidden: [] });
    assert.deepEqual([told.length, arranged], [2, [[true, ""]]]);
});

/** A log that is being read, with a piece for each `more`; and the sections that each report has in full. */
async function growing() {
    const { opening, told } = ofMany();
    let more = () => {};
    let came = new Promise((resolve) => (more = resolve));
    opening.source.pieces = async function* () {
        for (; await came; came = new Promise((resolve) => (more = resolve))) yield new Uint8Array(1);
    };
    opening.log.feed = () => {};
    const section = (key) => ({ key, figures: [], tables: [] });
    opening.log.facts = () => ({ sections: ["gc", "heap"].map(section) });
    const read = opening.read();
    const full = () => told.map(({ log }) => log.facts.sections.flatMap(({ key, figures }) => (figures ? key : [])).join());
    return { opening, full, read, end: () => more(false) };
}

test("another tab gets its facts at once while the log is read; what the page has already is not sent again", async () => {
    const { opening, full, read, end } = await growing();
    opening.show(["gc"]);
    assert.deepEqual(full(), [], "the page has all of what is known");
    opening.show(["gc", "heap"]);
    assert.deepEqual(full(), ["gc,heap"]);
    opening.show(["gc"]);
    assert.deepEqual(full(), ["gc,heap"], "nothing new is shown");
    opening.show(null);
    assert.deepEqual(full(), ["gc,heap", "gc,heap"], "a print shows all");
    opening.show(["gc"]);
    opening.show(["heap"]);
    assert.deepEqual(full().slice(2), ["heap"], "of the others only outlines");
    end();
    await read;
    assert.deepEqual(full().slice(3), ["gc,heap"], "the last report has all");
    opening.show(null);
    opening.show(["gc"]);
    opening.show(["heap"]);
    assert.equal(full().length, 4, "and so the page has all");
});

test("while the threads of a read log are followed, another tab gets its facts; a closed log reports nothing", async () => {
    const { opening, full, read, end } = await growing();
    end();
    await read;
    opening.show(["gc"]);
    opening.log.replay = () => 1;
    opening.log.job = () => ({ reads: [[0, 1]], done: 0, of: 2 });
    opening.log.drop_job = () => {};
    opening.log.free = () => {};
    opening.arrangement = { free: () => {} };
    opening.source.range = () => new Promise(() => {});
    const before = full().length;
    opening.followThreads();
    const begun = full().length;
    opening.show(["heap"]);
    assert.equal(full().length, begun + 1);
    assert.ok(begun >= before && full().at(-1).includes("heap"));
    opening.close();
    opening.show(["gc"]);
    assert.equal(full().length, begun + 1);
});

test("of 200 000 tracks, each message describes only a few pages", async () => {
    const { opening, described } = ofMany();
    await opening.read();
    assert.ok(described.length <= 2 + 2 + 64, `${described.length}`);
});

test("if threads cannot be followed to the end, nothing waits for that", async () => {
    const { Following } = await import("../../web/js/worker/following.js");
    const told = [];
    const log = { replay: () => 1, job: () => ({ reads: [[0, 1]], done: 0, of: 2 }), give: () => true, drop_job: () => {} };
    const following = new Following({
        log,
        reader: () => ({
            part: async () => {
                throw new Error("gone");
            },
            end: async () => {},
        }),
        isClosed: () => false,
        tell: () => told.push(following.progress),
        failed: (error) => told.push(error.message),
    });
    following.begin();
    assert.deepEqual(following.progress, { share: 0, stopped: false });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(told, [undefined, "gone"]);
});
