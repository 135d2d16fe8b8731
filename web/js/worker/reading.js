// Reading a file: front to back, the next piece while the last one is being used; or parts of it, a few at a time.

import { NoHelper, readAhead } from "./ahead.js";
import { Buffers, BUFFERS, PIECE } from "./buffers.js";

/**
 * The streams that are being read. Chromium collects one that nothing refers to but the promise of its next bytes, and
 * those never come then: without this, most readings of 5 GB stood still somewhere.
 * @type {Set<{ cancel: () => Promise<void> }>}
 */
const underWay = new Set();

/**
 * Keeps a stream's reader for as long as its stream is read.
 * @template {{ cancel: () => Promise<void> }} Reader
 * @param {Reader} reader
 */
export function holdOn(reader) {
    underWay.add(reader);
    return reader;
}

/**
 * Lets a stream go, whether it has been read to its end or not.
 * @param {{ cancel: () => Promise<void> }} reader
 */
export function letGo(reader) {
    underWay.delete(reader);
    reader.cancel().catch(() => {});
}

/** A stream is one of small pieces if none of the first ones is larger than this: Firefox never gives more at a time, Chromium
 * gives whatever has come meanwhile. */
const SMALL = 64 << 10;
const TRIED = 64;

/** Whether ranges are read by streams: once a long file has come in small pieces, slices are faster. */
let streams = true;

/** Bytes that are worth starting another worker for. */
const WORTH = 16 << 20;

/**
 * The pieces of a blob, in order; each holds until the next one. Streams of bytes with the reader's own buffers are fastest
 * where there are any, unless they come in small pieces; slices work everywhere.
 * @param {Blob} blob
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
export async function* pieces(blob) {
    let [read, count, largest] = [0, 0, 0];
    const other = () => count === TRIED && largest <= SMALL && blob.size - read > WORTH;
    for await (const piece of ownPieces(blob)) {
        yield piece;
        read += piece.length;
        count += 1;
        largest = Math.max(largest, piece.length);
        if (other()) break;
    }
    if (other()) {
        streams = false;
        yield* otherPieces(blob.slice(read));
    }
    await check(blob, Math.max(blob.size - 1, 0));
}

/**
 * Fails if a file is not any more what it was. A stream goes on in one that is changed meanwhile, and ends where that ends now: only a slice
 * tells.
 * @param {Blob} blob
 * @param {number} offset of one byte that it must have
 */
async function check(blob, offset) {
    await blob.slice(offset, offset + 1).arrayBuffer();
}

/** @param {Blob} blob */
async function* ownPieces(blob) {
    const reader = byteReader(blob);
    if (reader) yield* fromStream(holdOn(reader));
    else yield* fromSlices(blob);
}

/**
 * Read by another worker; where there is none, by this one.
 * @param {Blob} blob
 */
async function* otherPieces(blob) {
    let read = 0;
    try {
        for await (const piece of readAhead(blob)) {
            yield piece;
            read += piece.length;
        }
        return;
    } catch (error) {
        if (!(error instanceof NoHelper)) throw error;
    }
    yield* ownPieces(blob.slice(read));
}

/**
 * @param {Blob} blob
 */
function byteReader(blob) {
    try {
        return blob.stream().getReader({ mode: "byob" });
    } catch {
        return null;
    }
}

/**
 * A few buffers take turns: while one is used the others are being filled, so that neither waits for the other.
 * @param {ReadableStreamBYOBReader} reader
 */
async function* fromStream(reader) {
    /** @param {Uint8Array<ArrayBuffer>} buffer */
    const fill = (buffer) => {
        const filled = reader.read(buffer);
        // A read that fails before anybody waits for it must not count as unhandled.
        filled.catch(() => {});
        return filled;
    };
    const reads = Array.from({ length: BUFFERS }, () => fill(new Uint8Array(PIECE)));
    try {
        for (;;) {
            const { done, value } = await /** @type {(typeof reads)[0]} */ (reads.shift()).catch(unreadable);
            if (done || !value) return;
            yield value;
            reads.push(fill(new Uint8Array(value.buffer)));
        }
    } finally {
        letGo(reader);
    }
}

/**
 * What a stream fails with, as a slice would: Chromium has "TypeError: network error" for a file that is cut short just then.
 * @param {Error} error
 * @returns {never}
 */
function unreadable(error) {
    throw new DOMException(error.message, "NotReadableError");
}

/**
 * @param {Blob} blob
 */
async function* fromSlices(blob) {
    /** @param {number} from */
    const slice = (from) => {
        const read = blob.slice(from, from + PIECE).arrayBuffer();
        read.catch(() => {});
        return read;
    };
    let next = slice(0);
    for (let from = 0; from < blob.size; from += PIECE) {
        const bytes = new Uint8Array(await next);
        next = slice(from + PIECE);
        yield bytes;
    }
}

const buffers = new Buffers();

/** A range that is shorter is a slice: its stream would cost more than its buffer. */
const STREAMED = 64 << 10;

/**
 * One range of a blob.
 * @param {Blob} blob
 * @param {number} offset
 * @param {number} length
 * @returns {Promise<Uint8Array<ArrayBuffer>>} fewer bytes if there are no more; who does not need them any more may `giveBack` them
 */
export async function range(blob, offset, length) {
    const part = blob.slice(offset, offset + length);
    if (!streams || part.size < STREAMED) return new Uint8Array(await part.arrayBuffer());
    const buffer = buffers.take(part.size);
    const reader = byteReader(part);
    if (reader) return fromOneStream(holdOn(reader), buffer, part.size);
    streams = false;
    return range(blob, offset, length);
}

/**
 * The bytes of a range are not needed any more: what comes next may be read into their buffer.
 * @param {Uint8Array} bytes
 */
export function giveBack(bytes) {
    buffers.giveBack(bytes);
}

/** @param {boolean} areOpen whether any logs are open, of which there may be a next part to read */
export function keepBuffers(areOpen) {
    buffers.keep(areOpen);
}

/**
 * @param {ReadableStreamBYOBReader} reader
 * @param {ArrayBuffer} buffer
 * @param {number} length
 */
async function fromOneStream(reader, buffer, length) {
    let read = 0;
    try {
        while (read < length) {
            const { done, value } = await reader.read(new Uint8Array(buffer, read, length - read)).catch(unreadable);
            if (value) buffer = value.buffer;
            if (done || !value) break;
            read += value.length;
        }
    } finally {
        letGo(reader);
    }
    return buffers.lend(new Uint8Array(buffer, 0, read));
}

/**
 * Does something with parts of a file, a few at a time.
 * @template Part
 * @param {Part[]} parts
 * @param {number} most at the same time
 * @param {(part: Part) => Promise<void>} work
 */
export async function atOnce(parts, most, work) {
    const rest = parts.values();
    const next = async () => {
        for (const part of rest) await work(part);
    };
    await Promise.all(Array.from({ length: most }, next));
}

/** @type {(() => void)[]} */
const waiting = [];
/** Each message to it lets one go on that waits. @type {MessagePort | undefined} */
let port;

function opened() {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => waiting.shift()?.();
    return port2;
}

/**
 * Lets messages in that have arrived meanwhile. Unlike a timer, it does not wait for longer than that.
 * @returns {Promise<void>}
 */
export function breathe() {
    return new Promise((resolve) => {
        waiting.push(resolve);
        (port ??= opened()).postMessage(null);
    });
}
