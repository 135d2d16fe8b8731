// Reading ahead in a second worker. Firefox gives a file's stream in pieces of 64 KiB, each of which takes a turn of the thread
// that decodes: 16 000 turns in 1 GB. A thread of its own takes them, and hands over buffers of a few MiB.

/** Bytes of a buffer. */
const PIECE = 4 << 20;

/** How many buffers are filled, on their way, or in use. */
const BUFFERS = 3;

/** There is no second worker: a policy of the page's host forbids it, say. */
export class NoHelper extends Error {}

/**
 * What the second worker runs: its text goes there, so nothing from outside of it can be used here. For each file it gets the
 * blob, and a port: by that come buffers to fill, which go back with the number of bytes in them, none after the file's last
 * ones; and "end" when no more is wanted.
 */
function helper() {
    /** The ports in use, which nothing else refers to. @type {Set<MessagePort>} */
    const open = new Set();
    self.onmessage = ({ data: blob, ports: [port] }) => {
        const reader = blob.stream().getReader({ mode: "byob" });
        /** Settled once the buffer before has been sent back. */
        let last = Promise.resolve();
        /** @param {ArrayBuffer} buffer */
        const fill = async (buffer) => {
            let length = 0;
            for (let ended = false; !ended && length < buffer.byteLength; ) {
                const { done, value } = await reader.read(new Uint8Array(buffer, length));
                if (value) [buffer, length] = [value.buffer, length + value.length];
                ended = done;
            }
            port.postMessage({ buffer, length }, { transfer: [buffer] });
        };
        /** @param {Error} error */
        const failed = ({ name, message }) => port.postMessage({ trouble: { name, message } });
        const end = () => {
            open.delete(port);
            port.close();
            reader.cancel().catch(() => {});
        };
        open.add(port);
        port.onmessage = ({ data }) => {
            if (data !== "end") last = last.then(() => fill(data)).catch(failed);
            else end();
        };
    };
}

/** @typedef {{ buffer: ArrayBuffer, length: number, trouble?: { name: string, message: string } }} Filled */
/** @typedef {{ take: (filled: Filled) => void, fail: (error: Error) => void }} Waiting */

/** Those who wait for what the second worker sends next. @type {Set<Waiting>} */
const waiting = new Set();

/**
 * The second worker, once there is one. It stays: where one is started and ended for each file, Firefox's own worker stands
 * still for good after some hundred files (measured).
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
        for (const { fail } of waiting) fail(new NoHelper());
    };
    second = mine;
    return mine;
}

/**
 * The pieces of a blob, in order; each holds until the next one.
 * @param {Blob} blob
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>, void, void>}
 */
export async function* readAhead(blob) {
    const { port, next, end } = readingOf(blob);
    try {
        for (let count = 0; count < BUFFERS; count++) port.postMessage(new ArrayBuffer(PIECE));
        for (;;) {
            const { buffer, length, trouble } = await next();
            if (trouble) throw new DOMException(trouble.message, trouble.name);
            if (length === 0) return;
            yield new Uint8Array(buffer, 0, length);
            port.postMessage(buffer, [buffer]);
        }
    } finally {
        end();
    }
}

/**
 * A line to the second worker for one file, and what comes from there, one after the other.
 * @param {Blob} blob
 */
function readingOf(blob) {
    const there = helperOrNone();
    const { port1: port, port2 } = new MessageChannel();
    there.worker.postMessage(blob, [port2]);
    /** What has come and is not asked for yet. @type {Filled[]} */
    const come = [];
    /** @type {Waiting | null} */
    let asking = null;
    const settle = () => {
        if (asking) waiting.delete(asking);
        asking = null;
    };
    port.onmessage = ({ data }) => {
        if (!asking) return void come.push(data);
        asking.take(data);
        settle();
    };
    /** @returns {Promise<Filled>} */
    const next = () => {
        const filled = come.shift();
        if (filled) return Promise.resolve(filled);
        if (there.gone) return Promise.reject(new NoHelper());
        return new Promise((take, fail) => waiting.add((asking = { take, fail })));
    };
    const end = () => {
        settle();
        port.postMessage("end");
        port.close();
    };
    return { port, next, end };
}

/** Some browsers refuse at once, others tell later. */
function helperOrNone() {
    try {
        return started();
    } catch {
        throw new NoHelper();
    }
}
