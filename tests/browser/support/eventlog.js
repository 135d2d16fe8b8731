// A second, simple reader of eventlogs, to compare the page's numbers with; and a writer of small and large ones. It knows records, blocks,
// runs of threads, and collections, and expects whole logs of today's GHC.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { corpus } from "./page.js";

const VARIABLE = 0xffff;
const GLOBAL = 0xffff;

const TAG = {
    create: 0,
    run: 1,
    stop: 2,
    wakeup: 8,
    gcStart: 9,
    gcEnd: 10,
    requestSeqGc: 11,
    requestParGc: 12,
    block: 18,
    userMessage: 19,
    gcIdle: 20,
    gcWork: 21,
    gcDone: 22,
    programArgs: 30,
    programEnv: 31,
    threadLabel: 44,
    capDelete: 46,
    capDisable: 47,
    capEnable: 48,
    gcStats: 53,
    gcSync: 54,
};

/** The reasons why threads stop, by number, in the page's words. */
const STOPS = {
    1: "heap overflow (allocation area full)",
    2: "stack overflow (stack grows)",
    3: "yielding",
    5: "finished",
    6: "foreign call",
    7: "blocked on an MVar",
    8: "blocked on a black hole",
    9: "blocked on reading",
    10: "blocked on writing",
    11: "blocked in threadDelay",
    12: "blocked in STM retry",
    18: "blocked in throwTo",
    19: "migrating",
    20: "blocked reading an MVar",
};

const GC_STATES = {
    [TAG.gcStart]: "GC sync",
    [TAG.gcWork]: "GC working",
    [TAG.gcIdle]: "GC wait",
    [TAG.gcDone]: "GC wait",
};

/** The sizes of the records, by number, and the offset where the data begins. */
function readHeader(bytes) {
    const sizes = new Map();
    let at = 8;
    while (bytes.toString("latin1", at, at + 4) === "etb\0") {
        const [tag, size, description] = [bytes.readUInt16BE(at + 4), bytes.readUInt16BE(at + 6), bytes.readUInt32BE(at + 8)];
        sizes.set(tag, size);
        const extra = at + 12 + description;
        at = extra + 4 + bytes.readUInt32BE(extra) + 4;
    }
    // "hete", "hdre", "datb".
    return { sizes, data: at + 12 };
}

/** All records in file order, each with its capability; block markers too. */
function readRecords(bytes) {
    const { sizes, data } = readHeader(bytes);
    const records = [];
    let block = { cap: GLOBAL, end: data };
    for (let at = data; bytes.readUInt16BE(at) !== 0xffff; ) {
        const tag = bytes.readUInt16BE(at);
        const variable = sizes.get(tag) === VARIABLE;
        const length = variable ? bytes.readUInt16BE(at + 10) : sizes.get(tag);
        const from = at + (variable ? 12 : 10);
        const payload = bytes.subarray(from, from + length);
        if (tag === TAG.block) block = { cap: payload.readUInt16BE(12), end: at + payload.readUInt32BE(0) };
        records.push({ offset: at, tag, time: Number(bytes.readBigUInt64BE(at + 2)), cap: block.cap, payload });
        at = from + length;
    }
    return { data, records };
}

/**
 * The contents of a log of the corpus: spans by capability, collections, labels. Times count from the first event.
 * @param {string} name
 */
export function readCorpus(name) {
    return readLog(readFileSync(corpus(name)));
}

export function readLog(bytes) {
    const records = readRecords(bytes).records.filter(({ tag }) => tag !== TAG.block);
    const times = records.map(({ time }) => time);
    const origin = Math.min(...times);
    const labels = new Map();
    for (const { tag, payload } of records) {
        if (tag === TAG.threadLabel) labels.set(payload.readUInt32BE(0), payload.toString("utf8", 4));
    }
    const caps = [...new Set(records.map(({ cap }) => cap))].filter((cap) => cap !== GLOBAL).sort((a, b) => a - b);
    const own = (cap) => records.filter((record) => record.cap === cap).map((record) => ({ ...record, time: record.time - origin }));
    return {
        length: Math.max(...times) - origin,
        labels,
        lanes: new Map(caps.map((cap) => [cap, spansOf(own(cap))])),
        disabled: new Map(caps.map((cap) => [cap, disabledOf(records, cap, origin)])),
        collections: caps.flatMap((cap) => collectionsOf(own(cap), cap)).sort((a, b) => a.start - b.start),
    };
}

