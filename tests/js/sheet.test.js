// The rows to print, the number of tracks left out, and the blocks that stay together on a page.

import { test } from "node:test";
import assert from "node:assert/strict";
import { AXIS, layOut, rowsBetween } from "../../web/js/rows.js";
import { MOST, sheetOf } from "../../web/js/sheet.js";
import { blocksOf } from "../../web/js/timeline/blocks.js";

function layout(...counts) {
    const group = (tracks, at) => ({
        key: `group ${at}`,
        name: `group ${at}`,
        tracks,
        parts: [{ shape: "states", tracks }],
        headed: true,
        open: true,
    });
    return layOut(counts.map(group), () => false, true);
}

test("all rows are printed if they have room, wherever the view is", () => {
    const rows = layout(3, 40, 2);
    assert.ok(rows.height > 1000 && rows.height <= MOST);
    for (const scrolled of [0, 17, 500]) {
        assert.deepEqual(sheetOf(rows, scrolled), { top: AXIS, bottom: rows.height, above: 0, below: 0 });
    }
});

test("of more rows, whole ones from the view on are printed; each other track is counted", () => {
    for (const counts of [[200_000], [3, 500, 2, 400], [150, 150]]) {
        const rows = layout(...counts);
        const tracks = counts.reduce((sum, count) => sum + count, 0);
        for (const scrolled of [0, 1, 26, 50, 51, 777, 5000, rows.height - 700, rows.height]) {
            const sheet = sheetOf(rows, scrolled);
            const what = `${counts} from ${scrolled}: ${JSON.stringify(sheet)}`;
            const printed = rowsBetween(rows, sheet.top, sheet.bottom);
            assert.deepEqual([printed[0].y, printed.at(-1).y + printed.at(-1).height], [sheet.top, sheet.bottom], what);
            assert.equal(printed.filter(({ kind }) => kind === "tracks").length + sheet.above + sheet.below, tracks, what);
            assert.ok(sheet.bottom - sheet.top <= MOST && sheet.bottom - sheet.top > MOST - 100, what);
            assert.ok(sheet.top <= scrolled + AXIS, `${what}: what is in view is on paper`);
        }
        assert.equal(sheetOf(rows, 0).above, 0);
        assert.equal(sheetOf(rows, rows.height).below, 0);
    }
});

test("few rows stay together; more are split between rows into blocks that fit a page", () => {
    const few = rowsBetween(layout(3, 4), AXIS, 1e9);
    assert.deepEqual(blocksOf(few), [few]);
    assert.deepEqual(blocksOf([]), []);
    const many = rowsBetween(layout(60, 60), AXIS, 1e9);
    const blocks = blocksOf(many);
    assert.deepEqual(blocks.flat(), many);
    const heights = blocks.map((rows) => rows.at(-1).y + rows.at(-1).height - rows[0].y);
    assert.ok(blocks.length > 5 && Math.max(...heights) <= 280, heights.join());
    assert.ok(Math.min(...heights.slice(0, -1)) > 200, heights.join());
    const [last] = many.slice(-1);
    assert.equal(
        blocks.some((rows) => rows.length > 1 && rows.at(-1).kind === "heading" && rows.at(-1) !== last),
        false,
        "no heading is at the end of one",
    );
});
