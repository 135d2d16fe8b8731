// Nothing moves by itself: there is no animation to be reduced for those who ask for less motion. One that is added has to ask first.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("../../web", import.meta.url));
const sources = (folder, end) =>
    readdirSync(join(web, folder), { recursive: true })
        .filter((name) => name.endsWith(end))
        .map((name) => [name, readFileSync(join(web, folder, name), "utf8")]);

const MOVES = /\b(transition|animation|scroll-behavior)(-[a-z]+)?\s*:|@keyframes|\bbehavior:\s*"smooth"|\.animate\(/;
/** Animations that only wait before something is there, at its place. */
const WAITS = ["arranging.css"];
const ASKS = /prefers-reduced-motion/;

test("what moves asks whether it may", () => {
    const files = [...sources("style", ".css"), ...sources("js", ".js")];
    assert.ok(files.length > 200);
    const movers = files.filter(([name, text]) => MOVES.test(text) && !ASKS.test(text) && !WAITS.includes(name)).map(([name]) => name);
    assert.deepEqual(movers, []);
    assert.match("a { transition: color 1s; }", MOVES);
    assert.match('box.scrollTo({ behavior: "smooth" })', MOVES);
});
