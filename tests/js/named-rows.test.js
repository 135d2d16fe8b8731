// Rows that are found by their names.

import { test } from "node:test";
import assert from "node:assert/strict";
import { rowsCalled, rowsNamed } from "../../web/js/worker/named-rows.js";

/** A log with threads of these names. */
function opening(names) {
    const log = {
        tree: () => ({ groups: [{ key: "threads", name: "Threads", tracks: names.length }] }),
        rows_named: (_arrangement, _group, text, most) => {
            const runs = [];
            names.forEach((name, at) => {
                if (!name.toLowerCase().includes(text.toLowerCase())) return;
                const last = runs.at(-1);
                if (last && last[0] + last[1] === at) last[1]++;
                else if (runs.length < most) runs.push([at, 1]);
            });
            return Uint32Array.from(runs.flat());
        },
        tracks_of: (_arrangement, _group, from, count) => names.slice(from, from + count).map((name, at) => ({ id: from + at, name })),
    };
    return /** @type {any} */ ({ log, arrangement: null });
}

test("a row is found by its label, also if other names have that in them", () => {
    const rows = [["threads", "7 worker"]];
    assert.deepEqual(rowsCalled(opening(["1 my worker", "2 main", "3 worker-a", "4 x", "5 worker"]), { rows }), [4]);
    assert.deepEqual(rowsCalled(opening(["1 my worker", "2 main", "7 worker", "8 x", "9 worker"]), { rows }), [2]);
    assert.deepEqual(rowsCalled(opening(["1 my worker"]), { rows }), [null]);
});

test("of very many rows, the first ones are found, and that is said", () => {
    const every = (length) => Array.from({ length: 2 * length }, (_, at) => (at % 2 ? "x" : "worker"));
    const found = rowsNamed(opening(every(2001)), { text: "worker" });
    assert.deepEqual([found.cut, found.runs.threads.length], [true, 4000]);
    const all = rowsNamed(opening(every(2000)), { text: "worker" });
    assert.deepEqual([all.cut, all.runs.threads.length], [false, 4000]);
    assert.deepEqual(rowsNamed(opening(["a"]), { text: "b" }), { text: "b", runs: {}, cut: false });
});
