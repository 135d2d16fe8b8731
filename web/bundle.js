// Bundles the page and its worker into one file each, and makes its service worker: Trunk runs this at each build, once the wasm is
// there (Trunk.toml). Source maps are there in any case.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, instead, licencesOf, minify, web } from "./bundling.js";
import { offline } from "./offline.js";

const out = process.env.TRUNK_STAGING_DIR;
if (!out) throw new Error("Trunk runs this: `cargo xtask build`, `trunk build` or `trunk serve`");

const { metafile } = await bundle({
    entryPoints: ["start", "main", "worker"].map((name) => join(web, "js", `${name}.js`)),
    outdir: join(out, "js"),
    // The bindings are no sources: Trunk has just made them. Those that few logs need are loaded by the first one.
    plugins: [
        instead([
            [/\/wasm\/ghc-eventlog-wasm\.js$/, { path: join(out, "wasm/ghc-eventlog-wasm.js") }],
            [/\/wasm\/ghc-eventlog-unpack-wasm\.js$/, { path: "../wasm/ghc-eventlog-unpack-wasm.js", external: true }],
            [/\/wasm\/ghc-eventlog-report-wasm\.js$/, { path: "../wasm/ghc-eventlog-report-wasm.js", external: true }],
        ]),
    ],
    sourcemap: "linked",
    define: { PUBLISHED: String(minify) },
});
writeFileSync(join(out, "licences.txt"), licencesOf(metafile));

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

// While one works on the page, Trunk's own script stands within it, which reloads it; and nothing is kept of it.
if (minify) {
    const path = join(out, "index.html");
    const page = readFileSync(path, "utf8");
    const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    if (!page.includes("http-equiv")) writeFileSync(path, page.replace(/<meta charset="?utf-8"?>/i, (charset) => charset + policy));
    await offline(out);
}
