import { test } from "node:test";
import assert from "node:assert/strict";
import {
    AXIS,
    HEADING,
    drawnIn,
    extentOfGroup,
    layOut,
    pagesBetween,
    rowAt,
    rowBeside,
    rowOfTrack,
    rowsBetween,
    stuckHeading,
} from "../../web/js/rows.js";

/** A group, by the shapes of its tracks. */
function group(key, parts, more = {}) {
    const tracks = parts.reduce((sum, [, tracks]) => sum + tracks, 0);
    return { key, name: key, tracks, parts: parts.map(([shape, tracks]) => ({ shape, tracks })), headed: true, open: true, ...more };
}

const GROUPS = [
    group("activity", [["level", 1]], { headed: false }),
    group("caps", [["states", 2]]),
    group("gc", [
        ["states", 1],
        ["points", 1],
    ]),
    group("sparks", [["line", 3]], { open: false }),
    group("heap", [], { lacks: "-lg" }),
];

const laid = (groups, room = 0, folds = {}) => layOut(groups, ({ key, open }) => folds[key] ?? !open, true, room);
const rows = (layout) => rowsBetween(layout, 0, layout.height);
const named = ({ kind, groups, at }) => (kind === "tracks" ? `${groups[0].key} ${at}` : `${kind} ${groups.map(({ key }) => key)}`);

test("tracks are under the heading of their group, if it needs one; groups without tracks are in a line at the end", () => {
    assert.deepEqual(rows(laid(GROUPS)).map(named), [
        "activity 0",
        "heading caps",
        "caps 0",
        "caps 1",
        "heading gc",
        "gc 0",
        "gc 1",
        "heading sparks",
        "absent heap",
    ]);
});

test("while a log is read, groups without tracks are not mentioned", () => {
    const layout = layOut(GROUPS, () => false, false);
    assert.ok(rows(layout).every(({ kind }) => kind !== "absent"));
});

test("a folded group has its heading only; one that needs no heading cannot be folded", () => {
    const folded = { activity: true, caps: true, gc: true, sparks: false };
    assert.deepEqual(rows(laid(GROUPS, 0, folded)).map(named), [
        "activity 0",
        "heading caps",
        "heading gc",
        "heading sparks",
        "sparks 0",
        "sparks 1",
        "sparks 2",
        "absent heap",
    ]);
});

test("rows begin below the axis and leave no gap", () => {
    const layout = laid(GROUPS);
    let y = AXIS;
    for (const row of rows(layout)) {
        assert.equal(row.y, y);
        assert.ok(row.height > 0);
        const drawn = drawnIn(row);
        assert.ok(drawn.y > y && drawn.height > 0 && drawn.y + drawn.height < y + row.height);
        y += row.height;
    }
    assert.equal(layout.height, y);
});

test("a log without tracks has no rows", () => {
    const { runs, height, head } = layOut([], () => false, true);
    assert.deepEqual({ runs, height, head }, { runs: [], height: AXIS, head: AXIS });
});

test("each height belongs to one row, none above the first or below the last", () => {
    const layout = laid(GROUPS);
    for (const row of rows(layout)) {
        assert.deepEqual(rowAt(layout, row.y), row);
        assert.deepEqual(rowAt(layout, row.y + row.height - 0.5), row);
    }
    assert.equal(rowAt(layout, AXIS - 1), null);
    assert.equal(rowAt(layout, layout.height), null);
});

test("rows between two heights are those that are at least partly visible", () => {
    const layout = laid(GROUPS);
    const all = rows(layout);
    assert.deepEqual(rowsBetween(layout, all[2].y, all[3].y), [all[2]]);
    assert.deepEqual(rowsBetween(layout, all[2].y - 1, all[3].y + 1), all.slice(1, 4));
    assert.deepEqual(rowsBetween(layout, layout.height, layout.height + 100), []);
});

test("few rows grow evenly to fill the room, within bounds; headings and many rows do not", () => {
    const { height } = laid(GROUPS);
    assert.deepEqual(laid(GROUPS, height - 100), laid(GROUPS));
    const some = laid(GROUPS, height + 5 * 10 + 3);
    assert.equal(some.grown, 10);
    assert.equal(some.height, height + 5 * 10);
    rows(some).forEach((row, at) => assert.equal(row.height, rows(laid(GROUPS))[at].height + (row.kind === "tracks" ? 10 : 0)));
    assert.ok(laid(GROUPS, 10_000).height < 1000);
});

