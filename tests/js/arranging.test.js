// How the user has arranged rows: each row is at one place, whatever was done; and it comes back from the text that is kept of it.

import { test } from "node:test";
import assert from "node:assert/strict";
import {
    DENSITIES,
    firstRowsChoice,
    hide,
    isNarrowed,
    move,
    onlyThese,
    pin,
    renamed,
    rowsIn,
    setHeight,
    show,
    showAllHidden,
    tracksIn,
    unpin,
    widened,
} from "../../web/js/arranging/choice.js";
import { planOf } from "../../web/js/arranging/plan.js";
import { choiceIn, rowIn, rowText, textOf } from "../../web/js/arranging/text.js";
import { layOut, rowAt, rowBeside, rowOfTrack, rowsBetween, rowsInView } from "../../web/js/rows.js";

const KIND = 2 ** 32;

/** Groups whose tracks have the numbers `KIND · (their place + 1) + index`. */
const GROUPS = [
    group("activity", [["level", 1]], { headed: false }),
    group("caps", [["states", 4]]),
    group("gc", [
        ["states", 2],
        ["points", 1],
    ]),
    group("threads", [["states", 100_000]]),
    group("heap", []),
];

function group(key, parts, more = {}) {
    const tracks = parts.reduce((sum, [, count]) => sum + count, 0);
    return { key, name: key, tracks, parts: parts.map(([shape, tracks]) => ({ shape, tracks })), headed: true, open: true, ...more };
}

const trackOf = (key, at) => KIND * (GROUPS.findIndex((one) => one.key === key) + 1) + at;

/** Where the tracks are that a choice names, as the worker says it. */
function placedOf(choice) {
    return tracksIn(choice).flatMap((id) => {
        const { key, tracks } = GROUPS[Math.floor(id / KIND) - 1] ?? { tracks: 0 };
        return id % KIND < tracks ? [{ group: key, at: id % KIND, track: { id, name: `${key} ${id % KIND}` } }] : [];
    });
}

const planned = (choice, more = {}) => planOf(GROUPS, { choice, placed: placedOf(choice), named: null, peek: null, ...more });
const laid = (choice, { room = 0, folds = {}, ...more } = {}) =>
    layOut(GROUPS, ({ key }) => folds[key] ?? false, true, room, planned(choice, more));

/** The rows of all groups but the long one, as texts; pinned ones have a star. */
function rowsOf(layout) {
    const shown = rowsBetween({ runs: layout.runs.filter(({ groups }) => groups[0]?.key !== "threads") }, 0, layout.height);
    return shown.map(({ kind, groups, at, pinned }) =>
        kind === "tracks" ? `${groups[0].key} ${at}${pinned ? "*" : ""}` : `${kind} ${groups.map(({ key }) => key)}`,
    );
}

const [A, B, C, D] = [0, 1, 2, 3].map((at) => trackOf("caps", at));
const first = firstRowsChoice();

test("without an arrangement, rows are as in the log", () => {
    assert.deepEqual(rowsOf(laid(first)), [
        "activity 0",
        "heading caps",
        "caps 0",
        "caps 1",
        "caps 2",
        "caps 3",
        "heading gc",
        "gc 0",
        "gc 1",
        "gc 2",
        "absent heap",
    ]);
});

test("a pinned row is at the top and nowhere else; a hidden one nowhere, and the last row says so", () => {
    const choice = hide(pin(pin(first, C), trackOf("gc", 2)), B);
    assert.deepEqual(rowsOf(laid(choice)), [
        "caps 2*",
        "gc 2*",
        "activity 0",
        "heading caps",
        "caps 0",
        "caps 3",
        "heading gc",
        "gc 0",
        "gc 1",
        "absent heap",
        "foot ",
    ]);
    assert.equal(planned(choice).hidden, 1);
    assert.equal(rowsOf(laid(showAllHidden(unpin(choice, C)))).includes("caps 1"), true);
    const whole = hide(pin(first, A), "caps");
    assert.deepEqual(rowsOf(laid(whole)).slice(0, 3), ["caps 0*", "activity 0", "heading gc"], "a pinned row of a hidden group stays");
});

test("hiding ends pinning, and pinning ends hiding", () => {
    assert.deepEqual(hide(pin(first, A), A), { ...first, hidden: [A] });
    assert.deepEqual(pin(hide(first, A), A), { ...first, pinned: [A] });
});

test("rows move before and after others, whatever was moved before", () => {
    const caps = (choice) =>
        rowsOf(laid(choice))
            .filter((row) => row.startsWith("caps"))
            .map((row) => row.slice(5))
            .join("");
    assert.equal(caps(move(first, D, A, false)), "3012");
    assert.equal(caps(move(first, A, D, true)), "1230");
    const once = move(first, C, D, true);
    assert.equal(caps(once), "0132");
    assert.equal(caps(move(once, D, A, true)), "0312");
    assert.equal(caps(move(move(first, D, A, true), C, D, true)), "0321");
    assert.equal(caps(move(move(move(first, D, A, true), C, D, true), D, B, true)), "0213", "of two moved rows, one moves again");
    assert.equal(caps(move(move(first, A, B, true), B, C, true)), "0213", "beside the place of a row that has moved away");
    const groups = (choice) =>
        rowsOf(laid(choice))
            .filter((row) => /^heading|activity/.test(row))
            .join();
    assert.equal(groups(move(first, "gc", "caps", false)), "activity 0,heading gc,heading caps");
    assert.equal(groups(move(first, "activity", "gc", true)), "heading caps,heading gc,activity 0");
    const pins = move(pin(pin(first, A), B), B, A, false);
    assert.deepEqual(pins.pinned, [B, A]);
});

