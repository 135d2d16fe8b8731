// Lets tests and the benchmark reach into the page's worker, whose modules are bundled and cannot be imported.

/**
 * Runs in the worker before its own script: notes the wasm instances that are made there, and the class of logs. Asking the debugger for
 * all objects would find them, too, but crashes Chromium if wasm is being compiled meanwhile.
 */
function note() {
    /** The exports of each instance, as long as it is in use. */
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
    // wasm-bindgen calls this for every object that it makes.
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
        /** The exports of the wasm that decodes logs. */
        exports: () => there().find((exports) => "log_feed" in exports),
        /** Bytes of all wasm memories that still exist. */
        memory: () => {
            const memories = new Set(
                there().flatMap((exports) => Object.values(exports).filter((one) => one instanceof WebAssembly.Memory)),
            );
            return [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
        },
        /** Changes the class of logs, as soon as there is a log. */
        changeLogs: (change) => void (logs ? change(logs) : changes.push(change)),
    };
}

/** The text to insert before the worker's script. */
export const WITHIN = `(${note})();`;

/**
 * Calls a function in the worker with arguments.
 * @param {(method: string, params?: object) => Promise<any>} send sends commands of the debugger to the worker
 * @param {string | Function} act the function, or its text, which can only use what exists in the worker, such as `within_`
 * @param {unknown[]} args
 */
export async function within(send, act, ...args) {
    const expression = `(${act})(${args.map((value) => JSON.stringify(value) ?? "undefined").join()})`;
    const called = await send("Runtime.evaluate", { expression, returnByValue: true });
    if (called.exceptionDetails) throw new Error(called.exceptionDetails.exception?.description ?? called.exceptionDetails.text);
    return called.result.value;
}
