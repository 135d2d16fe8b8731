// Measures logs opened in a browser, and the page itself.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "../browser/support/server.js";
import { Session } from "./session.js";

/** Openings and bare reads of each log, in turns. */
const TURNS = 3;
const JUMPS = 50;
const RANGES = 20;
const PAGES = 20;

/** A word that few events have or none, a number, and collections and runs that take long. */
const QUERIES = ["timeout", "thread 4711", "type:GC longer:1ms", "type:run longer:5ms"];

/** With fewer hits, the first one may be anywhere in the log. */
const MANY = 1000;

/** A regular expression that has to be tried on most events. */
const EXPRESSION = "/thread \\d+7$/";

/** @param {number[]} values @param {number} share */
function percentile(values, share) {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

const median = (values) => percentile(values, 0.5);

/** Places in a log, the same in every run. */
function* places(count) {
    for (let at = 0; at < count; at++) yield ((at * 0.618033988749895) % 1) * 0.98 + 0.01;
}

/**
 * Measures one log, in a browser of its own.
 * @param {import("./session.js").Where} where
 * @param {string} path
 */
export async function ofLog(where, path) {
    const session = await Session.start(where);
    try {
        const opened = [await session.open(path)];
        // That of the first opening, in a fresh browser: later ones reuse memory.
        const { peak } = session;
        const { wasm, heap } = await session.heaps();
        // All of a small log is in memory: there is nothing to wait for.
        const asked = sizeOf(path) >= 2 ** 20 ? await questions(session) : {};
        // The threads of a long log are not followed before the user shows them.
        const followed = (await session.isFollowed()) ? null : await session.followThreads();
        await session.openEveryPanel();
        // Before the bare reads: their memory, and the requests for their code, belong to the benchmark.
        const { requests, peak: after } = session;
        const bare = [];
        for (let turn = 0; turn < TURNS; turn++) {
            bare.push(await session.bareRead(path));
            opened.push(await session.open(path));
        }
        const of = (name) => median(opened.map((times) => times[name]));
        const [ready, read] = [of("ready"), median(bare)];
        return {
            // The first opening, as a new user sees it.
            first: opened[0].first,
            whole: of("whole"),
            ready,
            bare: read,
            ratio: ready / read,
            longest: Math.max(...opened.map(({ longest }) => longest ?? NaN)),
            peak,
            wasm,
            heap,
            ...asked,
            finding: asked.hits === undefined ? undefined : asked.hits / read,
            requests,
            rows: followed?.first,
            followed: followed?.all,
            wait: followed?.wait,
            following: followed ? followed.all / read : undefined,
            after,
        };
    } finally {
        await session.end();
    }
}

/** @param {Session} session */
async function questions(session) {
    const [jump, totals] = [[], []];
    for (const place of places(JUMPS)) jump.push(await session.jump(place, 1000));
    for (const place of places(RANGES)) totals.push(await session.range(place));
    const events = await session.eventPages([...places(PAGES)]);
    const found = [];
    for (const query of QUERIES) found.push(await session.search(query));
    const expression = await session.search(EXPRESSION);
    const firsts = found.filter(({ hits }) => hits >= MANY).map(({ first }) => first);
    return {
        jump: percentile(jump, 0.95),
        totals: percentile(totals, 0.95),
        events: percentile(events, 0.95),
        hit: firsts.length > 0 ? Math.max(...firsts) : undefined,
        hits: Math.max(...found.map(({ all }) => all)),
        expression: expression.all,
    };
}

/**
 * Measures panning and zooming with many tracks in view: the main thread's script, layout and paint for each frame, in ms.
 * @param {import("./session.js").Where} where
 * @param {string} path
 */
export async function ofMoving(where, path) {
    const session = await Session.start(where);
    try {
        await session.open(path);
        const tracks = await session.page.evaluate(() => document.querySelectorAll("#headers .track").length);
        if (tracks < 40) throw new Error(`only ${tracks} tracks are in sight`);
        const [pan, zoom] = [await session.frames("pan"), await session.frames("zoom")];
        const figures = (name, frames) => ({
            [`${name}P50`]: percentile(frames, 0.5),
            [`${name}P95`]: percentile(frames, 0.95),
            [`${name}P99`]: percentile(frames, 0.99),
        });
        return { ...figures("pan", pan), ...figures("zoom", zoom), ...(await questions(session)) };
    } finally {
        await session.end();
    }
}

/**
 * Measures the same log as if it had `count` capabilities: scrolling, hovering, and the messages that report progress.
 * @param {import("./session.js").Where} where
 * @param {string} path
 * @param {number} count
 */
export async function ofMany(where, path, count) {
    const session = await Session.start(where);
    try {
        await session.makeMany(count);
        await session.open(path);
        await session.scrollToMiddle();
        const [scroll, hover] = [await session.frames("scroll"), await session.frames("hover")];
        const { size, clone } = await session.message();
        return {
            scrollP50: percentile(scroll, 0.5),
            scrollP95: percentile(scroll, 0.95),
            scrollP99: percentile(scroll, 0.99),
            hoverP95: percentile(hover, 0.95),
            size,
            clone,
        };
    } finally {
        await session.end();
    }
}

/**
 * Measures a log of very many threads, each with its row: scrolling and hovering.
 * @param {import("./session.js").Where} where
 * @param {string} path
 */
export async function ofThreads(where, path) {
    const session = await Session.start(where);
    try {
        await session.open(path);
        await session.page.waitForFunction(() => !window.bench.log.following);
        await session.page.evaluate(() => document.querySelector('[data-group="threads"]').click());
        await session.scrollToMiddle();
        const [scroll, hover] = [await session.frames("scroll"), await session.frames("hover")];
        return {
            scrollP50: percentile(scroll, 0.5),
            scrollP95: percentile(scroll, 0.95),
            scrollP99: percentile(scroll, 0.99),
            hoverP95: percentile(hover, 0.95),
        };
    } finally {
        await session.end();
    }
}

/** Measures the page itself.
 * @param {import("./session.js").Where} where
 * @param {string} dist
 * @param {[string, string]} logs a scheduler-heavy one, and a GC-heavy one
 */
export async function ofPage(where, dist, [wakeUps, collections]) {
    const [perWakeUp, perWakeUpFollowed] = await perEvent(dist, wakeUps);
    const [ofCollections, followed] = await perEvent(dist, collections);
    const figures = { perWakeUp, perWakeUpFollowed, perEvent: ofCollections, perEventFollowed: followed };
    return { ...(await firstLoad(where, dist)), ...figures };
}

/** How long each answer takes while round trips are counted, in ms: much longer than the work between them. */
const DELAY = 400;

/**
 * The requests until the page has loaded, and the number of round trips. Their size is measured by `cargo xtask build --release`.
 * @param {import("./session.js").Where} where
 * @param {string} dist
 */
async function firstLoad(where, dist) {
    const server = await serve(dist, "/", { delay: DELAY });
    const session = await Session.start({ ...where, server });
    // When the browser reports that the network is idle, it does not count the worker's requests.
    while (performance.now() - server.arrivals.at(-1) < 3 * DELAY) await new Promise((resolve) => setTimeout(resolve, DELAY));
    await session.end();
    server.close();
    // What is asked for before the first answer of a round trip belongs to it.
    let [begun, roundTrips] = [-Infinity, 0];
    for (const at of server.arrivals) {
        if (at - begun < DELAY) continue;
        begun = at;
        roundTrips += 1;
    }
    return { loadRequests: server.requests.length, roundTrips };
}

/** How many bytes of a log are decoded to measure the wasm. */
const OF_EACH = 200e6;

/**
 * Nanoseconds that the page's wasm takes for an event, including copying into it, in the same engine as Chromium's: while it is read, and
 * while threads are followed. The fastest of a few runs.
 */
async function perEvent(dist, path) {
    const wasm = join(dist, "wasm/ghc-eventlog-wasm");
    const { initSync, Log } = await import(pathToFileURL(`${wasm}.js`).href);
    const first = initSync({ module: readFileSync(`${wasm}_bg.wasm`) });
    // As in the page, where it is there soon after the first module: a log with very many threads needs it while it is read.
    new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${wasm}_rest.wasm`)), { first });
    const bytes = readFileSync(path).subarray(0, OF_EACH);
    // As in the page, where a piece was just read into a buffer.
    const piece = new Uint8Array(2 << 20);
    const runs = Array.from({ length: 5 }, () => {
        const log = new Log(bytes.length);
        let ms = 0;
        for (let at = 0; at < bytes.length; at += piece.length) {
            const part = bytes.subarray(at, at + piece.length);
            piece.set(part);
            const start = performance.now();
            log.feed(piece.subarray(0, part.length));
            ms += performance.now() - start;
        }
        const start = performance.now();
        log.finish(false);
        const { events } = log.status();
        const read = performance.now();
        ms += read - start;
        const job = log.replay();
        for (let { reads } = log.job(job); reads.length > 0; { reads } = log.job(job))
            for (const [from, length] of reads) log.give(job, from, bytes.subarray(from, from + length));
        const followed = performance.now() - read;
        log.free();
        return [ms, followed].map((ms) => (ms * 1e6) / events);
    });
    const fastest = (which) => Math.min(...runs.map((run) => run[which]));
    return [fastest(0), fastest(1)];
}

export const sizeOf = (path) => statSync(path).size;
