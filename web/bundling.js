// Bundles the page and its scripts: the page that is published (bundle.js) or being worked on (serve.js), and the page of one file
// (single.js).

import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
// The packages are locked beside the tests' (tests/package-lock.json), and installed by `cargo xtask setup`.
import { build, transform, transformSync } from "../tests/node_modules/esbuild/lib/main.js";
import { minify as terser } from "../tests/node_modules/terser/main.js";

export const web = dirname(fileURLToPath(import.meta.url));
const packages = join(web, "../tests/node_modules");

/** BUNDLE=readable leaves scripts as they are written: `cargo xtask serve` sets it. */
export const minify = process.env.BUNDLE !== "readable";

/** The style goes into the page's script as text, which makes one style sheet for all viewers of a page. */
const sheets = {
    name: "sheets",
    setup({ onLoad }) {
        onLoad({ filter: /\.css$/ }, async ({ path }) => {
            return { contents: await style(path), loader: "text" };
        });
    },
};

/** The example log goes into the worker's script, compressed. */
const logs = {
    name: "logs",
    setup({ onLoad }) {
        onLoad({ filter: /\.eventlog$/ }, ({ path }) => ({ contents: gzipSync(readFileSync(path), { level: 9 }), loader: "binary" }));
    },
};

/** @param {string} path of a style sheet */
export async function style(path) {
    return (await transform(readFileSync(path, "utf8"), { loader: "css", minify })).code;
}

/**
 * Replaces some modules by others.
 * @param {[RegExp, import("esbuild").OnResolveResult][]} others
 */
export function instead(others) {
    return {
        name: "instead",
        setup({ onResolve }) {
            for (const [filter, other] of others) onResolve({ filter }, () => other);
        },
    };
}

/**
 * Bundles, with the options that are the same everywhere.
 * @param {import("esbuild").BuildOptions} options the others
 * @returns {import("esbuild").BuildOptions}
 */
export function options({ plugins = [], ...options }) {
    return {
        nodePaths: [packages],
        // Do not resolve the link to the packages, or source maps would contain the path of this machine's cache folder.
        preserveSymlinks: true,
        plugins: [...plugins, sheets, logs],
        bundle: true,
        format: "esm",
        target: "es2022",
        charset: "utf8",
        minify,
        legalComments: "none",
        metafile: true,
        logLevel: "warning",
        ...options,
    };
}

/** @param {import("esbuild").BuildOptions} own */
export function bundle(own) {
    return build(options(own));
}

/** The page's scripts. */
export const SCRIPTS = ["start", "main", "worker"];

/**
 * Bundles the page's scripts, one file each, with source maps.
 * @param {string} out the page's folder, with the bindings in `wasm/`
 */
export function pageOptions(out) {
    const { code: pageStyle } = transformSync(readFileSync(join(web, "page.css"), "utf8"), { loader: "css", minify });
    return {
        entryPoints: SCRIPTS.map((name) => join(web, "js", `${name}.js`)),
        outdir: join(out, "js"),
        // wasm-bindgen has just made the bindings. Those of the unpacker and of the report stay separate files, loaded when a log needs
        // them.
        plugins: [
            instead([
                [/\/wasm\/ghc-eventlog-wasm\.js$/, { path: join(out, "wasm/ghc-eventlog-wasm.js") }],
                [/\/wasm\/ghc-eventlog-unpack-wasm\.js$/, { path: "../wasm/ghc-eventlog-unpack-wasm.js", external: true }],
                [/\/wasm\/ghc-eventlog-report-wasm\.js$/, { path: "../wasm/ghc-eventlog-report-wasm.js", external: true }],
            ]),
        ],
        sourcemap: /** @type {const} */ ("linked"),
        define: { PUBLISHED: String(minify), SPLIT: String(process.env.SPLIT === "1"), PAGE_STYLE: JSON.stringify(pageStyle) },
    };
}

/**
 * Makes a minified script smaller still: Terser saves a thirtieth of what is sent, and the indentation goes that templates have (a browser
 * ignores it; the lines stay, for the source map).
 * @param {string} code
 * @param {{ content: string, url: string }} [sourceMap] the script's source map, and the address under which the script will have its own
 * @returns {Promise<{ code: string, map: string }>} the script, and its source map if it has had one
 */
export async function smaller(code, sourceMap) {
    const small = await terser(code.replace(/\n {2,}/g, "\n"), { module: true, ecma: 2020, compress: { passes: 2 }, sourceMap });
    if (small.code === undefined) throw new Error("Terser made nothing of a script");
    return { code: small.code, map: String(small.map ?? "") };
}

/** Files that are copied unchanged. */
export const STATIC = ["index.html", "page.css", "manifest.webmanifest"];

/**
 * Puts the page and its unchanged files into a folder.
 * @param {string} out
 * @param {string} html the page, with or without the links that Trunk removes
 */
export function putStatic(out, html) {
    for (const name of [...STATIC, "icons"]) cpSync(join(web, name), join(out, name), { recursive: true });
    // Trunk removes its links and leaves the spaces before them.
    const page = html.replace(/<link data-trunk [^>]*>/g, "").replace(/^[^\S\n]+\n/gm, "");
    writeFileSync(join(out, "index.html"), page);
}

/**
 * The licences of the bundled packages, which demand to be included.
 * @param {import("esbuild").Metafile} metafile
 */
export function licencesOf({ inputs }) {
    const used = Object.keys(inputs).flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
    const licences = [...new Set(used)].sort().map((name) => {
        const { version, license } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
        const file = join(packages, name, "LICENSE");
        const text = existsSync(file) ? readFileSync(file, "utf8").trim() : license;
        return `${name} ${version}\n\n${text}\n`;
    });
    return licences.join("\n----------------------------------------\n\n");
}
