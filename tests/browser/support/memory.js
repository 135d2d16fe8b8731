// What a page and its worker hold in memory.

/**
 * Looks at the page and at the worker that it has now.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<() => Promise<{ heaps: number, wasm: number, nodes: number, listeners: number }>>} what is left after
 *     collecting garbage: bytes, and the document's nodes and listeners
 */
export async function memoryOf(page) {
    const session = await page.context().newCDPSession(page);
    const worker = await workerOf(session);
    return async () => {
        // What one collection frees may let go of something in the other heap.
        for (const each of [worker, session, worker, session]) await each.send("HeapProfiler.collectGarbage");
        const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
        return {
            heaps: held(await session.send("Runtime.getHeapUsage")) + held(await worker.send("Runtime.getHeapUsage")),
            wasm: await wasmOf(page),
            nodes,
            listeners: jsEventListeners,
        };
    };
}

function held({ usedSize, embedderHeapUsedSize, backingStorageSize }) {
    return usedSize + embedderHeapUsedSize + backingStorageSize;
}

function wasmOf(page) {
    return page.workers()[0].evaluate(async () => {
        const { default: init } = await import(new URL("../wasm/ghc-eventlog-wasm.js", location.href));
        const { memory } = await init();
        return memory.buffer.byteLength;
    });
}

/** A session with the page's worker, by way of the page's. */
async function workerOf(session) {
    const attached = new Promise((resolve) => session.once("Target.attachedToTarget", resolve));
    await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    const { sessionId } = await attached;
    const waiting = new Map();
    session.on("Target.receivedMessageFromTarget", ({ message }) => {
        const { id, result } = JSON.parse(message);
        waiting.get(id)?.(result);
        waiting.delete(id);
    });
    let last = 0;
    const send = async (method) => {
        const id = ++last;
        const answer = new Promise((resolve) => waiting.set(id, resolve));
        await session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) });
        return answer;
    };
    return { send };
}
