// A connection of the browser's debugger to the page's worker; within.js says what can be reached by it.

/**
 * Connects to the page's current worker, through the session with the page.
 * @param {import("playwright-core").CDPSession} session with the page
 * @returns {Promise<(method: string, params?: object) => Promise<any>>}
 */
export async function workerOf(session) {
    // The page's service worker may be attached first.
    const attached = new Promise((resolve) =>
        session.on("Target.attachedToTarget", (target) => target.targetInfo.type === "worker" && resolve(target)),
    );
    await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    const { sessionId } = await attached;
    /** @type {Map<number, ReturnType<typeof withResolvers>>} */
    const waiting = new Map();
    session.on("Target.receivedMessageFromTarget", ({ message }) => {
        const { id, result } = JSON.parse(message);
        waiting.get(id)?.resolve(result);
        waiting.delete(id);
    });
    const end = () => waiting.forEach(({ reject }) => reject(new Error("the worker has gone")));
    session.on("Target.detachedFromTarget", (target) => target.sessionId === sessionId && end());
    session.on("Inspector.targetCrashed", end);
    let last = 0;
    return async (method, params = {}) => {
        const id = ++last;
        const answer = withResolvers();
        waiting.set(id, answer);
        await session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) });
        return answer.promise;
    };
}

function withResolvers() {
    let [resolve, reject] = [(_) => {}, (_) => {}];
    const promise = new Promise((...both) => ([resolve, reject] = both));
    return { promise, resolve, reject };
}
