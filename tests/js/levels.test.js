// Small pictures of a level over time.

import { test } from "node:test";
import assert from "node:assert/strict";
import { levelsText, outline } from "../../web/js/panels/levels.js";

const MIB = 1 << 20;

test("the text says the values at the ends, and the maximum", () => {
    assert.equal(levelsText([1.25 * MIB, 4 * MIB, 3 * MIB]), "up to 1.25 MiB at first, up to 3.00 MiB at the end, at most 4.00 MiB");
    assert.equal(levelsText([5, 1, 5]), "up to 5 B at first, up to 5 B at the end, at most 5 B");
    assert.equal(levelsText([MIB, MIB]), "1.00 MiB throughout");
});

test("the maximum is as high as the picture, and any value above 0 is visible", () => {
    assert.equal(outline([8, 4, 0, 8000]), "M0 16V15h2V15h2V16h2V0h2V16z");
    assert.equal(outline([0, 0]), "M0 16V16h2V16h2V16z");
});
