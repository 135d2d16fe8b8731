import { test } from "node:test";
import assert from "node:assert/strict";
import { hexDump } from "../../web/js/panels/hex.js";

test("bytes are dumped with their places and letters", () => {
    const bytes = new Uint8Array([0, 19, ...new TextEncoder().encode("say it"), 0x7f, 0xff]);
    assert.equal(
        hexDump(bytes, 0x1f0, 4),
        ["0001f0  00 13 73 61  |..sa|", "0001f4  79 20 69 74  |y it|", "0001f8  7f ff        |..|"].join("\n"),
    );
    assert.equal(hexDump(new Uint8Array(), 5), "");
    assert.match(hexDump(new Uint8Array(1), 0x12345678), /^12345678 {2}00 {47}\|\.\|$/);
});
