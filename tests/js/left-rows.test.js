// How the rows of a log were left, and how those of the next one begin.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LeftRows } from "../../web/js/timeline/left-rows.js";

/** A log of a program, as the page shows it. */
const shown = (/** @type {number} */ number, program = "prog", url = "") =>
    /** @type {any} */ ({ number, log: { name: "log", process: { args: [program] } }, file: { url } });

/** The rows are scrolled, and some are folded. */
const at = (/** @type {number} */ top, folds = {}) => {
    return () => ({ top, folds });
};

const never = () => assert.fail("the rows are asked for only when another log comes");

test("the first log keeps the folds that the page remembers", () => {
    const left = new LeftRows();
    assert.deepEqual(left.turn(shown(1), at(0, { gc: true })), { top: 0, folds: null });
    assert.equal(left.turn(shown(1), never), null);
});

test("until a log has begun to be read, the rows stay", () => {
    assert.equal(new LeftRows().turn({ ...shown(2), log: null }, never), null);
});

test("another log begins at its top, and with its own folds if it is of another program", () => {
    const left = new LeftRows();
    left.turn(shown(1), at(0));
    assert.deepEqual(left.turn(shown(2), at(70, { gc: true })), { top: 0, folds: null });
    assert.deepEqual(left.turn(shown(3, "other"), at(80, { gc: true })), { top: 0, folds: {} });
});

test("the log before is as it was left", () => {
    const left = new LeftRows();
    left.turn(shown(1), at(0));
    left.turn(shown(2, "other"), at(70, { gc: true }));
    assert.deepEqual(left.turn(shown(1), at(0)), { top: 70, folds: { gc: true } });
});

test("a link says what is folded, on its own log only", () => {
    const left = new LeftRows();
    left.turn(shown(1), at(0));
    left.link("https://logs/a", { heap: true });
    assert.deepEqual(left.turn(shown(2, "prog", "https://logs/a"), at(0)), { top: 0, folds: { heap: true } });
    left.link("https://logs/b", { heap: true });
    assert.deepEqual(left.turn(shown(3, "prog", "https://logs/c"), at(0)), { top: 0, folds: null });
    assert.deepEqual(left.turn(shown(4, "prog", "https://logs/b"), at(0)), { top: 0, folds: null }, "it is over");
    left.link("https://logs/d", null);
    assert.deepEqual(left.turn(shown(5, "prog", "https://logs/d"), at(0)), { top: 0, folds: null });
});
