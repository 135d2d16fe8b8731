// Every style file is in the sheet, once.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";

test("every part of the style is put into the sheet", () => {
    const web = new URL("../../web/", import.meta.url);
    const files = readdirSync(new URL("style/", web)).map((file) => file.replace(/\.css$/, ""));
    const source = readFileSync(new URL("js/style-text.js", web), "utf8");
    const imported = [...source.matchAll(/^import (\w+) from "\.\.\/style\/(\w+)\.css";$/gm)].map(([, name, file]) => [name, file]);
    assert.deepEqual(imported.map(([, file]) => file).toSorted(), files.toSorted());
    const [, parts] = /const PARTS = \[(.*?)\n\];/s.exec(source);
    assert.deepEqual(parts.match(/\w+/g).toSorted(), imported.map(([name]) => name).toSorted());
});
