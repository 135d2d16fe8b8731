// Copying a table, and what is said of it.

import { test } from "node:test";
import assert from "node:assert/strict";
import { copyRows } from "../../web/js/panels/copying.js";

globalThis.ClipboardItem = class {
    constructor(parts) {
        this.parts = parts;
    }
};
let copied = "";
Object.defineProperty(globalThis, "navigator", {
    value: { clipboard: { write: async ([{ parts }]) => (copied = await (await parts["text/plain"]).text()) } },
    configurable: true,
});

test("it says that long texts are cut", async () => {
    const columns = [{ key: "text", name: "Text", unit: "text" }];
    const rows = (texts) => ({
        found: texts.length,
        async *all() {
            yield texts.map((text) => ({ values: [text] }));
        },
    });
    const times = { unit: "ns", cell: String };
    const said = (...texts) => copyRows({ columns }, rows(texts), times);
    assert.equal(await said("short…", "a"), "2 rows copied");
    assert.equal(copied, "Text\nshort…\na\n");
    assert.equal(await said("a", `${"x".repeat(1024)}…`), "2 rows copied. In 1 row, a text is cut after 1 KiB");
    // A character of several bytes is not cut in its middle.
    assert.equal(await said(`${"λ".repeat(512)}…`, `${"😀".repeat(255)}x…`), "2 rows copied. In 2 rows, a text is cut after 1 KiB");
});