/** The times when a capability was disabled. */
function disabledOf(records, cap, origin) {
    const stretches = [];
    let since = null;
    for (const { tag, time, payload } of records) {
        if (![TAG.capDelete, TAG.capDisable, TAG.capEnable].includes(tag) || payload.readUInt16BE(0) !== cap) continue;
        if (tag === TAG.capDisable) since = time - origin;
        else if (since !== null) stretches.push({ start: since, end: time - origin });
        if (tag !== TAG.capDisable) since = null;
    }
    return stretches;
}

/** One capability's spans: runs of threads, and the states of its collector. Spans that take no time are left out. */
function spansOf(records) {
    const spans = [];
    let open = null;
    // A capability that requests a collection waits for it once no thread runs on it.
    let requested = false;
    const turn = (time, next, ended) => {
        if (open && time > open.start) spans.push({ ...open, end: time, ended });
        open = next && { start: time, ...next };
    };
    for (const { tag, time, payload } of records) {
        const state = GC_STATES[tag];
        if (tag === TAG.run) turn(time, { state: "running", thread: payload.readUInt32BE(0) });
        else if (tag === TAG.requestSeqGc || tag === TAG.requestParGc) {
            if (open?.state === "running") requested = true;
            else if (!open) turn(time, { state: "GC sync" });
        } else if (tag === TAG.stop) {
            turn(time, requested ? { state: "GC sync" } : null, STOPS[payload.readUInt16BE(4)]);
            requested = false;
        } else if (tag === TAG.gcEnd) turn(time, null);
        else if (state && state !== open?.state) turn(time, { state });
    }
    return spans;
}

/** The collections that one capability led, not those that it helped with. */
function collectionsOf(records, cap) {
    const collections = [];
    let open = null;
    for (const { tag, time, payload } of records) {
        if (tag === TAG.gcStart) open = { start: time, cap };
        if (open && tag === TAG.gcSync) open.did = true;
        if (open && tag === TAG.gcStats) open.generation = payload.readUInt16BE(4);
        if (tag === TAG.gcEnd && open?.did) collections.push({ ...open, end: time });
        if (tag === TAG.gcEnd) open = null;
    }
    return collections;
}

/**
 * Writes a large log: the capabilities' blocks of a corpus log, again and again, each time later.
 * @param {string} path of the file to write
 * @param {number} size least size, in bytes
 * @param {number} later shifts all times by this many ns, which makes another log of the same size
 * @returns {{ header: number, bytes: number }}
 */
export function writeLarge(path, size, later = 0) {
    const bytes = readFileSync(corpus("threaded"));
    const { data, records } = readRecords(bytes);
    const global = records.find(({ tag, cap }) => tag === TAG.block && cap === GLOBAL).offset;
    const repeated = Buffer.from(bytes.subarray(data, global));
    // The offsets of all times: in each record's head, and of a block's end in its marker.
    const places = records
        .filter(({ offset }) => offset < global)
        .flatMap(({ offset, tag }) => {
            return tag === TAG.block ? [offset + 2, offset + 14] : [offset + 2];
        })
        .map((place) => place - data);
    const times = places.map((place) => Number(repeated.readBigUInt64BE(place)));
    const period = Math.max(...times) - Math.min(...times) + 1000;
    const batch = Buffer.alloc(repeated.length * 64);
    const out = openSync(path, "w");
    let written = writeSync(out, bytes, 0, data);
    for (let round = 0; written < size; ) {
        for (let at = 0; at < batch.length; at += repeated.length, round++) {
            repeated.copy(batch, at);
            places.forEach((place, index) => writeTime(batch, at + place, times[index] + later + round * period));
        }
        written += writeSync(out, batch);
    }
    written += writeSync(out, bytes, global);
    closeSync(out);
    return { header: data, bytes: written };
}

function writeTime(buffer, at, time) {
    buffer.writeUInt32BE(Math.floor(time / 2 ** 32), at);
    buffer.writeUInt32BE(time % 2 ** 32, at + 4);
}

const u16 = (value) => Buffer.from([value >> 8, value & 255]);
const u32 = (value) => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
const u64 = (value) => Buffer.concat([u32(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32)]);
const record = (tag, time, ...payload) => Buffer.concat([u16(tag), u64(time), ...payload]);
const block = (cap, records) => {
    const inside = Buffer.concat(records);
    return Buffer.concat([record(TAG.block, 1000, u32(inside.length + 24), u64(1e6), u16(cap)), inside]);
};

