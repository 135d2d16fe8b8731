// The split wasm answers as the whole does: the whole is in the page of one file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { unpackLzma } from "../../web/js/single/lzma.js";
import { packedBytes } from "../../web/js/single/packed.js";
import { corpus } from "./support/page.js";

const { DIST } = process.env;
const LOGS = ["threaded", "single", "heap-closure"];
const RANGE = /** @type {const} */ ([0, 1e12]);

/** The binding of each wasm, and how often the first module had to load the rest from within a function. */
const made = { whole: null, split: null, rests: 0 };

before(async () => {
    const wasm = join(DIST, "wasm/ghc-eventlog-wasm");
    const load = async (name, bytes) => {
        const binding = await import(`${pathToFileURL(`${wasm}.js`)}?${name}`);
        return { ...binding, exports: binding.initSync({ module: bytes }) };
    };
    const viewer = readFileSync(join(DIST, "viewer.html"), "utf8");
    const [, packed] = /id="viewer-wasm">([^<]*)</.exec(viewer);
    made.whole = await load("whole", await unpackLzma(packedBytes(packed), () => {}));
    made.split = await load("split", readFileSync(`${wasm}_bg.wasm`));
    assert.ok(!("rest_table" in made.whole.exports));
    globalThis.loadRest = () => {
        made.rests++;
        new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${wasm}_rest.wasm`)), { first: made.split.exports });
    };
});

/** Reads a log, and follows its threads. */
function read({ Log, Arrangement }, bytes) {
    const log = new Log(bytes.length);
    for (let at = 0; at < bytes.length; at += 65_536) log.feed(bytes.subarray(at, at + 65_536));
    log.finish(false);
    const arrangement = new Arrangement();
    const replay = log.replay();
    if (replay !== undefined) work(log, replay, bytes);
    return { log, arrangement };
}

/** Gives a job what it wants to read. */
function work(log, job, bytes) {
    for (let { reads } = log.job(job); reads.length > 0; { reads } = log.job(job)) {
        for (const [offset, length] of reads) assert.ok(log.give(job, offset, bytes.subarray(offset, offset + length)));
    }
}

/** What the page needs until it has drawn a log. */
function drawn({ log, arrangement }, bytes) {
    const tree = log.tree(arrangement);
    const tracks = tree.groups.flatMap(({ key }) => log.tracks_of(arrangement, key, 0, 10));
    const ids = Float64Array.from(tracks.filter(({ id }) => id !== undefined).slice(0, 20), ({ id }) => id);
    const plan = log.plan(0, 1e9, 300, ids, "max_bytes", 5);
    work(log, plan.job, bytes);
    const windows = [...ids].map((id) => log.window(arrangement, plan.job, id));
    log.drop_job(plan.job);
    return {
        tree,
        tracks,
        windows,
        facts: log.facts(arrangement, false),
        status: log.status(),
        process: log.process(),
        notices: log.notices(),
    };
}

/** What the page asks after that. */
function asked({ log, arrangement }, bytes) {
    const { sections } = log.facts(arrangement, false);
    const range = log.range(...RANGE);
    if (range !== undefined) {
        work(log, range, bytes);
        log.take_range(range);
    }
    const search = log.find("gc", 0, 0, 1e12, 10);
    if (search !== undefined) work(log, search, bytes);
    const counting = log.count_events(true, "", "text:a", false);
    if (counting !== undefined) work(log, counting, bytes);
    const events = log.event_rows(true, "", "text:a", false, 0, 50, false);
    if (events !== undefined) work(log, events, bytes);
    const event = log.event_details(0);
    work(log, event, bytes);
    return {
        findings: log.findings(),
        account: [log.account(false), log.account(true)],
        markdown: [log.markdown(false, 30), log.markdown(true, 30)],
        ranged: log.facts(arrangement, true),
        tables: sections.flatMap(({ tables }) =>
            tables.map(({ key }) => log.table(arrangement, key, false, "", false, "", "", 0, 0, 0, 50)),
        ),
        flames: sections.map(({ key }) => log.flame(key, false, 0, 0, 0, 1, "", 500)),
        events: events === undefined ? null : log.event_rows_read(events),
        event: log.event_read(event) ?? null,
        hits: search === undefined ? null : [log.found_so_far(search), log.hits(arrangement, search, "event", 0, 20)],
        complete: log.complete("ev", 2),
        fault: log.query_fault("dur > "),
    };
}

/** A call's answer or error, as plain data. */
function plain(call) {
    const noted = (_, value) => (ArrayBuffer.isView(value) ? [...value] : value);
    try {
        return JSON.stringify(call(), noted);
    } catch (error) {
        return `error: ${error.stack ?? error}`;
    }
}

test("what is drawn of a log needs only the first module", () => {
    for (const name of LOGS) {
        const bytes = readFileSync(corpus(name));
        const [whole, split] = [made.whole, made.split].map((wasm) => plain(() => drawn(read(wasm, bytes), bytes)));
        assert.doesNotMatch(whole, /^error/);
        assert.equal(split, whole, name);
    }
    assert.equal(made.rests, 0);
});

test("a call that needs the rest loads it once; then all answers are those of the whole", () => {
    for (const name of LOGS) {
        const bytes = readFileSync(corpus(name));
        const [whole, split] = [made.whole, made.split].map((wasm) => plain(() => asked(read(wasm, bytes), bytes)));
        assert.doesNotMatch(whole, /^error/);
        assert.equal(split, whole, name);
    }
    assert.equal(made.rests, 1);
    assert.equal(made.split.exports.$there.value, 1);
});