test("a track's row is its own, or the heading of its folded group", () => {
    const layout = laid(GROUPS);
    for (const row of rows(layout).filter(({ kind }) => kind === "tracks")) {
        assert.deepEqual(rowOfTrack(layout, { group: row.groups[0].key, at: row.at }), row);
    }
    assert.equal(named(rowOfTrack(layout, { group: "sparks", at: 2 })), "heading sparks");
    for (const place of [
        { group: "caps", at: 2 },
        { group: "heap", at: 0 },
        { group: "none", at: 0 },
    ]) {
        assert.equal(rowOfTrack(layout, place), null);
    }
});

test("the keys step from track to track, past levels and over folded groups, and stop at the ends", () => {
    const layout = laid(GROUPS, 0, { gc: true, sparks: false });
    const from = (group, at, by) => named(rowBeside(layout, { group, at }, by));
    assert.equal(named(rowBeside(layout, null, 1)), "caps 0");
    assert.equal(named(rowBeside(layout, null, -1)), "caps 0");
    assert.equal(from("caps", 0, 1), "caps 1");
    assert.equal(from("caps", 1, 1), "sparks 0");
    assert.equal(from("sparks", 0, -1), "caps 1");
    assert.equal(from("gc", 1, 1), "sparks 0", "from a folded group");
    assert.equal(from("gc", 0, -1), "caps 1", "from a folded group");
    assert.equal(from("sparks", 2, 1), "sparks 2");
    assert.equal(from("caps", 0, -1), "caps 0");
    assert.equal(rowBeside(laid(GROUPS, 0, { caps: true, gc: true }), null, 1), null, "all are folded");
});

test("a heading stays in view above its tracks until the end of its group pushes it away", () => {
    const layout = laid(GROUPS);
    const caps = extentOfGroup(layout, "caps");
    assert.equal(stuckHeading(layout, 0), null);
    assert.equal(stuckHeading(layout, caps.top - AXIS), null, "it is there itself");
    const top = caps.top - AXIS + 20;
    assert.deepEqual([named(stuckHeading(layout, top)), stuckHeading(layout, top).y], ["heading caps", top + AXIS]);
    const late = caps.bottom - AXIS - 10;
    assert.equal(stuckHeading(layout, late).y, caps.bottom - HEADING);
    assert.equal(stuckHeading(layout, caps.bottom - AXIS), null);
});

test("pages are whole, and contain the rows between two heights", () => {
    const layout = laid([
        group("many", [
            ["states", 70],
            ["line", 200],
        ]),
    ]);
    const pages = (top, bottom) => pagesBetween(layout, top, bottom).map(({ group, from, count }) => [group, from, count]);
    assert.deepEqual(pages(0, 200), [["many", 0, 64]]);
    const [first, second] = [65, 70].map((at) => rowOfTrack(layout, { group: "many", at }));
    assert.deepEqual(pages(first.y, second.y + 1), [["many", 64, 64]], "on both sides of a change of shape");
    assert.deepEqual(
        pages(0, layout.height).map(([, from]) => from),
        [0, 64, 128, 192, 256],
    );
});

test("with 200 000 tracks a row is found, and laid out, as with 40", () => {
    const threads = group("threads", [["states", 200_000]]);
    const layout = laid([...GROUPS, threads]);
    assert.ok(layout.runs.length < 12);
    const last = rowOfTrack(layout, { group: "threads", at: 199_999 });
    assert.equal(last.y + last.height, layout.height - HEADING);
    assert.deepEqual(rowAt(layout, last.y + 1), last);
    assert.deepEqual(rowsBetween(layout, last.y, last.y + 10), [last]);
    assert.equal(named(rowBeside(layout, { group: "threads", at: 150_000 }, 1)), "threads 150001");
    assert.deepEqual(pagesBetween(layout, last.y, last.y + 10), [{ group: "threads", from: 199_936, count: 64 }]);
});
