import { test } from "node:test";
import assert from "node:assert/strict";
import { AXIS, INSET, drawnHeight, rowAt, rowsBetween, rowsOf } from "../../web/js/rows.js";

const track = (id, name, group, shape = "states") => ({ id, name, group, shape, states: [], note: { share: 0 } });

const TRACKS = [
    track(0, "Activity", "Activity", "level"),
    track(2, "HEC 0", "Capabilities"),
    track(3, "HEC 1", "Capabilities"),
    track(1, "Collections", "Garbage collection"),
];

test("tracks stand under the name of their group, unless it is their own", () => {
    const names = rowsOf(TRACKS).rows.map(({ name }) => name);
    assert.deepEqual(names, ["Activity", "Capabilities", "HEC 0", "HEC 1", "Garbage collection", "Collections"]);
});

test("headings have no track, and tell how many tracks they have if that is more than one", () => {
    const headings = rowsOf(TRACKS).rows.filter((row) => row.track === null);
    assert.deepEqual(
        headings.map(({ name, note }) => [name, note]),
        [
            ["Capabilities", "2"],
            ["Garbage collection", ""],
        ],
    );
});

test("rows begin below the axis and leave no gap", () => {
    const { rows, height } = rowsOf(TRACKS);
    let y = AXIS;
    for (const row of rows) {
        assert.equal(row.y, y);
        assert.ok(row.height > 0);
        y += row.height;
    }
    assert.equal(height, y);
});

test("a log without tracks has no rows", () => {
    assert.deepEqual(rowsOf([]), { rows: [], height: AXIS, grown: 0 });
});

test("each height belongs to one row, none above the first or below the last", () => {
    const { rows, height } = rowsOf(TRACKS);
    for (const row of rows) {
        assert.equal(rowAt(rows, row.y), row);
        assert.equal(rowAt(rows, row.y + row.height - 0.5), row);
    }
    assert.equal(rowAt(rows, AXIS - 1), null);
    assert.equal(rowAt(rows, height), null);
});

test("rows between two heights are those of which anything can be seen", () => {
    const { rows, height } = rowsOf(TRACKS);
    assert.deepEqual(rowsBetween(rows, 0, height), rows);
    assert.deepEqual(rowsBetween(rows, rows[2].y, rows[3].y), [rows[2]]);
    assert.deepEqual(rowsBetween(rows, rows[2].y - 1, rows[3].y + 1), rows.slice(1, 4));
    assert.deepEqual(rowsBetween(rows, height, height + 100), []);
});

test("few rows grow evenly to fill the room, within bounds; many stay as they are", () => {
    const { height } = rowsOf(TRACKS);
    assert.deepEqual(rowsOf(TRACKS, height - 100), rowsOf(TRACKS));
    const some = rowsOf(TRACKS, height + 4 * 10 + 3);
    assert.equal(some.grown, 10);
    assert.equal(some.height, height + 4 * 10);
    some.rows.forEach((row, at) => assert.equal(row.height, rowsOf(TRACKS).rows[at].height + (row.track ? 10 : 0)));
    assert.equal(drawnHeight(TRACKS[1], 10), some.rows[2].height - 2 * INSET);
    assert.ok(rowsOf(TRACKS, 10_000).height < 1000);
});
