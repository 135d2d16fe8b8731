// The rest of the wasm: what neither reading nor drawing needs. The page's build has split it off (crates/xtask/src/page/split.rs), so that
// the page is there sooner. The page sends it right after the first module.

import { Unreadable } from "./unreadable.js";

/**
 * What the first module exports for the rest; null before it has started, and if the wasm is whole.
 * @type {(WebAssembly.Exports & { $there: WebAssembly.Global }) | null}
 */
let first = null;

/** @type {Promise<void> | null} */
let loading = null;

/** @type {(wasm: Blob | null) => void} */
let come;
/** @type {Promise<Blob | null>} */
const sent = new Promise((resolve) => (come = resolve));

/** @param {Blob | null} wasm from the page; null if the page could not load it */
export function take(wasm) {
    come(wasm);
}

/**
 * Begins to wait for the rest, if there is one.
 * @param {object} exports of the first module
 */
export function started(exports) {
    if (!("rest_table" in exports)) return;
    first = /** @type {any} */ (exports);
    Object.assign(globalThis, { loadRest });
    // Whoever needs it tries again, and tells the user if that fails, too.
    rest().catch(() => {});
}

export function isRestThere() {
    return !first || first.$there.value === 1;
}

/** @returns {Promise<void>} resolves when the rest is there; if the network failed, the next call tries again */
export function rest() {
    loading ??= load();
    loading.catch(() => (loading = null));
    return loading;
}

const address = () => new URL("../wasm/ghc-eventlog-wasm_rest.wasm", import.meta.url);

async function load() {
    if (isRestThere()) return;
    const source = (await sent) ?? (await request());
    const module = await WebAssembly.compile(await source.arrayBuffer());
    // It may have been loaded meanwhile by a call that could not wait.
    if (!isRestThere()) await WebAssembly.instantiate(module, imports());
}

async function request() {
    const response = await fetch(address()).catch(({ message }) => refuse(message));
    if (!response.ok) refuse(`status ${response.status}`);
    return response;
}

/** Loads the rest at once: the first module calls this from within a function that needs it. */
function loadRest() {
    const request = new XMLHttpRequest();
    request.open("GET", address(), false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) refuse(`status ${request.status}`);
    new WebAssembly.Instance(new WebAssembly.Module(request.response), imports());
}

/**
 * @param {string} why
 * @returns {never}
 */
function refuse(why) {
    throw new Unreadable(
        `a part of the viewer could not be loaded (${why}); findings, tables, details and the search need it. Load the page again`,
    );
}

function imports() {
    return { first: /** @type {WebAssembly.ModuleImports} */ (first) };
}
