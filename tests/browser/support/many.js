// Makes the page's worker report that its log has very many tracks, since there is no such log yet. Also used by the benchmark.

import { within } from "./within.js";

/** Runs in the worker, once for all logs: gives them `count` capabilities, each drawn as one of the real ones. */
function change(count) {
    within_.changeLogs((logs) => {
        const { tree, tracks_of } = logs;
        logs.tree = function (arrangement) {
            const found = tree.call(this, arrangement);
            const caps = found.groups.find(({ key, tracks }) => key === "caps" && tracks > 0);
            if (caps) Object.assign(caps, { real: caps.tracks, tracks: count, open: true, parts: [{ shape: "states", tracks: count }] });
            return found;
        };
        logs.tracks_of = function (arrangement, group, from, wanted) {
            const real = group === "caps" ? tracks_of.call(this, arrangement, group, 0, 256) : [];
            if (real.length === 0) return tracks_of.call(this, arrangement, group, from, wanted);
            const made = Math.max(0, Math.min(wanted, count - from));
            return Array.from({ length: made }, (_, at) => ({ ...real[(from + at) % real.length], name: `Capability ${from + at}` }));
        };
    });
}

/**
 * @param {(method: string, params?: object) => Promise<any>} send sends commands of the debugger to the worker
 * @param {number} count the number of capabilities
 */
export function makeMany(send, count) {
    return within(send, change, count);
}
