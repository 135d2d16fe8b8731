import { test } from "node:test";
import assert from "node:assert/strict";
import { PIECE } from "../../web/js/worker/buffers.js";
import { ReadAhead } from "../../web/js/worker/read-ahead.js";

const MIB = 1 << 20;
const SIZE = 21 * MIB + 5;

/** A file in which each 8 bytes are their own offset, with a record of its reads: where streams began, how many are open, and ranges. */
function file(size = SIZE) {
    const bytes = new Uint8Array(Math.ceil(SIZE / 8) * 8);
    const numbers = new Float64Array(bytes.buffer);
    numbers.forEach((_, at) => (numbers[at] = at));
    const read = { begun: [], open: 0, streamed: 0, ranges: 0, most: 0, fails: false };
    /** All pieces come in the same buffer, as in the page. */
    const buffer = new Uint8Array(PIECE);
    let random = 7;
    async function* from(offset) {
        read.begun.push(offset);
        read.open += 1;
        try {
            for (let at = offset; at < SIZE; ) {
                if (read.fails) throw new Error("gone");
                random = (random * 48271) % 2147483647;
                const piece = bytes.subarray(at, Math.min(at + 1 + (random % buffer.length), SIZE));
                buffer.set(piece);
                at += piece.length;
                read.streamed += piece.length;
                yield buffer.subarray(0, piece.length);
                buffer.fill(255);
            }
        } finally {
            read.open -= 1;
        }
    }
    const part = (offset, length) => bytes.slice(offset, Math.min(offset + length, size));
    const range = async (offset, length) => {
        read.ranges += length > 1 ? 1 : 0;
        read.most = Math.max(read.most, length);
        return part(offset, length);
    };
    return { ahead: new ReadAhead({ size, from, range }), read, part };
}

test("every part comes, in any order", async () => {
    for (const size of [SIZE, 2 * MIB, 17 * MIB + 1]) {
        const { ahead, read, part } = file(size);
        let random = 1;
        let at = 0;
        for (let turn = 0; turn < 300; turn++) {
            random = (random * 48271) % 2147483647;
            // Mostly further on, sometimes elsewhere, and sometimes more than is read at once.
            if (turn % 17 === 0) at = random % size;
            const length = turn % 29 === 0 ? 5 * MIB : 1 + (random % MIB);
            assert.ok(Buffer.from(await ahead.part(at, length)).equals(part(at, length)), `${length} bytes at ${at} of ${size}`);
            at = Math.max(0, Math.min(at + length - (turn % 5) * 1000, size - 1));
        }
        await ahead.end();
        assert.equal(read.open, 0, "no stream is left open");
    }
});

test("reading from front to back streams the file once, and reads nothing else, even if parts overlap", async () => {
    const { ahead, read } = file();
    for (let at = 0; at < SIZE; at += 700_001) {
        const from = Math.max(at - 300_000, 0);
        await ahead.part(from, Math.min(at + 700_001, SIZE) - from);
    }
    assert.deepEqual([read.begun, read.open, read.streamed, read.most], [[0], 0, SIZE, 1], "ranges look for changes only");
});

