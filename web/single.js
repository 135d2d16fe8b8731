// Makes the page of one file, viewer.html, from a built page: that file contains everything, and the page needs no network. `ghc-eventlog
// report` puts logs into it.
//
//     node web/single.js dist licences.txt

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compress } from "../tests/node_modules/lzma1/lib/index.js";
import { bundle, instead, smaller, style, web } from "./bundling.js";
import { packed, SEPARATOR } from "./js/single/packed.js";

const [folder, licencesPath] = process.argv.slice(2);
if (!folder || !licencesPath)
    throw new Error("which folder has the built page, and which file its licences? `cargo xtask build` runs this");
const out = resolve(folder);

/**
 * @param {string} entry
 * @param {"esm" | "iife"} format
 */
async function script(entry, format) {
    const { outputFiles } = await bundle({
        entryPoints: [join(web, "js", entry)],
        write: false,
        format,
        plugins: [
            instead([
                [/\/wasm\/ghc-eventlog-wasm\.js$/, { path: join(out, "wasm/ghc-eventlog-wasm.js") }],
                [/\/wasm\/ghc-eventlog-unpack-wasm\.js$/, { path: join(web, "js/single/no-unpacker.js") }],
                [/^\.\/remote\.js$/, { path: join(web, "js/single/no-remote.js") }],
                [/^\.\/question\.js$/, { path: join(web, "js/single/no-question.js") }],
                [/^\.\/style\.js$/, { path: join(web, "js/single/style.js") }],
                [/\/example\.js$/, { path: join(web, "js/single/no-example.js") }],
                [/^\.\.?\/parts\.js$/, { path: join(web, "js/single/parts.js") }],
                [/\/pack\.js$/, { path: join(web, "js/single/no-saving.js") }],
                [/\/saving\/exporting\.js$/, { path: join(web, "js/single/no-saving.js") }],
                [/\/saving\/dialog\.js$/, { path: join(web, "js/single/no-saving.js") }],
            ]),
        ],
        // The binding would look for its wasm beside itself; here it gets the bytes instead.
        define: { "import.meta.url": "self.location.href" },
    });
    return (await smaller(outputFiles[0].text)).code;
}

/** @param {Uint8Array | string} content */
const pack = (content) => packed(compress(typeof content === "string" ? new TextEncoder().encode(content) : content, 9));
/** The hash of a script or a style for the content security policy. */
const hash = (/** @type {string} */ text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const [boot, main, worker] = await Promise.all(["single/boot.js", "single/main.js", "worker.js"].map((entry) => script(entry, "iife")));
/** The viewer's style, whose parts style-text.js lists in order. */
const { text: viewerStyle } = await import(`data:text/javascript,${encodeURIComponent(await script("style-text.js", "esm"))}`);
// The text of a script must not end it.
const code = boot.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const sheet = await style(join(web, "single.css"));
const wasm = readFileSync(join(out, "wasm/ghc-eventlog-wasm_bg.wasm"));
const licences = readFileSync(licencesPath, "utf8");
/** Packed together: the scripts have much in common. boot.js takes the first, parts.js the others. */
const texts = [main, worker, viewerStyle, licences];
if (texts.some((text) => text.includes(SEPARATOR))) throw new Error("a text contains what separates it from the next one");
const policy = [
    "default-src 'none'",
    `script-src ${hash(code)} ${hash(main)} 'wasm-unsafe-eval'`,
    `style-src ${hash(sheet)}`,
    "worker-src blob:",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");

/** The light colours by role, for the report's picture. */
const [, light] = /:root,\s*:host \{([^}]*)\}/.exec(readFileSync(join(web, "style/colours.css"), "utf8")) ?? [];
const palette = Object.fromEntries([...(light ?? "").matchAll(/--([\w-]+): (#\w+);/g)].map(([, role, colour]) => [role, colour]));

/** The page without a report: `ghc-eventlog report` puts its parts where the markers are. */
const page = `<!doctype html>
<html lang="en" data-state="empty" data-log="none">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="ghc-eventlog-viewer">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title><!--title-->GHC Eventlog Viewer<!--/title--></title>
<link rel="icon" href="data:,">
<style>${sheet}</style>
</head>
<body>
<main id="report"><!--report--><noscript><p>This page needs JavaScript, which is switched off here.</p></noscript><!--/report--></main>
<ghc-eventlog-viewer page></ghc-eventlog-viewer>
<!--logs--><!--/logs-->
<script type="application/json" id="viewer-palette">${JSON.stringify(palette)}</script>
<script type="text/plain" id="viewer-wasm">${pack(wasm)}</script>
<script type="text/plain" id="viewer-texts">${pack(texts.join(SEPARATOR))}</script>
<script>${code}</script>
</body>
</html>
`;
writeFileSync(join(out, "viewer.html"), page);
console.log(`    viewer.html: ${Buffer.byteLength(page)} bytes`);
