// Reading ahead in a second worker. Firefox gives a file's stream in pieces of 64 KiB. Each takes a turn of the event loop of the thread
// that decodes: 16 000 turns for 1 GB. So a second worker reads them, and hands over buffers of a few MiB.

import { BUFFERS, PIECE } from "./buffers.js";

/** There can be no second worker, for example because the content security policy of the page's host forbids it. */
export class NoHelper extends Error {}

/**
 * The code of the second worker. It is sent there as text, so it cannot use anything from outside of this function. Each file has a number.
 * For each file, the worker gets the blob first; then buffers to fill, which it sends back with the number of bytes in them (0 after the
 * end of the file); then a message with neither when no more is wanted. Message ports would be tidier, but Firefox copies what is sent
 * through them.
 */
function helper() {
    /**
     * @type {Map<number, { reader: ReadableStreamBYOBReader, last: Promise<void> }>} `last`: resolves when the buffer before has been sent
     *     back
     */
    const files = new Map();
    /**
     * @param {number} file
     * @param {ReadableStreamBYOBReader} reader
     * @param {ArrayBuffer} buffer
     */
    const fill = async (file, reader, buffer) => {
        let length = 0;
        for (let ended = false; !ended && length < buffer.byteLength; ) {
            const { done, value } = await reader.read(new Uint8Array(buffer, length));
            if (value) [buffer, length] = [value.buffer, length + value.length];
            ended = done;
        }
        self.postMessage({ file, buffer, length }, { transfer: [buffer] });
    };
    self.onmessage = ({ data: { file, blob, buffer } }) => {
        if (blob) files.set(file, { reader: blob.stream().getReader({ mode: "byob" }), last: Promise.resolve() });
        const reading = files.get(file);
        if (!reading || blob) return;
        if (!buffer) {
            files.delete(file);
            reading.reader.cancel().catch(() => {});
            return;
        }
        /** @param {Error} error */
        const failed = ({ name, message }) => self.postMessage({ file, trouble: { name, message } });
        reading.last = reading.last.then(() => fill(file, reading.reader, buffer)).catch(failed);
    };
}

/** @typedef {{ file: number, buffer: ArrayBuffer, length: number, trouble?: { name: string, message: string } }} Filled */
/** @typedef {{ take: (filled: Filled) => void, fail: (error: Error) => void }} Reading */

/** The files that are being read, by their numbers. @type {Map<number, Reading>} */
const readings = new Map();
let lastFile = 0;

/**
 * The second worker, once there is one. It is never ended: when one is started and ended for each file, the first worker hangs for good in
 * Firefox after some hundred files (measured).
 * @type {{ worker: Worker, gone: boolean } | null}
 */
let second = null;

/** @returns {{ worker: Worker, gone: boolean }} */
function started() {
    if (second) return second;
    const worker = new Worker(URL.createObjectURL(new Blob([`(${helper})()`], { type: "text/javascript" })));
    const mine = { worker, gone: false };
    worker.onerror = (event) => {
        event.preventDefault();
        mine.gone = true;
        for (const { fail } of readings.values()) fail(new NoHelper());
    };
    worker.onmessage = ({ data }) => readings.get(data.file)?.take(data);
    second = mine;
    return mine;
}

/**
 * The pieces of a blob, in order. Each is valid until the next one is asked for.
 * @param {Blob} blob
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>, void, void>}
 */
export async function* readAhead(blob) {
    const { send, next, end } = readingOf(blob);
    try {
        for (let count = 0; count < BUFFERS; count++) send(new ArrayBuffer(PIECE));
        for (;;) {
            const { buffer, length, trouble } = await next();
            if (trouble) throw new DOMException(trouble.message, trouble.name);
            if (length === 0) return;
            yield new Uint8Array(buffer, 0, length);
            send(buffer);
        }
    } finally {
        end();
    }
}

/**
 * A file that the second worker reads; gives the buffers that come from there, one after the other.
 * @param {Blob} blob
 */
function readingOf(blob) {
    const there = helperOrNone();
    const file = ++lastFile;
    /** Buffers that have come before they were asked for. @type {Filled[]} */
    const come = [];
    /** Who waits for the next buffer. @type {Reading | null} */
    let asking = null;
    readings.set(file, {
        take: (filled) => {
            if (asking) asking.take(filled);
            else come.push(filled);
            asking = null;
        },
        fail: (error) => asking?.fail(error),
    });
    there.worker.postMessage({ file, blob });
    /** @param {ArrayBuffer} buffer */
    const send = (buffer) => there.worker.postMessage({ file, buffer }, [buffer]);
    /** @returns {Promise<Filled>} */
    const next = () => {
        const filled = come.shift();
        if (filled) return Promise.resolve(filled);
        if (there.gone) return Promise.reject(new NoHelper());
        return new Promise((take, fail) => (asking = { take, fail }));
    };
    const end = () => {
        readings.delete(file);
        there.worker.postMessage({ file });
    };
    return { send, next, end };
}

/** Some browsers refuse at once, others report an error later. */
function helperOrNone() {
    try {
        return started();
    } catch {
        throw new NoHelper();
    }
}
