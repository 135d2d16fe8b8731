// A log of very many tracks, of which there is none yet: the page's worker is made to say that its log has them. Also used by
// the benchmark.

import { within } from "./within.js";

/** Runs in the worker, once for all logs: its capabilities are so many, each drawn as one of those that there are. */
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
            return Array.from({ length: made }, (_, at) => ({ ...real[(from + at) % real.length], name: `HEC ${from + at}` }));
        };
    });
}

/**
 * @param {(method: string, params?: object) => Promise<any>} send a line to the worker
 * @param {number} count of the capabilities
 */
export function makeMany(send, count) {
    return within(send, change, count);
}
