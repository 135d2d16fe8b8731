// Files that register something are in the list of their folder, and only that imports them. Otherwise they would register too early, and
// in another order than the list's.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../../web/js");

/** By folder: the file that all of a kind import to register, if that is in the folder, too. */
const KINDS = { overlays: "overlay.js", commands: "command.js", "panels/tabs": null, exports: "export.js" };

/** What each of the page's files imports: paths from `web/js/`. */
function imports() {
    const files = readdirSync(ROOT, { recursive: true }).filter((file) => file.endsWith(".js"));
    const of = (file) => {
        const source = readFileSync(join(ROOT, file), "utf8");
        const names = [...source.matchAll(/^(?:import|export) (?:[^"]*from )?"(\.[^"]+)";$/gm)].map(([, name]) => name);
        return names.map((name) => relative(ROOT, join(ROOT, dirname(file), name)));
    };
    return new Map(files.map((file) => [file, of(file)]));
}

for (const [folder, base] of Object.entries(KINDS)) {
    test(`each file in ${folder}/ is in that folder's list, and imported only there`, () => {
        const all = imports();
        const list = join(folder, "index.js");
        const others = [list, ...(base ? [join(folder, base)] : [])];
        const files = [...all.keys()].filter((file) => dirname(file) === folder && !others.includes(file));
        assert.ok(files.length > 1);
        for (const file of files) {
            const importers = [...all].filter(([, names]) => names.includes(file)).map(([name]) => name);
            assert.deepEqual(importers, [list], file);
        }
    });
}
