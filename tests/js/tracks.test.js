import { test } from "node:test";
import assert from "node:assert/strict";
import { PAGE } from "../../web/js/protocol.js";
import { Tracks } from "../../web/js/tracks.js";

const track = (at, version = 0) => ({ id: at, name: `track ${at}`, version });
const page = (from, version = 0) => ({ group: "many", from, tracks: Array.from({ length: PAGE }, (_, at) => track(from + at, version)) });
const wanted = (...places) => places.map((from) => ({ group: "many", from, count: PAGE }));
const log = (tracks, ...pages) => ({ groups: [{ key: "many", tracks }], pages });

/** Tracks whose worker answers when the test says so. */
function asked() {
    const asks = [];
    let came = 0;
    const tracks = new Tracks(
        (shown, missing) => new Promise((resolve) => asks.push({ shown, missing, resolve })),
        () => (came += 1),
    );
    const answer = async (version = 0) => {
        const { missing, resolve } = asks.shift();
        resolve(missing.map(({ from }) => page(from, version)));
        await new Promise((done) => setTimeout(done));
    };
    return { tracks, asks, answer, came: () => came };
}

test("tracks that come with a log are not asked for; missing ones in view are, once", async () => {
    const { tracks, asks, answer, came } = asked();
    tracks.take(log(1000, page(0)));
    assert.equal(tracks.at({ group: "many", at: 63 }).id, 63);
    assert.equal(tracks.at({ group: "many", at: 64 }), null);
    tracks.show(wanted(0, 64));
    tracks.show(wanted(0, 64));
    assert.deepEqual(
        asks.map(({ missing }) => missing),
        [wanted(64)],
    );
    await answer();
    assert.equal(came(), 1);
    assert.equal(tracks.at({ group: "many", at: 64 }).id, 64);
    tracks.show(wanted(0, 64));
    assert.equal(asks.length, 0);
});

test("the worker gets the pages in view, even if none is missing", () => {
    const { tracks, asks } = asked();
    tracks.take(log(1000, page(0), page(64)));
    tracks.show(wanted(0, 64));
    tracks.show(wanted(64));
    assert.deepEqual(
        asks.map(({ shown, missing }) => [shown, missing]),
        [
            [wanted(0, 64), []],
            [wanted(64), []],
        ],
    );
});

test("old tracks are shown until the new ones come, unless tracks were inserted", async () => {
    const { tracks, asks, answer } = asked();
    tracks.take(log(1000, page(0), page(64)));
    tracks.take(log(1000, page(0, 1)));
    assert.equal(tracks.at({ group: "many", at: 64 }).version, 0);
    tracks.show(wanted(64));
    assert.equal(asks.length, 1, "it is asked for all the same");
    await answer(1);
    assert.equal(tracks.at({ group: "many", at: 64 }).version, 1);
    tracks.take(log(1001, page(0, 2)));
    assert.equal(tracks.at({ group: "many", at: 64 }), null);
});

test("a track is found by its place, and none without an answer", async () => {
    const { tracks, asks, answer } = asked();
    tracks.take(log(1000));
    const found = tracks.find({ group: "many", at: 700 });
    await answer();
    assert.equal((await found).id, 700);
    const lost = tracks.find({ group: "many", at: 900 });
    asks.shift().resolve(null);
    assert.equal(await lost, null);
});

test("only a bounded number is kept, however far the user scrolls", async () => {
    const { tracks, answer } = asked();
    tracks.take(log(200_000));
    for (let from = 0; from < 200 * PAGE; from += PAGE) {
        tracks.show(wanted(from));
        await answer();
    }
    assert.equal(tracks.all.length, 64 * PAGE);
    assert.equal(tracks.at({ group: "many", at: 199 * PAGE }).id, 199 * PAGE);
});
