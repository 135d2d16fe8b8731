import assert from "node:assert/strict";
import { test } from "node:test";
import { VERSION, wanted } from "../../web/js/parent.js";

const form = { viewer: "ghc-eventlog-viewer", version: VERSION };

test("other messages are ignored", () => {
    for (const data of [null, undefined, 7, "open", {}, [], { kind: "open" }, { viewer: "another", kind: "close" }])
        assert.equal(wanted(data), null);
});

test("a message for the viewer is taken, or refused with a reason", () => {
    const data = new Blob(["x"]);
    assert.deepEqual(wanted({ ...form, kind: "open", name: "a", data }), { kind: "open", name: "a", data });
    assert.equal(wanted({ ...form, kind: "open", name: "a", data: new ArrayBuffer(3) }).data.size, 3);
    assert.deepEqual(wanted({ ...form, kind: "show", t0: 5 }), { kind: "show", t0: 5, t1: null, panel: null });
    assert.deepEqual(wanted({ ...form, kind: "close" }), { kind: "close" });
    const refused = [
        { ...form, version: 2, kind: "close" },
        { ...form, kind: "run" },
        { ...form },
        { ...form, kind: "open", name: "", data },
        { ...form, kind: "open", name: "a".repeat(256), data },
        { ...form, kind: "open", name: "a", data: "text" },
        { ...form, kind: "open", name: "a", data: { size: 1 } },
        { ...form, kind: "show", t0: NaN },
        { ...form, kind: "show", t1: "5" },
        { ...form, kind: "show", panel: 7 },
    ];
    for (const message of refused) assert.equal(typeof wanted(message), "string", JSON.stringify(message));
});
