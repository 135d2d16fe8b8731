// Notes: what is kept of them, and what a link or a saved page may say.

import { test } from "node:test";
import assert from "node:assert/strict";
import { Store } from "../../web/js/store.js";
import { newLog, shownOf } from "../../web/js/state.js";
import { showRequestedView } from "../../web/js/requested-view.js";
import { LONGEST, MOST, addNotes, changeNote, followNotes, noteIn, notesIn, notesText } from "../../web/js/notes/notes.js";
import { followNotesInAddress } from "../../web/js/notes/address.js";

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

const NAME = "ghc-eventlog-viewer.notes";

/** A page of its own with a log that is about to be read, in a browser whose storage has some notes of it. */
function ownPage(notes) {
    const stored = new Map([[NAME, JSON.stringify([["a 1 2", notes]])]]);
    const tabs = [];
    let hasRoom = true;
    globalThis.localStorage = {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => {
            if (!hasRoom) throw new Error("QuotaExceededError");
            stored.set(key, value);
        },
    };
    globalThis.location = { hash: "" };
    globalThis.history = { state: null, replaceState: (_, __, hash) => (location.hash = hash) };
    globalThis.addEventListener = (type, listener) => type === "storage" && tabs.push(listener);
    const log = { ...newLog(1, null), log: { name: "a", status: { offset: 1, events: 2, extent: [0, 100] } } };
    const store = new Store({ shown: 1, logs: { 1: log }, link: null, requested: {}, view: null });
    const stage = { own: true, signal: new AbortController().signal, root: { getElementById: () => ({}) } };
    const context = { stage, store };
    return {
        context,
        finish: () => store.set({ logs: { 1: { ...shownOf(store.value), finished: true } } }),
        stored: () => JSON.parse(stored.get(NAME))[0]?.[1].map(({ text }) => text) ?? [],
        fill: () => (hasRoom = false),
        inAnotherTab: (notes) => {
            stored.set(NAME, JSON.stringify([["a 1 2", notes]]));
            for (const heard of tabs) heard({ key: NAME });
        },
    };
}

test("the notes of a saved page add to those that are stored", () => {
    const page = ownPage([note(1, "mine")]);
    page.context.store.set({ requested: { notes: '[[5,"in the page"]]' } });
    // In the order of followers.js.
    showRequestedView(page.context);
    followNotes(page.context);
    followNotesInAddress(page.context);
    page.finish();
    assert.deepEqual(texts(page.context), ["mine", "in the page"]);
    assert.deepEqual(page.stored(), ["mine", "in the page"]);
});

test("what is too much is left out of what comes, not of what is there", () => {
    const page = ownPage([note(1000, "mine")]);
    followNotes(page.context);
    page.finish();
    const many = Array.from({ length: MOST }, (_, at) => note(at, "x"));
    addNotes(page.context, many);
    assert.equal(texts(page.context).length, MOST);
    assert.equal(texts(page.context).at(-1), "mine");
    assert.match(changeNote(page.context, null, note(2000, "one more")), /500 notes already/);
    assert.ok(!texts(page.context).includes("one more"));
    assert.equal(changeNote(page.context, note(1000, "mine"), note(1000, "still mine")), "");
    assert.equal(texts(page.context).at(-1), "still mine");
});

test("two tabs do not lose each other's notes", () => {
    const page = ownPage([note(1, "one")]);
    followNotes(page.context);
    page.finish();
    page.inAnotherTab([note(1, "one"), note(2, "two")]);
    assert.deepEqual(texts(page.context), ["one", "two"]);
    changeNote(page.context, null, note(3, "three"));
    assert.deepEqual(page.stored(), ["one", "two", "three"]);
    page.inAnotherTab([note(3, "three")]);
    assert.deepEqual(texts(page.context), ["three"]);
});

test("a note that cannot be stored is there, and that is said", () => {
    const page = ownPage([]);
    followNotes(page.context);
    page.finish();
    page.fill();
    assert.match(changeNote(page.context, null, note(1, "one")), /no room/);
    assert.deepEqual(texts(page.context), ["one"]);
});
