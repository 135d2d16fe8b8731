// Makes sw.js, the service worker of a built page: it contains the hashes of all files that the page may request. bundle.js runs this for a
// plain `trunk build`; `cargo xtask build` runs it once more after making the wasm smaller.
//
//     node web/offline.js dist

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, web } from "./bundling.js";

/**
 * Files that are not kept: those that no page requests (sources, types, parts of the worker, the service worker itself), and the pictures
 * of documents, which would double the size.
 */
const OTHERS = /\.map$|^docs\/pictures\/|\.d\.ts$|^wasm\/ghc-eventlog-wasm\.js$|^sw\.js$/;

/** @param {string} out the folder of the built page */
export async function offline(out) {
    const hash = (/** @type {string | Buffer} */ bytes) => createHash("sha256").update(bytes).digest("base64");
    const files = readdirSync(out, { recursive: true, encoding: "utf8" })
        .map((name) => ({ path: join(out, name), name: name.replaceAll(sep, "/") }))
        .filter(({ path, name }) => statSync(path).isFile() && !OTHERS.test(name))
        .map(({ path, name }) => [name === "index.html" ? "" : name, hash(readFileSync(path))])
        .sort(([a], [b]) => (a < b ? -1 : 1));
    const define = { FILES: JSON.stringify(Object.fromEntries(files)), VERSION: JSON.stringify(hash(JSON.stringify(files))) };
    // A classic script: browsers support modules in service workers only since recently.
    await bundle({ entryPoints: [join(web, "js/service-worker.js")], outfile: join(out, "sw.js"), format: "iife", define });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder] = process.argv.slice(2);
    if (!folder) throw new Error("which folder has the built page? `cargo xtask build` runs this");
    await offline(resolve(folder));
}
