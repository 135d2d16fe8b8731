// Builds the page around its wasm: the HTML, each of its scripts in one file with a source map, and the service worker.
//
//     node web/bundle.js dist
//
// `cargo xtask build` runs this; Trunk also runs it at each of its builds (Trunk.toml), and sets a variable to the folder of the wasm.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SCRIPTS, bundle, licencesOf, minify, pageOptions, putStatic, smaller, web } from "./bundling.js";
import { documents } from "./docs.js";
import { offline } from "./offline.js";

const { TRUNK_STAGING_DIR } = process.env;
const folder = TRUNK_STAGING_DIR ?? process.argv[2];
if (!folder || folder.startsWith("-")) throw new Error("which folder has the page's wasm? `cargo xtask build` and Trunk run this");
const out = resolve(folder);

// When Trunk serves the page, it has already put its own script into it.
putStatic(out, readFileSync(join(TRUNK_STAGING_DIR ? out : web, "index.html"), "utf8"));
const { metafile } = await bundle(pageOptions(out));
if (minify) {
    for (const name of SCRIPTS.map((script) => `${script}.js`)) {
        const [path, mapPath] = [join(out, "js", name), join(out, "js", `${name}.map`)];
        const [written, content] = [path, mapPath].map((path) => readFileSync(path, "utf8"));
        const { code, map } = await smaller(written, { content, url: `${name}.map` });
        writeFileSync(path, code);
        writeFileSync(mapPath, map);
    }
}
writeFileSync(join(out, "licences.txt"), licencesOf(metafile));
await documents(out);

/** What the published page may do, whatever its host permits: everything comes from the page's own folder. */
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
// `trunk serve` puts a script into the page that reloads it: a policy would forbid that script, and a service worker would keep old files.
const isWorkedOn = !minify || /<script(?![^>]*\ssrc=)/.test(page);
if (!isWorkedOn) {
    const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    const guarded = page.replace(/<meta charset="?utf-8"?>/i, (charset) => charset + policy);
    if (guarded === page) throw new Error(`${path} has no place for the page's policy: a <meta charset> is looked for`);
    writeFileSync(path, guarded);
    await offline(out);
}
