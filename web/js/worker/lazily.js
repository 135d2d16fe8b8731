// Modules of wasm that few logs need: each is asked for when it is needed first.

/**
 * @template {{ default: () => Promise<unknown> }} T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T>} gives the module, ready to be used; where the network failed it may work the next time
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
