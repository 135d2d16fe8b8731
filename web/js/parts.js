// Where a served page has its parts: beside its script. A page of one file has them within itself (web/js/single/parts.js), and is
// bundled with those instead.

/** @type {Promise<Blob> | null} */
let loading = null;

/** The licences of what is built in: asked for only by who wants to read them. */
export async function loadLicences() {
    const response = await fetch(new URL("../licences.txt", import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
}

/** The wasm module as the bytes that it is: the page only hands them to its workers, the second of which asks nobody for them
 * again. */
export function loadWasm() {
    loading ??= fetch(new URL("../wasm/ghc-eventlog-wasm_bg.wasm", import.meta.url)).then(async (response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        // No `response.blob()`: of what was preloaded, that fails in Chromium now and then on a busy machine, though all of it came.
        return new Blob([await response.arrayBuffer()]);
    });
    // Where the network failed it may work the next time.
    loading.catch(() => (loading = null));
    return loading;
}

/** The page of one file, as text. */
export async function loadViewer() {
    const response = await fetch(new URL("../viewer.html", import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
}

export function startWorker() {
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}

/** The folder of the documents; null where they are not beside the page. @type {string | null} */
export const DOCUMENTS = new URL("../docs/", import.meta.url).href;

/** Whether there is an example log within it. */
export const HAS_EXAMPLE = true;
