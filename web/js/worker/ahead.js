// Reading ahead in a second worker. Firefox gives a file's stream in pieces of 64 KiB, each of which takes a turn of the thread
// that decodes: 16 000 turns in 1 GB. A thread of its own takes them, and hands over buffers of a few MiB.

/** Bytes of a buffer. */
const PIECE = 4 << 20;

/** How many buffers are filled, on their way, or in use. */
const BUFFERS = 3;

/**
 * The second workers that read. Nothing else need refer to one that waits for its file: it would be collected, and with it
 * what waits for that.
 * @type {Set<Worker>}
 */
const underWay = new Set();

/** There is no second worker: a policy of the page's host forbids it, say. */
export class NoHelper extends Error {}

/**
 * What the second worker runs: its text goes there, so nothing from outside of it can be used here. It gets the blob, then
 * buffers to fill, and sends each back with the number of bytes in it: none after the end.
 */
function helper() {
    /** @type {ReadableStreamBYOBReader} */
    let reader;
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
        self.postMessage({ buffer, length }, { transfer: [buffer] });
    };
    /** @param {unknown} error */
    const failed = (error) => {
        const { name, message } = /** @type {Error} */ (error);
        self.postMessage({ trouble: { name, message } });
    };
    self.onmessage = ({ data }) => {
        if (data instanceof Blob) reader = data.stream().getReader({ mode: "byob" });
        else last = last.then(() => fill(data)).catch(failed);
    };
}

/** @typedef {{ buffer: ArrayBuffer, length: number, trouble?: { name: string, message: string } }} Filled */

/**
 * The pieces of a blob, in order; each holds until the next one.
 * @param {Blob} blob
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>, void, void>}
 */
export async function* readAhead(blob) {
    const { worker, next, end } = started();
    try {
        worker.postMessage(blob);
        for (let count = 0; count < BUFFERS; count++) worker.postMessage(new ArrayBuffer(PIECE));
        for (;;) {
            const { buffer, length, trouble } = await next();
            if (trouble) throw new DOMException(trouble.message, trouble.name);
            if (length === 0) return;
            yield new Uint8Array(buffer, 0, length);
            worker.postMessage(buffer, [buffer]);
        }
    } finally {
        end();
    }
}

/** A second worker, and what it has sent, one after the other. */
function started() {
    const url = URL.createObjectURL(new Blob([`(${helper})()`], { type: "text/javascript" }));
    const worker = startedFrom(url);
    underWay.add(worker);
    /** What has come and is not asked for yet. @type {Filled[]} */
    const come = [];
    /** Who waits for what comes next. @type {{ take: (filled: Filled) => void, fail: (error: Error) => void } | null} */
    let waiting = null;
    let gone = false;
    worker.onmessage = ({ data }) => {
        if (!waiting) return void come.push(data);
        waiting.take(data);
        waiting = null;
    };
    worker.onerror = (event) => {
        event.preventDefault();
        gone = true;
        waiting?.fail(new NoHelper());
    };
    /** @returns {Promise<Filled>} */
    const next = () => {
        const filled = come.shift();
        if (filled) return Promise.resolve(filled);
        if (gone) return Promise.reject(new NoHelper());
        return new Promise((take, fail) => (waiting = { take, fail }));
    };
    const end = () => {
        underWay.delete(worker);
        worker.terminate();
        URL.revokeObjectURL(url);
    };
    return { worker, next, end };
}

/**
 * Some browsers refuse at once, others tell later.
 * @param {string} url
 */
function startedFrom(url) {
    try {
        return new Worker(url);
    } catch {
        throw new NoHelper();
    }
}
