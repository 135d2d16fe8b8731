// Browsers compile wasm twice: at once and badly, and well once it has run for a while, on all cores. That would be just when the
// first log begins to be read, and the page would stand still for a moment. So it is done before anybody opens one.

import { Log } from "../../wasm/ghc-eventlog-wasm.js";
import { example } from "./example.js";

/** How long it is run, in ms: until browsers think that compiling it well is worth it. */
const LONG_ENOUGH = 300;

/** How long it is run at a time, in ms: whoever opens a log meanwhile does not wait. */
const AT_A_TIME = 10;

// As they are now, whatever they are made to do for a log.
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
