// A first look at a few places of a long log, while it is read.

import { atOnce, giveBack } from "./reading.js";

/** @typedef {{ offset: number, length: number, longer: number }} Look a part of the file: `length` bytes, if those are enough */

/**
 * @param {Look[]} looks at least one
 * @param {import("../../wasm/ghc-eventlog-wasm.js").Log} log
 * @param {import("./source.js").Source} source
 * @param {() => boolean} wanted
 */
export async function lookAt([end, ...others], log, source, wanted) {
    /** @param {Look} look */
    const look = async ({ offset, length, longer }) => {
        for (const bytes of new Set([length, longer])) {
            if (!wanted()) return;
            const seen = await source.range(offset, bytes, () => !wanted()).catch(() => null);
            // What cannot be read cannot be looked at: the reading itself will tell.
            if (!seen) return;
            const isEnough = !wanted() || log.look(offset, seen);
            giveBack(seen);
            if (isEnough) return;
        }
    };
    // The first one tells how long the log is, without which the others say nothing.
    await look(end);
    await atOnce(others, look);
}
