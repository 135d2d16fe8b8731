// Puts the page around its wasm: the page itself, one file each of its scripts, with source maps, and its service worker.
//
//     node web/bundle.js dist
//
// `cargo xtask build` runs this; so does Trunk at each of its builds (Trunk.toml), which says in a variable where the wasm is.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundle, licencesOf, minify, pageOptions, putStatic, web } from "./bundling.js";
import { documents } from "./docs.js";
import { offline } from "./offline.js";

const { TRUNK_STAGING_DIR } = process.env;
const folder = TRUNK_STAGING_DIR ?? process.argv[2];
if (!folder) throw new Error("which folder has the page's wasm? `cargo xtask build` and Trunk run this");
const out = resolve(folder);

// Trunk has put its own script into the page already, when it serves it.
putStatic(out, readFileSync(join(TRUNK_STAGING_DIR ? out : web, "index.html"), "utf8"));
const { metafile } = await bundle(pageOptions(out));
writeFileSync(join(out, "licences.txt"), licencesOf(metafile));
await documents(out);

/** What the published page may do, whatever its host says: all comes from where it lies. */
const POLICY = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");

const path = join(out, "index.html");
const page = readFileSync(path, "utf8");
// `trunk serve` has a script within the page, which reloads it: a policy would forbid that, and a service worker keep old files.
const isWorkedOn = !minify || /<script(?![^>]*\ssrc=)/.test(page);
if (!isWorkedOn) {
    const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    const guarded = page.replace(/<meta charset="?utf-8"?>/i, (charset) => charset + policy);
    if (guarded === page) throw new Error(`${path} has no place for the page's policy: a <meta charset> is looked for`);
    writeFileSync(path, guarded);
    await offline(out);
}
