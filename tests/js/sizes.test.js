// The sizes of a table, as the browser reports them.

import { beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { Sizes } from "../../web/js/panels/sizes.js";

/** In place of the browser's: reports sizes when the test says so. */
class Observer {
    static last;
    observed = new Set();

    constructor(tell) {
        this.tell = tell;
        Observer.last = this;
    }
    observe(part) {
        this.observed.add(part);
    }
    unobserve(part) {
        this.observed.delete(part);
    }
    disconnect() {
        this.observed.clear();
    }
}

beforeEach(() => (globalThis.ResizeObserver = Observer));

const made = (heads) => ({ box: {}, row: {}, heads: heads.map((name) => ({ name })) });
const element = ({ box, row, heads }) => ({
    querySelectorAll: () => heads,
    querySelector: (selector) => (selector === ".table-box" ? box : row),
});
const entry = (target, inlineSize, blockSize) => ({
    target,
    contentRect: { height: blockSize },
    borderBoxSize: [{ inlineSize, blockSize }],
});
const later = () => new Promise((resolve) => setTimeout(resolve));

/** Sizes of a table of two columns, and how often they have changed. */
function followed() {
    const told = { changes: 0 };
    const sizes = new Sizes(() => (told.changes += 1));
    const table = made(["a", "b"]);
    sizes.follow(element(table));
    const tell = (...entries) => Observer.last.tell(entries);
    return { sizes, table, told, tell };
}

test("the browser reports the height of head and rows, and the room below the head", async () => {
    const { sizes, table, told, tell } = followed();
    tell(entry(table.box, 500, 300), entry(table.row, 80, 44), entry(table.heads[0], 80, 50));
    assert.deepEqual([sizes.rowHeight, sizes.headHeight, sizes.room], [44, 50, 250]);
    // Browsers complain of changes during their report.
    assert.equal(told.changes, 0);
    await later();
    assert.equal(told.changes, 1);
});

test("equal sizes change nothing", async () => {
    const { sizes, table, told, tell } = followed();
    const all = [entry(table.box, 500, 300), entry(table.row, 80, 30), entry(table.heads[0], 80, 30), entry(table.heads[1], 90, 30)];
    tell(...all);
    tell(...all);
    await later();
    assert.equal(told.changes, 1);
    assert.deepEqual(sizes.widths, [80, 90]);
});

test("a column gets no narrower until the columns change", () => {
    const { sizes, table, tell } = followed();
    tell(entry(table.heads[1], 90.5, 30));
    tell(entry(table.heads[1], 70, 30));
    assert.equal(sizes.widths[1], 90.5);
    sizes.forgetColumns();
    tell(entry(table.heads[1], 70, 30));
    assert.equal(sizes.widths[1], 70);
});

test("a hidden table reports nothing, and some room is left however low its box is", () => {
    const { sizes, table, tell } = followed();
    tell(entry(table.box, 500, 300), entry(table.heads[0], 80, 30));
    tell(entry(table.box, 0, 0), entry(table.heads[0], 0, 0));
    assert.equal(sizes.room, 270);
    tell(entry(table.box, 500, 10));
    assert.equal(sizes.room, sizes.rowHeight);
});

test("new elements are followed, removed ones are not", () => {
    const { sizes, table } = followed();
    const { observed } = Observer.last;
    assert.equal(observed.size, 4);
    const next = { ...table, row: {}, heads: [table.heads[0]] };
    sizes.follow(element(next));
    assert.deepEqual(observed, new Set([table.box, next.row, table.heads[0]]));
    sizes.follow(element({ ...next, row: null }));
    assert.deepEqual(observed, new Set([table.box, table.heads[0]]));
    sizes.rest();
    assert.equal(observed.size, 0);
    sizes.follow(element(next));
    assert.equal(observed.size, 3);
});
