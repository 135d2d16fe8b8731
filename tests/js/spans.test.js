import { test } from "node:test";
import assert from "node:assert/strict";
import { FIRST_WORDS } from "../../web/js/protocol.js";
import { isFirst, wordsIn, wordsOf, wordsText, wordsWritten } from "../../web/js/spans.js";

test("two different words mark spans, without spaces around them", () => {
    assert.deepEqual(wordsOf(" BEGIN ", "all done"), { begin: "BEGIN", end: "all done" });
    for (const [begin, end] of [
        ["", "STOP"],
        ["START", " "],
        ["A", "A "],
        ["A,B", "C"],
        ["x".repeat(241), "y"],
        ["ä".repeat(121), "y"],
    ]) {
        assert.equal(wordsOf(begin, end), null, `${begin} ${end}`);
    }
    assert.ok(wordsOf("ä".repeat(120), "y"));
});

test("words are written into an attribute with a comma, and read back", () => {
    const words = { begin: "BEGIN", end: "DONE" };
    assert.deepEqual(wordsIn("BEGIN, DONE"), words);
    assert.deepEqual(wordsIn(wordsText(words)), words);
    assert.equal(wordsText({ ...FIRST_WORDS }), "");
    assert.deepEqual([isFirst(FIRST_WORDS), isFirst(words)], [true, false]);
    for (const text of [null, "", "BEGIN", "A,B,C", ",", "A,A"]) assert.equal(wordsIn(text), null, String(text));
});

test("the stored text may be anything", () => {
    assert.deepEqual(wordsWritten('{"begin":"A","end":"B"}'), { begin: "A", end: "B" });
    for (const text of [null, "", "null", "7", "[]", '{"begin":1,"end":2}', '{"begin":"A"}', '{"begin":"A","end":"A"}', "{"]) {
        assert.deepEqual(wordsWritten(text), FIRST_WORDS, String(text));
    }
});
