import { test } from "node:test";
import assert from "node:assert/strict";
import { Buffers, PIECE } from "../../web/js/worker/buffers.js";
import { atOnce, giveBack, range } from "../../web/js/worker/reading.js";

const SIZE = 3 << 20;

/** A file in which each 4 bytes are their own offset. */
function numbered() {
    return new Uint8Array(Uint32Array.from({ length: SIZE / 4 }, (_, at) => at * 2654435761).buffer);
}

/** Lengths and offsets of all kinds, the same in every run. */
function* wishes(count) {
    let random = 1;
    const next = (below) => (random = (random * 48271) % 2147483647) % below;
    for (let at = 0; at < count; at++) yield [next(SIZE + 1000), next([10, 70_000, 1 << 20, SIZE][at % 4])];
}

test("ranges that are read at the same time are whole, though their buffers take turns", async (t) => {
    const bytes = numbered();
    const blob = new Blob([bytes]);
    let made = 0;
    const { ArrayBuffer: Own } = globalThis;
    globalThis.ArrayBuffer = class extends Own {
        constructor(size) {
            super(size);
            made += size >= 1 << 17;
        }
    };
    t.after(() => (globalThis.ArrayBuffer = Own));
    await atOnce([...wishes(400)], 16, async ([offset, length]) => {
        const part = await range(blob, offset, length);
        // Other reads go on meanwhile.
        await new Promise((resolve) => setTimeout(resolve, length % 3));
        assert.ok(Buffer.from(part).equals(bytes.subarray(offset, offset + length)), `${length} bytes at ${offset}`);
        giveBack(part);
    });
    assert.ok(made > 0 && made < 150, `${made} buffers for 200 long parts`);
});

test("once a long file has come in small pieces, ranges are slices", async (t) => {
    // A fresh copy of the module.
    const { pieces, range } = await import("../../web/js/worker/reading.js?once");
    const blob = new Blob([new Uint8Array(32 << 20)]);
    const streams = t.mock.method(Blob.prototype, "stream", function () {
        let left = this.size;
        const pull = (controller) => {
            if (left <= 0) {
                controller.close();
                controller.byobRequest?.respond(0);
                return;
            }
            controller.enqueue(new Uint8Array(Math.min(left, 64 << 10)));
            left -= 64 << 10;
        };
        return new ReadableStream({ type: "bytes", pull });
    });
    await range(blob, 0, 1 << 20);
    assert.equal(streams.mock.callCount(), 1);
    let read = 0;
    for await (const piece of pieces(blob)) read += piece.length;
    assert.equal(read, blob.size);
    const before = streams.mock.callCount();
    await range(blob, 0, 1 << 20);
    assert.equal(streams.mock.callCount(), before);
});

test("a range that is not given back stays valid", async () => {
    const bytes = numbered();
    const blob = new Blob([bytes]);
    const kept = [];
    for (const [offset, length] of wishes(60)) {
        const part = await range(blob, offset, length);
        if (kept.length % 2) giveBack(part);
        kept.push(kept.length % 2 ? null : [part, bytes.slice(offset, offset + length)]);
    }
    for (const [part, wanted] of kept.filter(Boolean)) assert.ok(Buffer.from(part).equals(wanted));
});

test("a buffer is lent to one at a time, and those that wait are few", () => {
    const buffers = new Buffers();
    const take = (length) => buffers.lend(new Uint8Array(buffers.take(length), 0, length));
    const [one, two] = [take(100_000), take(100_000)];
    assert.notEqual(one.buffer, two.buffer);
    buffers.giveBack(one);
    buffers.giveBack(one);
    const [three, four] = [take(70_000), take(70_000)];
    assert.equal(three.buffer, one.buffer);
    assert.notEqual(four.buffer, one.buffer);
    // A buffer that was not lent may be in use elsewhere.
    const own = new Uint8Array(1 << 17);
    buffers.giveBack(own);
    assert.notEqual(take(100_000).buffer, own.buffer);
    const many = Array.from({ length: 20 }, () => take(PIECE));
    for (const bytes of many) buffers.giveBack(bytes);
    const again = new Set(Array.from({ length: 20 }, () => take(PIECE).buffer));
    assert.equal(many.filter(({ buffer }) => again.has(buffer)).length, 4, "8 MiB of them");
    const long = take(PIECE + 1);
    buffers.giveBack(long);
    assert.notEqual(take(PIECE + 1).buffer, long.buffer);
});

test("if no log is open, no buffer is kept, not even one that comes back late", () => {
    const buffers = new Buffers();
    const take = () => buffers.lend(new Uint8Array(buffers.take(100_000), 0, 1000));
    const [early, late] = [take(), take()];
    buffers.giveBack(early);
    buffers.keep(false);
    buffers.giveBack(late);
    const next = take().buffer;
    assert.ok(next !== early.buffer && next !== late.buffer);
    buffers.keep(true);
    const one = take();
    buffers.giveBack(one);
    assert.equal(take().buffer, one.buffer);
});
