// Reads a file: from front to back, reading the next piece while the last one is used; or parts of it, a few at a time.

import { NoHelper, readAhead } from "./ahead.js";
import { Buffers, BUFFERS, PIECE } from "./buffers.js";

/**
 * The streams being read. Chromium collects a stream as garbage if only the promise of its next bytes refers to it, and those bytes then
 * never come: without this set, most readings of 5 GB stopped somewhere.
 * @type {Set<{ cancel: () => Promise<void> }>}
 */
const underWay = new Set();

/**
 * Keeps a stream's reader alive while the stream is read.
 * @template {{ cancel: () => Promise<void> }} Reader
 * @param {Reader} reader
 */
export function holdOn(reader) {
    underWay.add(reader);
    return reader;
}

/**
 * Releases a stream, whether it has been read to its end or not.
 * @param {{ cancel: () => Promise<void> }} reader
 */
export function letGo(reader) {
    underWay.delete(reader);
    reader.cancel().catch(() => {});
}

/**
 * If none of a stream's first `TRIED` pieces is larger than this, the stream counts as one of small pieces. Firefox never gives more at a
 * time; Chromium gives whatever has come meanwhile.
 */
const SMALL = 64 << 10;
const TRIED = 64;

/** Whether to read ranges by streams: where streams come in small pieces, slices are faster. */
let streams = true;

/** Fewest bytes that are worth starting a second worker for. */
const WORTH = 16 << 20;

/**
 * The pieces of a blob, in order; each is valid until the next one. Byte streams into our own buffers are fastest, where browsers have them
 * and they do not come in small pieces; slices work everywhere.
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
 * Fails if a file has changed. A stream goes on in a file that has changed meanwhile, and ends where that file ends now; only a slice
 * fails.
 * @param {Blob} blob
 * @param {number} offset of one byte that the file must have
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
 * Pieces read by a second worker, or by this one where there can be no second one.
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
 * A few buffers take turns: while one is used, the others are filled, so that neither reading nor decoding waits for the other.
 * @param {ReadableStreamBYOBReader} reader
 */
async function* fromStream(reader) {
    /** @param {Uint8Array<ArrayBuffer>} buffer */
    const fill = (buffer) => {
        const filled = reader.read(buffer);
        // A read may fail before it is awaited, and must not count as unhandled then.
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
 * A stream's error, turned into that of a slice: if a file is cut short while it is read, Chromium has "TypeError: network error".
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

/** Shorter ranges are read as slices: a stream would cost more than a new buffer. */
const STREAMED = 64 << 10;

/**
 * One range of a blob.
 * @param {Blob} blob
 * @param {number} offset
 * @param {number} length
 * @returns {Promise<Uint8Array<ArrayBuffer>>} fewer bytes at the end of the file; when they are no longer needed, the caller may `giveBack`
 *     them
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
 * The bytes of a range are no longer needed: another range may be read into their buffer.
 * @param {Uint8Array} bytes
 */
export function giveBack(bytes) {
    buffers.giveBack(bytes);
}

/** @param {boolean} areOpen whether any log is open, so that another part may be read */
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
 * Does something for each part of a file, a few at a time.
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
/** Each message to this port resumes one waiting `breathe`. @type {MessagePort | undefined} */
let port;

function opened() {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => waiting.shift()?.();
    return port2;
}

/**
 * Lets the messages in that have arrived meanwhile. Unlike a timer, it waits no longer than that takes.
 * @returns {Promise<void>}
 */
export function breathe() {
    return new Promise((resolve) => {
        waiting.push(resolve);
        (port ??= opened()).postMessage(null);
    });
}
