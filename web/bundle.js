// Bundles the page and its worker into one file each: Trunk runs this at each build, once the wasm is there (Trunk.toml).
//
// BUNDLE=readable leaves them as they are written, for `cargo xtask serve`; source maps are there in any case.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
// The packages are locked beside the tests' (tests/package-lock.json), and installed by `cargo xtask setup`.
import { build, transform } from "../tests/node_modules/esbuild/lib/main.js";

const web = dirname(fileURLToPath(import.meta.url));
const packages = join(web, "../tests/node_modules");
const out = process.env.TRUNK_STAGING_DIR;
if (!out) throw new Error("Trunk runs this: `cargo xtask build`, `trunk build` or `trunk serve`");

/** The bindings are no sources: Trunk has just made them. The unpacker's is loaded when the first file needs it. */
const bindings = {
    name: "bindings",
    setup({ onResolve }) {
        onResolve({ filter: /\/wasm\/ghc-eventlog-wasm\.js$/ }, () => ({ path: join(out, "wasm/ghc-eventlog-wasm.js") }));
        onResolve({ filter: /\/wasm\/ghc-eventlog-unpack-wasm\.js$/ }, () => ({
            path: "../wasm/ghc-eventlog-unpack-wasm.js",
            external: true,
        }));
    },
};

const minify = process.env.BUNDLE !== "readable";

/** The style goes into the page's script as text: a sheet is made of it that all viewers of a page share. */
const sheets = {
    name: "sheets",
    setup({ onLoad }) {
        onLoad({ filter: /\.css$/ }, async ({ path }) => {
            const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify });
            return { contents: code, loader: "text" };
        });
    },
};

const { metafile } = await build({
    entryPoints: ["start", "main", "worker"].map((name) => join(web, "js", `${name}.js`)),
    outdir: join(out, "js"),
    nodePaths: [packages],
    // Packages keep the place where they are looked for: nothing names the cache folder of this machine.
    preserveSymlinks: true,
    plugins: [bindings, sheets],
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    minify,
    sourcemap: "linked",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
});

/** What was bundled of packages, whose licences want to go with it. */
const used = Object.keys(metafile.inputs).flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
const licences = [...new Set(used)].sort().map((name) => {
    const { version, license } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
    const file = join(packages, name, "LICENSE");
    const text = existsSync(file) ? readFileSync(file, "utf8").trim() : license;
    return `${name} ${version}\n\n${text}\n`;
});
writeFileSync(join(out, "licences.txt"), licences.join("\n----\n\n"));