test("each row is at one place only, after any acts; and undoing them in any order leaves all rows", () => {
    let seed = 7;
    const random = (below) => {
        seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
        return Math.floor((seed / 2 ** 32) * below);
    };
    const some = (key) => trackOf(key, random(Math.min(GROUPS.find((one) => one.key === key).tracks, 12)));
    const keys = ["activity", "caps", "gc", "threads"];
    for (let round = 0; round < 60; round++) {
        let choice = first;
        for (let act = 0; act < 40; act++) {
            const key = keys[random(keys.length)];
            const row = random(6) === 0 ? key : some(key);
            const kind = random(6);
            if (kind === 0 && typeof row === "number") choice = pin(choice, row);
            else if (kind === 1) choice = hide(choice, row);
            else if (kind === 2)
                choice =
                    typeof row === "number"
                        ? move(choice, row, some(key), random(2) === 0)
                        : move(choice, row, keys[random(keys.length)], random(2) === 0);
            else if (kind === 3) choice = random(2) === 0 ? show(choice, row) : unpin(choice, row);
            else if (kind === 4) choice = setHeight(choice, row, DENSITIES[random(3)]);
            else if (random(4) === 0) choice = choiceIn(textOf(choice));
            check(choice);
        }
        check(showAllHidden({ ...choice, pinned: [] }), true);
    }
    function check(choice, isAll = false) {
        const { groups, pinned } = planned(choice);
        const hidden = new Set(choice.hidden);
        assert.equal(new Set(groups.map(({ group }) => group.key)).size, groups.length);
        for (const { key, tracks } of GROUPS.filter(({ tracks }) => tracks > 0)) {
            const own = groups.find(({ group }) => group.key === key);
            const pins = pinned.filter(({ group }) => group.key === key).map(({ at }) => at);
            const pieces = own?.pieces ?? [];
            const places = pieces.flatMap(({ from, count }) =>
                count > 50 ? [from, from + count - 1] : Array.from({ length: count }, (_, at) => from + at),
            );
            assert.equal(new Set([...places, ...pins]).size, places.length + pins.length, `${key}: ${textOf(choice)}`);
            const gone = hidden.has(key)
                ? tracks - pins.length
                : [...hidden].filter(
                      (row) => typeof row === "number" && Math.floor(row / KIND) === GROUPS.findIndex((one) => one.key === key) + 1,
                  ).length;
            assert.equal((own?.shown ?? 0) + pins.length + gone, tracks, `${key}: ${textOf(choice)}`);
            if (isAll) assert.equal(own.shown, tracks);
        }
    }
});

test("of a long group, only what is arranged splits its rows", () => {
    const row = (at) => trackOf("threads", at);
    const choice = pin(hide(move(first, row(90_000), row(10), false), row(50_000)), row(99_999));
    const { pieces, shown } = planned(choice).groups.find(({ group }) => group.key === "threads");
    assert.deepEqual(
        pieces.map(({ from, count }) => [from, count]),
        [
            [0, 10],
            [90_000, 1],
            [10, 49_990],
            [50_001, 39_999],
            [90_001, 9998],
        ],
    );
    assert.equal(shown, 99_998);
    const layout = laid(choice);
    assert.equal(rowOfTrack(layout, { group: "threads", at: 50_000 }), null);
    const moved = rowOfTrack(layout, { group: "threads", at: 90_000 });
    assert.equal(rowAt(layout, moved.y + moved.height + 1).at, 10);
    assert.equal(rowBeside(layout, { group: "threads", at: 9 }, 1).at, 90_000, "keys go to the row that is below");
});

test("a row that is hidden and looked for is shown for the moment", () => {
    const choice = onlyThese(hide(first, A), [trackOf("gc", 0)]);
    const peek = { track: A, group: "caps", at: 0 };
    assert.deepEqual(rowsOf(laid(choice, { peek })), ["heading caps", "caps 0", "heading gc", "gc 0", "foot "]);
    assert.deepEqual(rowsOf(laid(hide(first, "caps"), { peek })).slice(1, 3), ["heading caps", "caps 0"]);
});

test("only the rows that were asked for are shown, tracks and groups", () => {
    const choice = onlyThese(pin(pin(first, B), D), [B, A, "gc"]);
    assert.deepEqual(rowsOf(laid(choice)), ["caps 1*", "heading caps", "caps 0", "heading gc", "gc 0", "gc 1", "gc 2", "foot "]);
    assert.deepEqual(onlyThese(choice, []).only, null);
    assert.equal(isNarrowed(choice), true);
    assert.equal(isNarrowed(widened({ ...choice, text: "x" })), false);
});

