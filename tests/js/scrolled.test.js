import { test } from "node:test";
import assert from "node:assert/strict";
import { MOST_HIGH, Scrolled } from "../../web/js/scrolled.js";

const ROOM = 800;

/** Rows with this height, and an element that scrolls like a browser's. */
function rows(height) {
    const scrolled = new Scrolled();
    scrolled.resize(height, ROOM);
    let place = 0;
    const to = (wanted) => {
        place = Math.min(Math.max(wanted, 0), scrolled.high - ROOM);
        const better = scrolled.to(place);
        if (better !== place) {
            place = better;
            scrolled.set(place, scrolled.top);
        }
        return scrolled.top;
    };
    return { scrolled, to, by: (step) => to(place + step), place: () => place };
}

test("rows that fit into an element are scrolled by the browser alone", () => {
    const { scrolled, to } = rows(200_000 * 15);
    assert.equal(scrolled.high, 3_000_000);
    for (const place of [0, 10, 2_999_200, 17]) {
        assert.equal(to(place), place);
        assert.equal(scrolled.offset, 0);
    }
    assert.equal(scrolled.scrollTopOf(1234), 1234);
});

const HIGH = 200_000 * 48;

test("higher rows end where the element ends, and the scroll bar reaches any place", () => {
    const { scrolled, to } = rows(HIGH);
    assert.equal(scrolled.high, MOST_HIGH);
    assert.equal(to(MOST_HIGH), HIGH - ROOM);
    assert.equal(to(0), 0);
    assert.ok(Math.abs(to((MOST_HIGH - ROOM) / 2) - (HIGH - ROOM) / 2) < 1);
    assert.equal(scrolled.top - scrolled.offset, (MOST_HIGH - ROOM) / 2, "where the element is");
});

test("the wheel moves the rows by its own distance, anywhere", () => {
    const { to, by } = rows(HIGH);
    const before = to(1_000_000);
    assert.equal(by(100), before + 100);
    assert.equal(by(-300), before - 200);
});

test("the wheel alone reaches both ends, and stops there", () => {
    const { to, by } = rows(HIGH);
    to(ROOM * 3);
    for (let turn = 0; turn < 2000; turn++) by(-100);
    assert.ok(by(-100) < 1);
    to(MOST_HIGH - ROOM * 4);
    for (let turn = 0; turn < 2000; turn++) by(100);
    assert.ok(by(100) > HIGH - ROOM - 1);
});

test("a place that the script scrolls to stays", () => {
    const { scrolled } = rows(HIGH);
    const place = Math.round(scrolled.scrollTopOf(5_000_000));
    scrolled.set(place, 5_000_000);
    assert.equal(scrolled.to(place), place, "the browser tells of it");
    assert.equal(scrolled.top, 5_000_000);
    assert.equal(scrolled.top - scrolled.offset, place);
});
