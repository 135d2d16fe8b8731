// Notes: what is kept of them, and what a link or a saved page may say.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Store } from "../../web/js/store.js";
import { newLog, shownOf } from "../../web/js/state.js";
import { LONGEST, addNotes, changeNote, noteIn, notesIn, notesText } from "../../web/js/notes/notes.js";

const note = (from, text, to = from) => ({ from, to, text });
const context = () => {
    const log = { ...newLog(1, null), log: { name: "a", status: { offset: 1, events: 2 } } };
    return { stage: { own: false }, store: new Store({ shown: 1, logs: { 1: log } }) };
};
const texts = ({ store }) => shownOf(store.value).notes.map(({ text }) => text);

test("notes go into a text and back, those at a moment and those of a range", () => {
    const notes = [note(5, 'a "b" & <c>\nd'), note(7, "λ", 9)];
    assert.deepEqual(notesIn(notesText(notes)), notes);
    assert.equal(notesText([]), "");
});

test("what is no note is left out, whoever wrote it", () => {
    for (const text of [
        null,
        "",
        "{",
        "7",
        "{}",
        "[[]]",
        '[["x","y"]]',
        '[[1,""]]',
        "[[1,2,3]]",
        '[[5,1,"turned"]]',
        "[null]",
        '[[null,"x"]]',
    ]) {
        assert.deepEqual(notesIn(text), [], String(text));
    }
    assert.deepEqual(notesIn('[[1,"good"],["bad"],[2,3,"range"]]'), [note(1, "good"), note(2, "range", 3)]);
    assert.equal(notesIn(JSON.stringify(Array.from({ length: 9999 }, (_, at) => [at, "x"]))).length, 500);
    assert.equal(noteIn(note(1, "x".repeat(LONGEST + 1)))?.text.length, LONGEST);
});

test("notes are in order of time; one that is there is not added again", () => {
    const around = context();
    addNotes(around, [note(9, "late"), note(1, "early")]);
    addNotes(around, [note(9, "late"), note(5, "middle")]);
    assert.deepEqual(texts(around), ["early", "middle", "late"]);
});

test("a note is changed and taken away", () => {
    const around = context();
    addNotes(around, [note(1, "one"), note(2, "two")]);
    changeNote(around, note(1, "one"), note(3, "three"));
    assert.deepEqual(texts(around), ["two", "three"]);
    changeNote(around, note(2, "two"), null);
    assert.deepEqual(texts(around), ["three"]);
    changeNote(around, null, note(0, "new"));
    assert.deepEqual(texts(around), ["new", "three"]);
});
