// Where a page of one file has its parts: packed, as text of elements that browsers do not run.

import { bytesOf, unpacked } from "./packed.js";
import { style } from "./style.js";

/** The worker's script, by an address that lasts as long as the page. */
let script = "";

/** @param {string} id */
const text = (id) => document.getElementById(id)?.textContent ?? "";

/** @param {string} id of an element */
const within = (id) => unpacked(new Blob(bytesOf(text(id))));

/** Unpacks the worker's script, before any worker is started, and the style, before there is anything to be seen. */
export async function prepare() {
    style.replaceSync(await (await within("viewer-style")).text());
    script = URL.createObjectURL(new Blob([await within("viewer-worker")], { type: "text/javascript" }));
}

/** The wasm module as the bytes that it is. */
export function loadWasm() {
    return within("viewer-wasm");
}

/** The licences of what is built in. */
export async function loadLicences() {
    return (await within("viewer-licences")).text();
}

/** A classic worker: its script stands alone. */
export function startWorker() {
    return new Worker(script);
}

/** It has a log of its own. */
export const HAS_EXAMPLE = false;

/** The documents are not within it. @type {string | null} */
export const DOCUMENTS = null;
