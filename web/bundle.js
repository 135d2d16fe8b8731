// Bundles the page and its worker into one file each: Trunk runs this at each build, once the wasm is there (Trunk.toml).
// Source maps are there in any case.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, instead, licencesOf, web } from "./bundling.js";

const out = process.env.TRUNK_STAGING_DIR;
if (!out) throw new Error("Trunk runs this: `cargo xtask build`, `trunk build` or `trunk serve`");

const { metafile } = await bundle({
    entryPoints: ["start", "main", "worker"].map((name) => join(web, "js", `${name}.js`)),
    outdir: join(out, "js"),
    // The bindings are no sources: Trunk has just made them. The unpacker's is loaded when the first file needs it.
    plugins: [
        instead([
            [/\/wasm\/ghc-eventlog-wasm\.js$/, { path: join(out, "wasm/ghc-eventlog-wasm.js") }],
            [/\/wasm\/ghc-eventlog-unpack-wasm\.js$/, { path: "../wasm/ghc-eventlog-unpack-wasm.js", external: true }],
        ]),
    ],
    sourcemap: "linked",
});
writeFileSync(join(out, "licences.txt"), licencesOf(metafile));
