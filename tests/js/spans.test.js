import { test } from "node:test";
import assert from "node:assert/strict";
import { MOST_PAIRS, wordsIn, wordsOf, wordsText, wordsWritten } from "../../web/js/spans.js";

const pair = (begin, end, after = false) => ({ begin, end, after });

test("two different words mark spans, without spaces around them", () => {
    assert.deepEqual(wordsOf(" BEGIN ", "all done", false), pair("BEGIN", "all done"));
    assert.deepEqual(wordsOf("on", "* off", true), pair("on", "* off", true));
    for (const [begin, end] of [
        ["", "STOP"],
        ["START", " "],
        ["A", "A "],
        ["A,B", "C"],
        ["* A", "B"],
        ["x".repeat(241), "y"],
        ["ä".repeat(121), "y"],
    ]) {
        assert.equal(wordsOf(begin, end, false), null, `${begin} ${end}`);
    }
    assert.ok(wordsOf("ä".repeat(120), "y", false));
});

test("pairs are written into an attribute with commas, and read back", () => {
    const pairs = [pair("BEGIN", "DONE"), pair("on", "off", true)];
    assert.deepEqual(wordsIn("BEGIN, DONE, * on,* off"), pairs);
    assert.deepEqual(wordsIn(wordsText(pairs)), pairs);
    assert.equal(wordsText(pairs), "BEGIN,DONE,* on,* off");
    assert.equal(wordsText([]), "");
    const many = Array(MOST_PAIRS + 1).fill("A,B");
    for (const text of [null, "", "BEGIN", "A,B,C", ",", "A,A", "* A,B", "A,* B", many.join()])
        assert.equal(wordsIn(text), null, String(text));
});

test("the stored text may be anything", () => {
    assert.deepEqual(wordsWritten("A,B,* on,* off"), [pair("A", "B"), pair("on", "off", true)]);
    // Earlier versions replaced START and STOP by one pair.
    assert.deepEqual(wordsWritten('{"begin":"A","end":"B"}'), [pair("A", "B")]);
    for (const text of [
        null,
        "",
        "null",
        "7",
        "[]",
        '{"begin":1,"end":2}',
        '{"begin":"A"}',
        '{"begin":"A","end":"A"}',
        "{",
        '{"begin":"START","end":"STOP"}',
    ]) {
        assert.deepEqual(wordsWritten(text), [], String(text));
    }
});
