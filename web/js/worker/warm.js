// Browsers compile wasm twice: quickly at first, and with optimisations once it has run for a while, on all cores. That second time would
// be just when the first log begins to be read, and the page would freeze for a moment. So the wasm runs for a while before the user opens
// a log.

import { Log } from "../../wasm/ghc-eventlog-wasm.js";
import { example } from "./example.js";

/** How long it runs, in ms: until browsers find the optimised compilation worth it. */
const LONG_ENOUGH = 300;

/** How long it runs at a time, in ms, so that a user who opens a log meanwhile does not wait. */
const AT_A_TIME = 10;

// The methods as they are now, even if they are replaced for a log later.
const { feed, finish, free } = Log.prototype;

/**
 * Reads the example log again and again.
 * @param {() => boolean} isIdle whether there is nothing else to do
 */
export async function warmUp(isIdle) {
    const bytes = new Uint8Array(await (await example()).arrayBuffer());
    for (let left = LONG_ENOUGH; left > 0 && isIdle(); left -= AT_A_TIME) {
        const end = performance.now() + AT_A_TIME;
        while (performance.now() < end) read(bytes);
        await new Promise((resolve) => setTimeout(resolve));
    }
}

/** @param {Uint8Array} bytes */
function read(bytes) {
    const log = new Log(bytes.length);
    try {
        feed.call(log, bytes);
        finish.call(log, false);
    } finally {
        free.call(log);
    }
}
