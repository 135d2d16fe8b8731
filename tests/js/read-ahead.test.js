import { test } from "node:test";
import assert from "node:assert/strict";
import { ReadAhead } from "../../web/js/worker/read-ahead.js";

const MIB = 1 << 20;
const SIZE = 21 * MIB + 5;

/** A file of which each 8 bytes say where they are, and what was read of it. */
function file() {
    const bytes = new Uint8Array(Math.ceil(SIZE / 8) * 8);
    const numbers = new Float64Array(bytes.buffer);
    numbers.forEach((_, at) => (numbers[at] = at));
    const reads = [];
    const read = async (offset, length) => {
        reads.push([offset, length]);
        return bytes.slice(offset, Math.min(offset + length, SIZE));
    };
    return { ahead: new ReadAhead(read, SIZE), reads, part: (offset, length) => bytes.subarray(offset, Math.min(offset + length, SIZE)) };
}

test("whatever is asked for comes, in any order", async () => {
    const { ahead, part } = file();
    let random = 1;
    let at = 0;
    for (let turn = 0; turn < 300; turn++) {
        random = (random * 48271) % 2147483647;
        // Mostly further on, at times elsewhere, and at times more than is read at once.
        if (turn % 17 === 0) at = random % SIZE;
        const length = turn % 29 === 0 ? 5 * MIB : 1 + (random % MIB);
        assert.ok(Buffer.from(await ahead.part(at, length)).equals(part(at, length)), `${length} bytes at ${at}`);
        at = Math.max(0, Math.min(at + length - (turn % 5) * 1000, SIZE - 1));
    }
});

test("what is read from front to back is read once, the next part while one is used", async () => {
    const { ahead, reads } = file();
    for (let at = 0; at < SIZE; at += 700_001) {
        await ahead.part(at, Math.min(700_001, SIZE - at));
        const [from, length] = reads.at(-1);
        assert.ok(from + length > Math.min(at + 700_001, SIZE - 1) || from + length === SIZE);
    }
    assert.equal(reads.reduce((sum, [, length]) => sum + length, 0), SIZE);
});

test("a part that cannot be read fails those who ask for it, and nobody else", async () => {
    let fails = false;
    const ahead = new ReadAhead(async (_, length) => {
        if (fails) throw new Error("gone");
        return new Uint8Array(length);
    }, SIZE);
    await ahead.part(0, 10);
    fails = true;
    assert.equal((await ahead.part(20, 10)).length, 10);
    await assert.rejects(ahead.part(9 * MIB, 10), /gone/);
});