/** A header that declares all events of the runtime. */
function someHeader() {
    const like = readFileSync(corpus("threaded"));
    return like.subarray(0, readHeader(like).data);
}

/**
 * A log of one capability with collections only: one each 1000 ns, 100 to 499 ns long.
 * @param {number} count
 */
export function writeCollections(count) {
    const events = Array.from({ length: count }, (_, at) => {
        const start = 1000 + at * 1000;
        const end = start + 100 + ((at * 37) % 400);
        return [record(TAG.gcStart, start), record(TAG.gcSync, start), record(TAG.gcEnd, end)];
    });
    return Buffer.concat([someHeader(), block(0, events.flat()), u16(0xffff)]);
}

/**
 * A log of one capability whose thread has spans of one label, 1 ms each; one in 50 takes 80 ms.
 * @param {string} label
 * @param {number} count
 */
export function writeSpans(label, count) {
    const message = (time, text) => record(TAG.userMessage, time, u16(text.length), Buffer.from(text));
    let time = 2000;
    const spans = Array.from({ length: count }, (_, at) => {
        const start = time;
        time += at % 50 === 9 ? 80e6 : 1e6;
        return [message(start, `START ${label}`), message(time, `STOP ${label}`)];
    });
    const thread = u32(1);
    const events = [record(TAG.run, 1000, thread), ...spans.flat(), record(TAG.stop, time, thread, u16(5), u32(0))];
    return Buffer.concat([someHeader(), block(0, events), u16(0xffff)]);
}

/**
 * A log of many threads that run for 300 ns each, one after the other. One in the middle is labelled, and blocked for 2 s in between.
 * @param {string} label
 * @param {number} count
 */
export function writeThreads(label, count) {
    const all = Buffer.alloc(count * 48 + 200);
    let [at, time] = [0, 2000];
    const add = (tag, payload) => {
        all.writeUInt16BE(tag, at);
        writeTime(all, at + 2, time);
        at += 10 + payload.copy(all, at + 10);
    };
    for (let number = 1; number <= count; number++) {
        const thread = u32(number);
        const run = (status) => {
            time += 100;
            add(TAG.run, thread);
            time += 300;
            add(TAG.stop, Buffer.concat([thread, u16(status), u32(0)]));
        };
        add(TAG.create, thread);
        if (number === Math.floor(count / 3) * 2) {
            add(TAG.threadLabel, Buffer.concat([u16(4 + label.length), thread, Buffer.from(label)]));
            run(7);
            time += 2e9;
            add(TAG.wakeup, Buffer.concat([thread, u16(0)]));
        }
        run(5);
    }
    return Buffer.concat([someHeader(), block(0, [all.subarray(0, at)]), u16(0xffff)]);
}

/**
 * A log of many capabilities, each with a thread that runs nearly all of the time.
 * @param {number} count
 */
export function writeCapabilities(count) {
    const status = Buffer.concat([u16(5), u32(0)]);
    const blocks = Array.from({ length: count }, (_, cap) => {
        const thread = u32(cap + 1);
        return block(cap, [record(TAG.run, 2000, thread), record(TAG.stop, 900_000, thread, status)]);
    });
    return Buffer.concat([someHeader(), ...blocks, u16(0xffff)]);
}

/**
 * A small log of one capability: threads that run one after the other for 1 µs each.
 * @param {{ args: string[], labels: string[], env?: string[] }} texts the program's arguments, a label for each thread, and the
 *     variables of its environment, if it has any
 */
export function writeSmall({ args, labels, env = [] }) {
    const texty = (tag, time, number, text) => {
        const payload = Buffer.concat([u32(number), Buffer.from(text)]);
        return record(tag, time, u16(payload.length), payload);
    };
    const runs = labels.flatMap((label, at) => {
        const [thread, time] = [at + 1, 1000 + at * 2000];
        const status = Buffer.concat([u16(5), u32(0)]);
        return [
            texty(TAG.threadLabel, time, thread, label),
            record(TAG.run, time, u32(thread)),
            record(TAG.stop, time + 1000, u32(thread), status),
        ];
    });
    const ended = (texts) => texts.map((text) => `${text}\0`).join("");
    const program = [texty(TAG.programArgs, 1000, 0, ended(args))];
    if (env.length > 0) program.push(texty(TAG.programEnv, 1000, 0, ended(env)));
    return Buffer.concat([someHeader(), block(0, runs), block(GLOBAL, program), u16(0xffff)]);
}
