// Loads the parts of a served page, which are beside its script. A page of one file contains its parts, and is bundled with
// web/js/single/parts.js instead.

/** @type {Promise<Blob> | null} */
let loading = null;

/** @type {Promise<Blob | null> | null} */
let restLoading = null;

/** The licences of bundled packages: loaded only when the user wants to read them. */
export async function loadLicences() {
    const response = await fetch(new URL("../licences.txt", import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
}

/** The bytes of the wasm module. The page hands them to its workers, so that a second worker needs no request. */
export function loadWasm() {
    loading ??= blobOf("../wasm/ghc-eventlog-wasm_bg.wasm");
    // If the network failed, the next call tries again.
    loading.catch(() => (loading = null));
    return loading;
}

/**
 * The bytes of the rest of the wasm, which comes after the first module, so as not to delay it. The page asks for it, not the worker, whose
 * script is still to come: that saves a round trip.
 * @returns {Promise<Blob | null>} null if there is none, or if it cannot be had now
 */
export async function loadRest() {
    if (!SPLIT) return null;
    restLoading ??= loadWasm()
        .then(() => blobOf("../wasm/ghc-eventlog-wasm_rest.wasm"))
        .catch(() => (restLoading = null));
    return restLoading;
}

/** @param {string} path */
async function blobOf(path) {
    const response = await fetch(new URL(path, import.meta.url));
    if (!response.ok) throw new Error(`status ${response.status}`);
    // Not `response.blob()`: for a preloaded file, that sometimes fails in Chromium on a busy machine, although all of it came.
    return new Blob([await response.arrayBuffer()]);
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

/** The folder of the documents; null if they are not beside the page. @type {string | null} */
export const DOCUMENTS = new URL("../docs/", import.meta.url).href;

/** Whether the page contains an example log. */
export const HAS_EXAMPLE = true;
