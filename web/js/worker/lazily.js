// Wasm modules that few logs need: each is loaded when it is first needed.

/**
 * @template {{ default: () => Promise<unknown> }} T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T>} loads the module and makes it ready; if the network failed, the next call tries again
 */
export function lazily(load) {
    /** @type {Promise<T> | null} */
    let loading = null;
    return () => {
        loading ??= load().then(async (module) => {
            await module.default();
            return module;
        });
        loading.catch(() => (loading = null));
        return loading;
    };
}
