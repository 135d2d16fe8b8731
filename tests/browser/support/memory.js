// Measures what a page and its worker hold in memory.

import { within } from "./within.js";
import { workerOf } from "./worker.js";

/**
 * Measures the page and its current worker.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<() => Promise<{ heaps: number, wasm: number, nodes: number, listeners: number }>>} measures what is left after
 *     collecting garbage: bytes, and the document's nodes and listeners
 */
export async function memoryOf(page) {
    const session = await page.context().newCDPSession(page);
    const worker = await workerOf(session);
    const send = (method) => session.send(method);
    return async () => {
        // Twice: collecting one heap may make something in the other one garbage.
        for (const collect of [worker, send, worker, send]) await collect("HeapProfiler.collectGarbage");
        const { nodes, jsEventListeners } = await send("Memory.getDOMCounters");
        return {
            heaps: held(await send("Runtime.getHeapUsage")) + held(await worker("Runtime.getHeapUsage")),
            wasm: await within(worker, "within_.memory"),
            nodes,
            listeners: jsEventListeners,
        };
    };
}

function held({ usedSize, embedderHeapUsedSize, backingStorageSize }) {
    return usedSize + embedderHeapUsedSize + backingStorageSize;
}
