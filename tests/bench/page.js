// `cargo xtask bench page`: compares the page with its budgets, in a real browser. See docs/measuring.md.
//
// The environment: BROWSER (chrome or firefox), PROGRAM (the browser's), DIST (the built page), LOGS (a folder). Arguments:
// the logs' names in that folder; one named "moving" is panned and zoomed instead, and scrolled with 64 and with 200 000 tracks.

import { join } from "node:path";
import { serve } from "../browser/support/server.js";
import { OF_A_HEAVY_LOG, OF_A_LOG, OF_MANY, OF_MOVING, OF_THE_PAGE, verdict } from "./budgets.js";
import { ofLog, ofMany, ofMoving, ofPage, ofThreads, sizeOf } from "./measure.js";

const { BROWSER, PROGRAM, DIST, LOGS } = process.env;
const names = process.argv.slice(2);
const path = (name) => join(LOGS, `${name}.eventlog`);

/** The number of capabilities of the log, and the most tracks that a log may have. */
const MANY = [64, 200_000];

/** The names of the logs that are mostly a profile, or of collections. */
const HEAVY = /-profile$|^ipe$|^\d+GB$/;

const server = await serve(DIST, "/", { within: true });
const where = { browser: BROWSER, program: PROGRAM, server };
let missed = 0;

/** @param {typeof OF_A_LOG[0]} row */
function print({ name, unit, most }, value, judged) {
    const budget = judged === "" ? "" : `≤ ${most}`;
    console.log(`  ${name.padEnd(38)}${value.padStart(9)} ${unit.padEnd(3)}${budget.padStart(8)}  ${judged}`);
}

function table(title, rows, figures, size) {
    console.log(`\n${title}`);
    for (const row of rows) {
        const value = figures[row.what];
        if (value === undefined || Number.isNaN(value)) continue;
        const judged = verdict(row, value, size);
        if (judged === "MISSED") missed += 1;
        print(row, value >= 100 ? value.toFixed(0) : value.toFixed(2), judged);
    }
}

for (const name of names) {
    const size = sizeOf(path(name));
    const title = `${name}: ${(size / 2 ** 20).toFixed(size < 2 ** 20 ? 2 : 0)} MiB`;
    if (name === "moving") table(`${title}, 40 tracks in sight`, OF_MOVING, await ofMoving(where, path(name)), size);
    else table(title, HEAVY.test(name) ? OF_A_HEAVY_LOG : OF_A_LOG, await ofLog(where, path(name)), size);
    if (name.endsWith("threads")) table(`${title}, a row for each`, OF_MANY, await ofThreads(where, path(name)), size);
    // Only in Chromium can the worker be changed to report tracks that do not exist.
    for (const count of name === "moving" && BROWSER === "chrome" ? MANY : []) {
        table(`${title}, as if of ${count} capabilities`, OF_MANY, await ofMany(where, path(name), count), size);
    }
}
if (BROWSER === "chrome") table("the page itself", OF_THE_PAGE, await ofPage(where, DIST, ["wake-ups", "200MB"].map(path)), 0);
server.close();
console.log(missed === 0 ? "\nEvery budget is kept, within its noise." : `\n${missed} missed by more than its noise.`);
process.exitCode = missed === 0 ? 0 : 1;
