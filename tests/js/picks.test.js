// What picking a row of a table does: each table whose rows can be picked has something.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { withoutBrowser } from "./without-browser.js";

withoutBrowser();
const { PICKS } = await import("../../web/js/panels/acts.js");

test("every table of the model whose rows can be picked has an act, and no other one", () => {
    const folder = new URL("../../crates/ghc-eventlog-model/src/facts/tables/", import.meta.url);
    const tables = readdirSync(folder).flatMap((name) => readFileSync(new URL(name, folder), "utf8").split(/\nimpl /));
    const picked = tables.filter((text) => /const PICKS: Option<&'static str> = Some/.test(text));
    const keys = picked.map((text) => /const KEY: &'static str = "(\w+)"/.exec(text)?.[1]);
    assert.ok(keys.length >= 3);
    assert.deepEqual(Object.keys(PICKS).toSorted(), keys.toSorted());
});
