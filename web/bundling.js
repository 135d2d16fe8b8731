// How scripts and styles are bundled: for the page that is served (bundle.js), and for the page of one file (single.js).

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
// The packages are locked beside the tests' (tests/package-lock.json), and installed by `cargo xtask setup`.
import { build, transform } from "../tests/node_modules/esbuild/lib/main.js";

export const web = dirname(fileURLToPath(import.meta.url));
const packages = join(web, "../tests/node_modules");

/** BUNDLE=readable leaves scripts as they are written, for `cargo xtask serve`. */
export const minify = process.env.BUNDLE !== "readable";

/** The style goes into the page's script as text: a sheet is made of it that all viewers of a page share. */
const sheets = {
    name: "sheets",
    setup({ onLoad }) {
        onLoad({ filter: /\.css$/ }, async ({ path }) => {
            return { contents: await style(path), loader: "text" };
        });
    },
};

/** The example log goes into the worker's script, packed. */
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
 * Has other modules stand in for some.
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
 * @param {import("esbuild").BuildOptions} options
 */
export function bundle({ plugins = [], ...options }) {
    return build({
        nodePaths: [packages],
        // Packages keep the place where they are looked for: nothing names the cache folder of this machine.
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
    });
}

/**
 * The licences of what was bundled of packages: they want to go with it.
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