test("parts in turn from the blocks of eight capabilities are streamed, once they are known to lie like that", async () => {
    const [block, length] = [2 * MIB, 256 << 10];
    const blocks = 8;
    const bytes = new Uint8Array(4 * blocks * block);
    bytes.forEach((_, at) => (bytes[at] = (at * 2654435761) >>> 24));
    const read = { begun: 0, alone: [] };
    async function* from(offset) {
        read.begun += 1;
        for (let at = offset; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
    }
    const range = async (offset, length) => {
        if (length > 1) read.alone.push(offset);
        return bytes.slice(offset, offset + length);
    };
    const ahead = new ReadAhead({ size: bytes.length, from, range });
    for (let first = 0; first < bytes.length; first += blocks * block) {
        for (let within = 0; within < block; within += length) {
            for (let turn = 0; turn < blocks; turn++) {
                // In another order each time, as their times are.
                const at = first + ((turn * 3 + within / length) % blocks) * block + within;
                const part = await ahead.part(at, length);
                assert.ok(Buffer.from(part).equals(bytes.subarray(at, at + length)), `at ${at}`);
            }
        }
    }
    assert.equal(read.begun, 1);
    const later = read.alone.filter((offset) => offset >= blocks * block);
    assert.deepEqual(later, [], "only parts of the first blocks are read alone");
});

test("a far part comes without reading everything before it", async () => {
    const { ahead, read, part } = file();
    await ahead.part(0, 10);
    assert.deepEqual(Buffer.from(await ahead.part(15 * MIB, 100)), Buffer.from(part(15 * MIB, 100)));
    assert.deepEqual([read.begun, read.open, read.ranges], [[0], 0, 1], "it stands alone");
    assert.deepEqual(Buffer.from(await ahead.part(15 * MIB + 50, 100)), Buffer.from(part(15 * MIB + 50, 100)));
    assert.deepEqual([read.begun, read.open, read.ranges], [[0, 15 * MIB + 50], 1, 1], "others follow");
    await ahead.end();
    assert.equal(read.open, 0);
});

test("a part that cannot be read fails, and those that have come stay", async () => {
    const { ahead, read, part } = file();
    await ahead.part(0, 10);
    read.fails = true;
    assert.deepEqual(Buffer.from(await ahead.part(0, 5)), Buffer.from(part(0, 5)));
    await assert.rejects(ahead.part(3 * MIB, 10), /gone/);
    read.fails = false;
    assert.deepEqual(Buffer.from(await ahead.part(3 * MIB, 10)), Buffer.from(part(3 * MIB, 10)));
});

test("a file that is changed while its stream goes on is no longer used", async () => {
    let changed = false;
    const range = async () => {
        if (changed) throw new Error("it was changed");
        return new Uint8Array(1);
    };
    async function* from() {
        for (;;) yield new Uint8Array(1000);
    }
    const ahead = new ReadAhead({ size: 1 << 30, from, range });
    for (let at = 0; at < 20; at++) await ahead.part(at * 5000, 5000);
    changed = true;
    const further = async () => {
        for (let at = 20; at < 20 + 32; at++) await ahead.part(at * 5000, 5000);
    };
    await assert.rejects(further(), /changed/);
});

test("what follows on elsewhere for a while is streamed from there", async () => {
    const { ahead, read, part } = file();
    for (let at = 12 * MIB; at < 20 * MIB; at += MIB) await ahead.part(at, MIB);
    const before = read.ranges;
    // Parts overlap a little, as segments do.
    for (let at = 0; at < 12 * MIB; at += MIB) {
        const length = MIB + 2000;
        assert.ok(Buffer.from(await ahead.part(at, length)).equals(part(at, length)), `${at}`);
    }
    assert.deepEqual([read.ranges - before, read.begun.length], [5, 2], "five parts were read alone, then a stream began");
    await ahead.end();
    assert.equal(read.open, 0, "no stream is left open");
});

test("at the end of the file, the blocks of several capabilities are still read in turns from one stream", async () => {
    const { ahead, read } = file(16 * MIB);
    const [piece, block] = [MIB / 4, 2 * MIB];
    for (let at = 0; at < block; at += piece) for (let cap = 0; cap < 8; cap++) await ahead.part(cap * block + at, piece);
    assert.ok(read.begun.length <= 2, `${read.begun.length} streams`);
    await ahead.end();
});

test("if a stream ends too early, reading a range gives the reason", async () => {
    const gone = async () => {
        throw new Error("the file has become shorter");
    };
    async function* from() {
        yield new Uint8Array(5);
    }
    const ahead = new ReadAhead({ size: 100, from, range: gone });
    assert.equal((await ahead.part(0, 5)).length, 5);
    await assert.rejects(ahead.part(5, 5), /shorter/);
});
