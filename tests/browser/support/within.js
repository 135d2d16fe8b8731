// What tests and the benchmark reach in the page's worker, whose modules are bundled: no import finds them.

/**
 * Runs in the worker before its own script: notes which instances of wasm are made there, and of which class logs are. Asking the
 * debugger for all objects finds them as well, but where wasm is being compiled meanwhile, Chromium's process crashes.
 */
function note() {
    /** What each instance exports, as long as anybody has it. */
    const exported = [];
    /** @type {object | undefined} */
    let logs;
    const changes = [];
    const there = () => exported.map((exports) => exports.deref()).filter((exports) => exports !== undefined);
    for (const name of ["instantiate", "instantiateStreaming"]) {
        const make = WebAssembly[name];
        WebAssembly[name] = async (...given) => {
            const made = await make.call(WebAssembly, ...given);
            const { exports } = made instanceof WebAssembly.Instance ? made : made.instance;
            exported.push(new WeakRef(exports));
            return made;
        };
    }
    // Every object that wasm-bindgen makes comes by here.
    const { register } = FinalizationRegistry.prototype;
    FinalizationRegistry.prototype.register = function (object, ...rest) {
        const prototype = Object.getPrototypeOf(object);
        if (!logs && "feed" in prototype && "look_up" in prototype) {
            logs = prototype;
            for (const change of changes.splice(0)) change(logs);
        }
        register.call(this, object, ...rest);
    };
    globalThis.within_ = {
        /** What the wasm exports that decodes logs. */
        exports: () => there().find((exports) => "log_feed" in exports),
        /** Bytes of all memories of wasm that there are still. */
        memory: () => {
            const memories = new Set(
                there().flatMap((exports) => Object.values(exports).filter((one) => one instanceof WebAssembly.Memory)),
            );
            return [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
        },
        /** Changes the class of logs, as soon as there is one of them. */
        changeLogs: (change) => void (logs ? change(logs) : changes.push(change)),
    };
}

/** What stands before the worker's own script. */
export const WITHIN = `(${note})();`;

/**
 * Calls a function in the worker with arguments.
 * @param {(method: string, params?: object) => Promise<any>} send a line to the worker
 * @param {string | Function} act the function, or its text, which knows nothing but what there is in the worker: `within_`, say
 * @param {unknown[]} args
 */
export async function within(send, act, ...args) {
    const expression = `(${act})(${args.map((value) => JSON.stringify(value) ?? "undefined").join()})`;
    const called = await send("Runtime.evaluate", { expression, returnByValue: true });
    if (called.exceptionDetails) throw new Error(called.exceptionDetails.exception?.description ?? called.exceptionDetails.text);
    return called.result.value;
}
