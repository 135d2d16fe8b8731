// Where a log's bytes come from: a plain file, a file that must be unpacked, or a server (remote.js).

import { Copy } from "./copy.js";
import { Unreadable } from "./unreadable.js";
import { gunzipped, Unpacker } from "./unpack.js";
import { breathe, pieces, range } from "./reading.js";

/**
 * @typedef {object} Source
 * @property {boolean} packed
 * @property {boolean} seekable whether any part can be read at any time
 * @property {number} size bytes of the file; 0 while not known
 * @property {number} used bytes of the file that have been read
 * @property {string} broken why unpacking ended before the end of the log; empty if it did not
 * @property {() => AsyncIterable<Uint8Array>} pieces the log's bytes, front to back; a piece is valid until the next one
 * @property {(offset: number, length: number, unwanted?: () => boolean) => Promise<Uint8Array>} range fewer bytes at the end of the file,
 *     or if they become `unwanted` meanwhile
 * @property {(offset: number) => AsyncIterable<Uint8Array>} [from] reads again, from `offset` on, in pieces of `PIECE` bytes at most;
 *     undefined where that would ask a server
 * @property {() => void} [stop] called when no more pieces are wanted
 */

/** @typedef {(text: string) => import("../protocol.js").Choice} List the logs of an archive with a text in their names */

/** Most logs of an archive that are listed; with more, the user filters them. */
const LISTED = 200;

/** Entries of an archive to look into without a pause: some 10 ms of work. */
const LOOKS = 20;

/**
 * The source for a file. Its first bytes show the format, not its name.
 * @param {Blob} blob
 * @param {(list: List) => Promise<number>} choose asks the user for an entry of an archive
 * @param {() => boolean} wanted
 * @returns {Promise<Source | null>} null if it is no longer wanted
 */
export async function sourceOf(blob, choose, wanted) {
    try {
        return await stored(blob, choose, wanted);
    } catch (error) {
        // The file cannot be read at all. Reading it will fail with the same error.
        if (error instanceof DOMException) return new Plain(blob);
        throw error;
    }
}

/**
 * @param {Blob} blob
 * @param {(list: List) => Promise<number>} choose
 * @param {() => boolean} wanted
 */
async function stored(blob, choose, wanted) {
    switch (packing(await range(blob, 0, 4))) {
        case "gzip":
            return new Packed(blob.size, gzip(blob));
        case "zstd":
            return new Packed(blob.size, await Unpacker.of(blob));
        case "zip": {
            const unpacker = await entryOf(blob, choose, wanted);
            return unpacker && new Packed(blob.size, unpacker);
        }
        default:
            return new Plain(blob);
    }
}

/** @param {Uint8Array} head of a file */
function packing([a = 0, b = 0, c = 0, d = 0]) {
    const first = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    if (first >>> 16 === 0x1f8b) return "gzip";
    if (first === 0x28b52ffd || (first & 0xf0ffffff) >>> 0 === 0x502a4d18) return "zstd";
    if (first === 0x504b0304 || first === 0x504b0506) return "zip";
    return null;
}

/** @param {Uint8Array} head of a file */
export const isPacked = (head) => packing(head) !== null;

/**
 * @param {Blob} blob
 * @param {(list: List) => Promise<number>} choose
 * @param {() => boolean} wanted
 */
async function entryOf(blob, choose, wanted) {
    const unpacker = await Unpacker.of(blob);
    // Other logs may have questions to answer meanwhile.
    while (wanted() && !unpacker.search(LOOKS)) await breathe();
    if (!wanted()) return null;
    const { count: logs, entries } = unpacker.logs("", LISTED);
    if (logs === 0) throw new Unreadable(unpacker.noLog);
    /** @type {List} */
    const list = (text) => ({ logs, text, ...unpacker.logs(text, LISTED) });
    unpacker.choose(logs === 1 ? entries[0].index : await choose(list));
    return unpacker;
}

/** A plain file. */
class Plain {
    packed = false;
    seekable = true;
    used = 0;
    broken = "";

    /** @param {Blob} blob */
    constructor(blob) {
        this.blob = blob;
    }

    get size() {
        return this.blob.size;
    }

    async *pieces() {
        for await (const piece of pieces(this.blob)) {
            this.used += piece.length;
            yield piece;
        }
    }

    /**
     * @param {number} offset
     * @param {number} length
     */
    range(offset, length) {
        return range(this.blob, offset, length);
    }

    /** @param {number} offset */
    from(offset) {
        return pieces(this.blob.slice(offset));
    }
}

/** The unpacking of a file.
 * @typedef {{ used: number, broken: string, pieces: () => AsyncIterable<Uint8Array> }} Unpacking
 */

/** A file that is unpacked once, from front to back, into a copy from which parts are read again. */
class Packed {
    packed = true;
    seekable = false;
    #copy = new Copy();

    /**
     * @param {number} size the file's
     * @param {Unpacking} unpacking
     */
    constructor(size, unpacking) {
        this.size = size;
        this.unpacking = unpacking;
    }

    get used() {
        return this.unpacking.used;
    }

    get broken() {
        return this.unpacking.broken;
    }

    async *pieces() {
        for await (const piece of this.unpacking.pieces()) {
            await this.#copy.add(piece);
            yield piece;
        }
    }

    /**
     * @param {number} offset
     * @param {number} length
     */
    async range(offset, length) {
        const bytes = await this.#copy.range(offset, length);
        if (!bytes)
            throw new Unreadable(
                `only the first ${Copy.LIMIT / 2 ** 30} GiB of a compressed log can be shown in detail; unpack the file to see all of it`,
            );
        return bytes;
    }

    /** @param {number} offset */
    from(offset) {
        return pieces(this.#copy.blob().slice(offset));
    }
}

/**
 * A gzip file: the browser's own decoder is the fastest, but its errors say little, and it knows only one member. Where it gives up, the
 * wasm decoder goes on.
 * @param {Blob} blob
 * @returns {Unpacking}
 */
function gzip(blob) {
    const unpacking = {
        used: 0,
        broken: "",
        async *pieces() {
            let unpacked = 0;
            try {
                for await (const piece of gunzipped(blob, (used) => (unpacking.used = used))) {
                    unpacked += piece.length;
                    yield piece;
                }
                return;
            } catch (error) {
                if (!(error instanceof TypeError)) throw error;
            }
            const other = await Unpacker.of(blob);
            for await (const piece of other.pieces()) {
                unpacking.used = other.used;
                // Skips what was given already.
                const skipped = Math.min(unpacked, piece.length);
                unpacked -= skipped;
                if (skipped < piece.length) yield piece.subarray(skipped);
            }
            unpacking.broken = other.broken;
        },
    };
    return unpacking;
}
