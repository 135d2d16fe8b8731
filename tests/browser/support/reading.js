// The page's own way of reading a file, as text that any worker can run.

import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const entry = fileURLToPath(new URL("../../../web/js/worker/reading.js", import.meta.url));

/** A module with what `worker/reading.js` exports, and with what that imports. */
export const READING = buildSync({ entryPoints: [entry], bundle: true, format: "esm", target: "es2022", write: false }).outputFiles[0].text;
