// Families of labels: the model's rule, here once more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { familiesOf, familyOf } from "../../web/js/panels/each.js";

test("numbers, hashes and UUIDs are left out of the name of a family, as the model does", () => {
    const examples = {
        "job 17 of 20": "job # of #",
        "v1.2.3": "v#.#.#",
        "request 91d3c7ea-41b2-4b52-9f77-6a2e0b1f2c11": "request #",
        "request deadbeef-abcd-4b52-afab-cdefabcdefab.": "request #.",
        "GET /blob/9F86D081884C7D65/raw": "GET /blob/#/raw",
        "commit=e3b0c442,next": "commit=#,next",
        "12345678-12 and 1234567": "#-# and #",
        "query 1700000000-12345 0X7f 0xg": "query #-# # #xg",
        "query 0x7f3a12bc4d00, 0x0": "query #, #",
        "facade decade deadbeef": "facade decade deadbeef",
        "x9f86d081884 9f86d08z": "x#f#d# #f#d#z",
        "größe 5ä": "größe #ä",
        "job # (others)": "job #",
    };
    for (const [label, family] of Object.entries(examples)) assert.equal(familyOf(label), family, label);
});

test("a family has at least two labels", () => {
    assert.deepEqual(familiesOf(["job 1", "once 1", "job 2", "job 3"]), ["job #"]);
});
