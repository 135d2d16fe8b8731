// Where a page of one file has its parts: packed, as text of elements that browsers do not run.

import { bytesOf, unpacked } from "./packed.js";

/** The worker's script, by an address that lasts as long as the page. @type {string | null} */
let script = null;

/** @param {string} id */
const text = (id) => document.getElementById(id)?.textContent ?? "";

/** The wasm module as the bytes that it is. */
export function loadWasm() {
    return unpacked(new Blob(bytesOf(text("viewer-wasm"))));
}

/** A classic worker: its script stands alone. */
export function startWorker() {
    script ??= URL.createObjectURL(new Blob(bytesOf(text("viewer-worker")), { type: "text/javascript" }));
    return new Worker(script);
}
