// The wasm module as the bytes that it is: the page only hands them to its workers, the second of which asks nobody for them
// again.

/** @type {Promise<Blob> | null} */
let loading = null;

export function loadWasm() {
    loading ??= fetch(new URL("../wasm/ghc-eventlog-wasm_bg.wasm", import.meta.url)).then((response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        return response.blob();
    });
    // Where the network failed it may work the next time.
    loading.catch(() => (loading = null));
    return loading;
}
