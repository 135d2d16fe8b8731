// Loads the parts of a page of one file, which contains them: compressed, as text of elements that browsers do not run.

import { within } from "./packed.js";
import { style } from "./style.js";

/** The address of the worker's script; valid as long as the page is open. */
let script = "";

/** Takes the worker's script, before any worker is started, and the style, before anything is shown. */
export async function prepare() {
    const [worker = "", rules = ""] = viewerTexts;
    style.replaceSync(rules);
    script = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
}

/** The bytes of the wasm module. */
export function loadWasm() {
    return within("viewer-wasm");
}

/** The wasm is whole. @returns {Promise<Blob | null>} */
export async function loadRest() {
    return null;
}

/** The licences of bundled packages. */
export async function loadLicences() {
    return viewerTexts[2] ?? "";
}

/** A classic worker: its script imports nothing. */
export function startWorker() {
    return new Worker(script);
}

/** The page contains a log instead. */
export const HAS_EXAMPLE = false;

/** The page does not contain the documents. @type {string | null} */
export const DOCUMENTS = null;