test("rows with a text in their names, or in that of their group", () => {
    const choice = { ...hide(first, trackOf("gc", 1)), text: "gc" };
    const named = { text: "gc", runs: { caps: [1, 2], threads: [5, 1, 70_000, 20] } };
    const layout = laid(choice, { named });
    assert.deepEqual(rowsOf(layout), ["heading caps", "caps 1", "caps 2", "heading gc", "gc 0", "gc 2", "foot "]);
    assert.equal(layout.plan.groups.find(({ group }) => group.key === "threads").shown, 21);
    assert.ok(rowsOf(laid(choice)).includes("activity 0"), "until it is known which, all are shown");
});

test("pinned rows stay in view while others scroll, and never take all the room", () => {
    const choice = pin(pin(first, C), A);
    const layout = laid(choice, { room: 400 });
    assert.equal(layout.head, 26 + 60);
    const rows = rowsInView(layout, 5000, 5000, 5400);
    assert.deepEqual(
        rows.slice(0, 2).map(({ y, at }) => [y, at]),
        [
            [5026, 2],
            [5056, 0],
        ],
    );
    assert.equal(rowOfTrack(layout, { group: "caps", at: 0 }, 5000).y, 5056);
    assert.ok(rows.slice(2).every(({ pinned }) => !pinned));
    const low = laid(choice, { room: 100 });
    assert.equal(low.head, 56, "one of them has room");
    assert.deepEqual(
        rowsOf(low).filter((row) => row.startsWith("caps")),
        ["caps 2*", "caps 1", "caps 3", "caps 0"],
    );
});

test("rows have the height that was chosen; the others grow to fill the room", () => {
    const choice = setHeight(setHeight(first, "gc", 48), B, 18);
    const few = { ...choice, only: [A, B, "gc"] };
    const layout = laid(few, { room: 900 });
    const heightOf = (key, at) => rowOfTrack(layout, { group: key, at }).height;
    assert.deepEqual([heightOf("caps", 1), heightOf("gc", 0), heightOf("gc", 2)], [18, 48, 38]);
    assert.ok(heightOf("caps", 0) > 60);
    assert.deepEqual(setHeight(choice, null, 18), { ...first, height: 18 });
});

test("an arrangement comes back from its text, and is short", () => {
    const all = setHeight(setHeight(move(hide(hide(pin(first, C), B), "heap"), D, A, false), null, 18), "gc", 48);
    const choice = { ...onlyThese(move(all, "gc", "caps", false), [A, "gc"]), text: "a, p1.2 ~ é" };
    assert.deepEqual(choiceIn(textOf(choice)), choice);
    assert.equal(textOf(hide(pin(first, C), "heap")), "p2.2,hheap");
    assert.equal(textOf(first), "");
    assert.deepEqual(choiceIn(""), first);
    assert.deepEqual(choiceIn("fx").text, "x");
    for (const row of [0, 5, KIND, 255 * KIND + 4_294_967_295, "heap_profile"]) assert.equal(rowIn(rowText(row)), row);
});

test("what cannot be read is left out, whoever wrote it", () => {
    for (const text of [
        "x",
        "p",
        "p1",
        "p1.2.3",
        "pcaps",
        "h<b>",
        "a1.0",
        "a1.0~",
        "b~1.0",
        "d17",
        "d18~",
        "a1.0~caps",
        "999.1",
        "p300.1",
        "p1.99999999999",
        ",,,",
        "o~",
    ]) {
        const { height, ...rest } = choiceIn(text);
        assert.deepEqual([text, rest, height], [text, (({ height: _, ...others }) => others)(first), text === "d18~" ? null : null]);
    }
    const twice = choiceIn("p1.0,p1.0,h1.0,a1.2~1.3~1.3,b1.4~1.3,a1.2~1.5");
    assert.deepEqual(twice, { ...first, hidden: [KIND], moved: [{ beside: KIND + 2, after: true, rows: [KIND + 3] }] });
    assert.ok(rowsIn(choiceIn(Array.from({ length: 9999 }, (_, at) => `h1.${at}`).join())).length <= 500);
});

test("a log without some of the tracks ignores them", () => {
    const unknown = [trackOf("caps", 77), 200 * KIND];
    const choice = unknown.reduce((so, track) => pin(move(hide(so, track + 1), A, track, true), track), hide(first, "nothing"));
    assert.deepEqual(rowsOf(laid(choice)), rowsOf(laid(first)));
});

test("in another run, rows have other numbers", () => {
    const choice = onlyThese(move(setHeight(hide(pin(first, C), B), A, 18), D, A, true), [A, D]);
    const others = new Map([
        [A, 1],
        [B, null],
        [C, 3],
        [D, 4],
    ]);
    const { pinned, hidden, moved, heights, only } = renamed(choice, (row) => others.get(row) ?? null);
    assert.deepEqual([pinned, hidden, heights, only], [[3], [], [[1, 18]], [1, 4]]);
    assert.deepEqual(moved, [{ beside: 1, after: true, rows: [4] }]);
});
