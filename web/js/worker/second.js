// The second part of the wasm: what few logs need, loaded when it is needed first. `cargo xtask build` cuts it off; wasm that has not
// been cut, as while one works on the page and in a page of one file, has all in its first part.

import { NotNow, Unreadable } from "./unreadable.js";

/**
 * @param {Promise<object>} first what the first part gives
 * @returns {() => Promise<void>} waits until all of the wasm can be called; where the network failed it may work the next time
 */
export function secondPart(first) {
    /** @type {Promise<void> | null} */
    let loading = null;
    return () => {
        loading ??= first.then((exports) => complete(/** @type {WebAssembly.Exports} */ (exports)));
        loading.catch(() => (loading = null));
        return loading;
    };
}

/** @param {WebAssembly.Exports} first */
async function complete(first) {
    const key = Object.keys(first).find((name) => /^second-[0-9a-f]+$/.test(name));
    if (!key) return;
    const module = await loaded();
    // That of another version may want what this first part does not have.
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    const isOfIt = names.length > 0 && names.every((name) => name.startsWith(`${key}-`));
    if (!isOfIt) throw new Unreadable("a part of the viewer is of another version than the rest. Reload the page");
    const instance = await WebAssembly.instantiate(module, { first });
    const put = /** @type {(at: number, call: WebAssembly.ExportValue) => void} */ (first[key]);
    for (const [name, call] of Object.entries(instance.exports)) put(Number(name.slice(key.length + 1)), call);
}

/** Whatever comes instead of it: some servers answer with a page of theirs, and say that all is well. */
async function loaded() {
    try {
        const response = await fetch(new URL("../wasm/ghc-eventlog-wasm_second.wasm", import.meta.url));
        if (!response.ok) throw new Error(`status ${response.status}`);
        return await WebAssembly.compile(await response.arrayBuffer());
    } catch (error) {
        throw new NotNow(
            "viewer",
            `a part of the viewer could not be loaded (${error instanceof Error ? error.message : error}). Try again once it can be reached`,
        );
    }
}
