// The page's code for reading a file, as text that any worker can run.

import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const entry = fileURLToPath(new URL("../../../web/js/worker/reading.js", import.meta.url));

/** A module with the exports of `worker/reading.js`, and with all that it imports. */
export const READING = buildSync({ entryPoints: [entry], bundle: true, format: "esm", target: "es2022", write: false }).outputFiles[0].text;
