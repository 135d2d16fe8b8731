// The folded groups in a link.

import { test } from "node:test";
import assert from "node:assert/strict";
import { foldsIn, withFolds } from "../../web/js/folds.js";
import { valueIn, withValue } from "../../web/js/fragment.js";

test("what is written into a fragment is read from it", () => {
    for (const folds of [{ caps: true }, { caps: true, sparks: false }, { "a&b=c": false, "#%": true }]) {
        assert.deepEqual(foldsIn(withFolds("#t0=1&t1=2", folds)), folds);
    }
    assert.equal(withFolds("", { caps: true, sparks: false }), "#tracks=-caps,sparks");
});

test("other keys in the fragment keep their values and places", () => {
    const fragment = "#url=a%20b&tracks=-caps&&later=%E0%A4%A&flag";
    assert.equal(withFolds(fragment, { gc: true }), "#url=a%20b&tracks=-gc&later=%E0%A4%A&flag");
    assert.equal(withFolds(fragment, {}), "#url=a%20b&later=%E0%A4%A&flag", "no folds are left of another log");
    assert.equal(withFolds("#t0=1&&x", {}), "#t0=1&&x", "nothing to say, nothing is written");
    assert.equal(withValue("#t0=1", "t1", "2"), "#t0=1&t1=2");
    assert.equal(withValue("#t0=1&t1=2&x", "t0", null), "#t1=2&x");
    assert.equal(withValue("#t0=1", "t1", null), "#t0=1");
    assert.equal(valueIn(fragment, "url"), "a b");
});

test("a fragment without folds, or with nonsense, gives none", () => {
    for (const fragment of ["", "#", "#t0=1", "#xtracks=caps", "#tracks", "#tracks=%E0%A4%A"]) {
        assert.equal(foldsIn(fragment), null, fragment);
    }
    assert.deepEqual(foldsIn("#tracks="), {});
    assert.deepEqual(foldsIn("#tracks=,,-caps,"), { caps: true });
    assert.equal(Object.keys(foldsIn(`#tracks=${Array.from({ length: 9999 }, (_, at) => at)}`)).length, 100);
});
