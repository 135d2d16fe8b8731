// Serves the page for development: bundles it again when a source changes, and makes the browser reload it.
//
//     node web/serve.js target/serve 8080 [--open]
//
// `cargo xtask serve` runs this once the wasm is in that folder, and builds the wasm again when Rust changes.

import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { context } from "../tests/node_modules/esbuild/lib/main.js";
import { documents } from "./docs.js";
import { STATIC, options, pageOptions, putStatic, web } from "./bundling.js";

const [folder, port, open] = process.argv.slice(2);
if (!folder || !port) throw new Error("which folder has the page's wasm, and which port is the page's? `cargo xtask serve` runs this");
const out = resolve(folder);

/** Files that are not scripts. The page's script contains their hash, so that it changes, and the browser reloads, when they do. */
const OTHERS = [
    ...STATIC.map((name) => join(web, name)),
    ...["", "unpack-", "report-"].map((part) => join(out, `wasm/ghc-eventlog-${part}wasm_bg.wasm`)),
];

/** @type {import("esbuild").Plugin} */
const others = {
    name: "others",
    setup({ onLoad, onStart }) {
        onStart(() => putStatic(out, readFileSync(join(web, "index.html"), "utf8")));
        onLoad({ filter: /[/\\]js[/\\]main\.js$/ }, ({ path }) => {
            const hash = createHash("sha256");
            for (const file of OTHERS) hash.update(readFileSync(file));
            const reload = `new EventSource("/esbuild?${hash.digest("hex")}").addEventListener("change", () => location.reload());`;
            return { contents: `${readFileSync(path, "utf8")}\n${reload}`, loader: "js", watchFiles: OTHERS };
        });
    },
};

await documents(out);
const page = pageOptions(out);
const built = await context(options({ ...page, plugins: [...page.plugins, others] }));
await built.watch();
await built.serve({ servedir: out, host: "127.0.0.1", port: Number(port) });
const address = `http://localhost:${port}/`;
console.log(`\nThe page is at ${address} (Ctrl-C ends)\n`);
if (open) openInBrowser(address);
// The input ends when `cargo xtask serve`, which holds its other end, has ended.
process.stdin.on("end", () => process.exit()).resume();

/** @param {string} address */
function openInBrowser(address) {
    /** @type {Partial<Record<NodeJS.Platform, string[]>>} */
    const programs = { darwin: ["open"], win32: ["cmd", "/c", "start"] };
    const [program, ...words] = programs[process.platform] ?? ["xdg-open"];
    spawn(program, [...words, address], { stdio: "ignore" }).on("error", () =>
        console.log(`cannot start ${program}: open ${address} by hand`),
    );
}
