// The budgets of the design, and the noise that each figure may have: on a shared machine with two cores, runs differ by a fifth.

const MIB = 2 ** 20;

/** Questions after a log has been read. */
const OF_QUESTIONS = [
    { what: "jump", name: "exact after a jump, p95 of 50", unit: "ms", most: 100, noise: 1.25, over: MIB },
    { what: "totals", name: "totals of a range, p95 of 20", unit: "ms", most: 150, noise: 1.25, over: MIB },
    { what: "events", name: "a page of all events, p95 of 20", unit: "ms", most: 150, noise: 1.25, over: MIB },
    { what: "hit", name: "first hit of a search, longest of 4", unit: "ms", most: 200, noise: 1.25, over: MIB },
    { what: "hits", name: "all hits, longest of 4", unit: "ms" },
    { what: "expression", name: "all hits of a regular expression", unit: "ms" },
];

/** For every log. `what` names a figure of `measure.js`; `over` is the least size of a log in bytes for which the budget counts. */
export const OF_A_LOG = [
    { what: "first", name: "first picture", unit: "ms", most: 250, noise: 1.25 },
    { what: "whole", name: "picture of the whole", unit: "ms", most: 1000, noise: 1.25, over: 1000 * MIB },
    { what: "ready", name: "ready", unit: "ms" },
    { what: "bare", name: "bare read", unit: "ms" },
    { what: "ratio", name: "ready ÷ bare read", unit: "×", most: 1.5, noise: 1.2, over: 1000 * MIB },
    { what: "longest", name: "longest task of the page", unit: "ms", most: 50, noise: 1 },
    { what: "peak", name: "memory added, at most", unit: "MB", most: 256, noise: 1 },
    { what: "wasm", name: "  of it wasm", unit: "MB" },
    { what: "heap", name: "  of it JS, page and worker", unit: "MB" },
    ...OF_QUESTIONS,
    { what: "finding", name: "all hits ÷ bare read", unit: "×", most: 3, noise: 1.2, over: 1000 * MIB },
    { what: "rows", name: "first threads followed, once unfolded", unit: "ms", most: 300, noise: 1.25 },
    { what: "wait", name: "a question meanwhile waits, at most", unit: "ms", most: 50, noise: 1.25 },
    { what: "followed", name: "all threads followed", unit: "ms" },
    { what: "following", name: "that ÷ bare read", unit: "×", most: 4, noise: 1.2, over: 1000 * MIB },
    { what: "after", name: "memory added, every panel opened", unit: "MB", most: 256, noise: 1 },
    { what: "requests", name: "requests after load", unit: "", most: 0, noise: 1 },
];

/**
 * For the corpus' log of a program that collects all the time, tiled, and for a log that is mostly a profile: an event of a collection, and a
 * sample, takes more time than other events.
 */
export const OF_A_HEAVY_LOG = OF_A_LOG.map((row) => (row.what === "ratio" ? { ...row, most: 2, over: 900 * MIB } : row));

/** For the log with 64 capabilities, 40 of them in view. */
export const OF_MOVING = [
    { what: "panP50", name: "panning, p50", unit: "ms" },
    { what: "panP95", name: "panning, p95", unit: "ms", most: 8, noise: 1.25 },
    { what: "panP99", name: "panning, p99", unit: "ms" },
    { what: "zoomP50", name: "zooming, p50", unit: "ms" },
    { what: "zoomP95", name: "zooming, p95", unit: "ms", most: 8, noise: 1.25 },
    { what: "zoomP99", name: "zooming, p99", unit: "ms" },
    ...OF_QUESTIONS,
];

/** For a log with very many tracks, a screenful of them in view. */
export const OF_MANY = [
    { what: "scrollP50", name: "scrolling, p50", unit: "ms" },
    { what: "scrollP95", name: "scrolling, p95", unit: "ms", most: 8, noise: 1.25 },
    { what: "scrollP99", name: "scrolling, p99", unit: "ms" },
    { what: "hoverP95", name: "hovering, p95", unit: "ms", most: 8, noise: 1.25 },
    { what: "size", name: "a progress message, as text", unit: "KB" },
    { what: "clone", name: "to clone it", unit: "ms" },
];

/** For the page itself. */
export const OF_THE_PAGE = [
    { what: "perWakeUp", name: "decode and model in wasm, an event", unit: "ns", most: 25, noise: 1.1 },
    { what: "perWakeUpFollowed", name: "following threads in wasm, an event", unit: "ns" },
    { what: "perEvent", name: "the same two of a GC-heavy log", unit: "ns" },
    { what: "perEventFollowed", name: "", unit: "ns" },
    { what: "loadRequests", name: "first load: requests", unit: "", most: 6, noise: 1 },
    { what: "roundTrips", name: "first load: round trips", unit: "", most: 3, noise: 1 },
];

/**
 * Whether a figure is within its budget, within its noise, or neither.
 * @returns {"" | "ok" | "noise" | "MISSED"}
 */
export function verdict({ most, noise, over = 0 }, value, size) {
    if (most === undefined || size < over || Number.isNaN(value)) return "";
    if (value <= most) return "ok";
    return value <= most * noise ? "noise" : "MISSED";
}
