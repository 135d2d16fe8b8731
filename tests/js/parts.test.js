// The parts of the viewer that the page requests.

import { test } from "node:test";
import assert from "node:assert/strict";
import { loadRest } from "../../web/js/parts.js";

test("the rest of the wasm is requested only if the build has split it, and once", async (context) => {
    const asked = [];
    context.mock.method(globalThis, "fetch", async (url) => {
        asked.push(String(url).replace(/^.*\//, ""));
        return new Response("wasm");
    });
    globalThis.SPLIT = false;
    assert.equal(await loadRest(), null);
    assert.deepEqual(asked, []);
    globalThis.SPLIT = true;
    const [rest] = await Promise.all([loadRest(), loadRest()]);
    assert.equal(await rest.text(), "wasm");
    // It comes after the part that the page needs first.
    assert.deepEqual(asked, ["ghc-eventlog-wasm_bg.wasm", "ghc-eventlog-wasm_rest.wasm"]);
    delete globalThis.SPLIT;
});
