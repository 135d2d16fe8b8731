// A log on a server. It is read once, in a stream; what must be read again is asked for in parts where the server gives such, and
// else comes from a copy.

import { Copy } from "./copy.js";
import { Unreadable } from "./unreadable.js";
import { Broken, pauses, sleep } from "./remote/connection.js";
import { RemoteFile } from "./remote/file.js";
import { isWebPage, webPage } from "./remote/answer.js";
import { isPacked } from "./source.js";
import { urlOf } from "../url.js";

/** A log of up to this many bytes is kept: asking the server again would take longer than looking there. */
const SMALL = 16 << 20;

/** Bytes that tell what a file is. */
const HEAD = 512;

/** The interval between two reports of progress, in ms. */
const PROGRESS = 100;

/** Who waits for leave to ask another server, by opening. @type {Map<number, () => void>} */
const waiting = new Map();

/** @param {number} opening the user agrees to asking that server */
export function allow(opening) {
    waiting.get(opening)?.();
}

/**
 * @param {Extract<import("../protocol.js").Request, { kind: "load" }>} request
 * @param {AbortSignal} signal the log is not wanted any more
 * @param {(reply: import("../protocol.js").Reply) => void} tell
 * @returns {Promise<import("./source.js").Source | Blob>} the whole file if it must be unpacked
 */
export async function load({ opening, url, asks }, signal, tell) {
    /** @param {string} host */
    const agreed = (host) => {
        tell({ kind: "ask", opening, host });
        return new Promise((/** @type {(_: void) => void} */ resolve) => waiting.set(opening, resolve));
    };
    signal.addEventListener("abort", () => waiting.delete(opening));
    const file = new RemoteFile(checked(url), asks ? agreed : null, signal);
    const connection = await file.whole();
    /** @param {number | null} retryIn */
    const progress = (retryIn) => tell({ kind: "loading", opening, read: log.come, size: log.size, retryIn });
    const log = new RemoteLog(file, connection, progress);
    const head = await log.head();
    if (isPacked(head)) return downloaded(log, () => progress(null));
    if (isWebPage(connection.response, head)) throw webPage(new URL(connection.response.url));
    if (file.size <= SMALL || !(await file.givesParts())) log.keep();
    return log;
}

/** @param {string} address anybody's */
function checked(address) {
    const url = urlOf(address);
    if (!url) throw new Unreadable("this is no address");
    if (!/^https?:$/.test(url.protocol)) throw new Unreadable("logs are loaded from addresses that begin with https or http only");
    if (url.username || url.password) throw new Unreadable("there is a user name or a password in its address, which the viewer does not send");
    return url;
}

/**
 * @param {RemoteLog} log
 * @param {() => void} progress
 */
async function downloaded(log, progress) {
    const copy = new Copy();
    let told = 0;
    for await (const piece of log.pieces()) {
        await copy.add(piece);
        if (log.used > Copy.LIMIT) throw new Unreadable(`compressed logs are loaded up to ${Copy.LIMIT / 2 ** 30} GiB; download it and drop it here`);
        if (performance.now() < told + PROGRESS) continue;
        told = performance.now();
        progress();
    }
    return copy.blob();
}

/** A log that is read from a server. */
class RemoteLog {
    packed = false;
    broken = "";
    used = 0;
    /** Bytes that have come, of which some may not have been read yet. */
    come = 0;
    /** @type {Copy | null} */
    #copy = null;
    /** The first pieces, read to recognise the format, and read once more with the others. @type {Uint8Array[]} */
    #begin = [];
    #file;
    #stream;
    #retrying;

    /**
     * @param {RemoteFile} file
     * @param {import("./remote/connection.js").Connection} connection to its first byte
     * @param {(retryIn: number | null) => void} retrying
     */
    constructor(file, connection, retrying) {
        this.#file = file;
        this.#stream = this.#streamed(connection);
        this.#retrying = retrying;
    }

    /** What the server says is not the log's size if it has compressed it on the way, which it may not tell. */
    get size() {
        return this.come > this.#file.size ? 0 : this.#file.size;
    }

    get seekable() {
        return !this.#copy;
    }

    stop() {
        this.#file.stop();
    }

    /** Has a copy made of what is read. */
    keep() {
        this.#copy = new Copy();
    }

    /** The first bytes, which are read once more with the others. */
    async head() {
        for (let next; this.come < HEAD && !(next = await this.#stream.next()).done; ) this.#begin.push(next.value.slice());
        return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (this.#begin)).slice(0, HEAD).arrayBuffer());
    }

    async *pieces() {
        for await (const piece of this.#all()) {
            await this.#copy?.add(piece);
            this.used += piece.length;
            yield piece;
        }
    }

    async *#all() {
        yield* this.#begin;
        this.#begin = [];
        yield* this.#stream;
    }

    /**
     * All that comes, over as many connections as that takes, until it is stopped.
     * @param {import("./remote/connection.js").Connection} connection
     */
    async *#streamed(connection) {
        try {
            yield* this.#lasting(connection);
        } catch (error) {
            if (!this.#file.isStopped) throw error;
        }
    }

    /** @param {import("./remote/connection.js").Connection} connection */
    async *#lasting(connection) {
        let left = pauses();
        for (;;) {
            try {
                for await (const piece of connection.pieces()) {
                    left = pauses();
                    this.come += piece.length;
                    yield piece;
                }
                if (this.come >= this.#file.size) return;
            } catch (error) {
                if (!(error instanceof Broken)) throw error;
            }
            connection = await this.#again(left);
        }
    }

    /**
     * Goes on where the last connection broke.
     * @param {IterableIterator<number>} left pauses before it is tried again
     */
    async #again(left) {
        if (!this.#file.canGoOn) {
            throw new Unreadable(`the connection broke at byte ${this.come}, and the server cannot go on from there. Open it again to see all of it`);
        }
        for (const pause of left) {
            this.#retrying(pause);
            await sleep(pause, this.#file.streaming);
            try {
                const connection = await this.#file.part(this.come, this.#file.size, this.#file.streaming);
                this.#retrying(null);
                return connection;
            } catch (error) {
                if (!(error instanceof Broken)) throw error;
            }
        }
        throw new Unreadable(`the connection broke at byte ${this.come}, and could not be made again. Open it again to see all of it`);
    }

    /**
     * @param {number} offset
     * @param {number} length
     * @param {() => boolean} [unwanted]
     */
    async range(offset, length, unwanted) {
        const end = Math.min(offset + length, this.#file.size);
        if (!this.#copy) return end > offset ? this.#file.bytes(offset, end, unwanted) : new Uint8Array();
        const bytes = await this.#copy.range(offset, length);
        if (bytes) return bytes;
        throw new Unreadable(`only the first ${Copy.LIMIT / 2 ** 30} GiB of a log can be seen closely whose server sends whole files only; download it and drop it here`);
    }
}
