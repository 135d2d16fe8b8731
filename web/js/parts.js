// Where a served page has its parts: beside its script. A page of one file has them within itself (web/js/single/parts.js), and is
// bundled with those instead.

/** @type {Promise<Blob> | null} */
let loading = null;

/** The wasm module as the bytes that it is: the page only hands them to its workers, the second of which asks nobody for them
 * again. */
export function loadWasm() {
    loading ??= fetch(new URL("../wasm/ghc-eventlog-wasm_bg.wasm", import.meta.url)).then((response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        return response.blob();
    });
    // Where the network failed it may work the next time.
    loading.catch(() => (loading = null));
    return loading;
}

export function startWorker() {
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}
