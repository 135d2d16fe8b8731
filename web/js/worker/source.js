// Where a log's bytes come from: a file as it is, or one that must be unpacked first; or a server (remote.js).

import { Copy } from "./copy.js";
import { Unreadable } from "./unreadable.js";
import { gunzipped, Unpacker } from "./unpack.js";
import { breathe, pieces, range } from "./reading.js";

/**
 * @typedef {object} Source
 * @property {boolean} packed
 * @property {boolean} seekable whether any part can be read at any time
 * @property {number} size bytes of the file; 0 as long as nobody knows
 * @property {number} used bytes of the file that have been read
 * @property {string} broken what ended the unpacking before the log was over
 * @property {() => AsyncIterable<Uint8Array>} pieces the log's bytes, front to back; a piece holds until the next one
 * @property {(offset: number, length: number, unwanted?: () => boolean) => Promise<Uint8Array>} range fewer if there are no more, or
 *     if they are `unwanted` meanwhile
 * @property {(offset: number) => AsyncIterable<Uint8Array>} [from] what has been read before, once more from there on, in pieces of
 *     `PIECE` bytes at most; there is none where a server would be asked for it
 * @property {() => void} [stop] no more pieces are waited for
 */

/** @typedef {(text: string) => import("../protocol.js").Choice} List the logs of an archive with a text in their names */

/** How many of an archive's logs are listed: who has more narrows them down. */
const LISTED = 200;

/** Entries of an archive looked into without a pause: some 10 ms of work. */
const LOOKS = 20;

/**
 * What a file is, its first bytes tell, not its name.
 * @param {Blob} blob
 * @param {(list: List) => Promise<number>} choose asks which entry of an archive is meant
 * @param {() => boolean} wanted
 * @returns {Promise<Source | null>} null if it is not wanted any more
 */
export async function sourceOf(blob, choose, wanted) {
    try {
        return await stored(blob, choose, wanted);
    } catch (error) {
        // The file cannot be read at all; whoever reads it will be told the same.
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
    // Others have questions meanwhile.
    while (wanted() && !unpacker.search(LOOKS)) await breathe();
    if (!wanted()) return null;
    const { count: logs, entries } = unpacker.logs("", LISTED);
    if (logs === 0) throw new Unreadable(unpacker.noLog);
    /** @type {List} */
    const list = (text) => ({ logs, text, ...unpacker.logs(text, LISTED) });
    unpacker.choose(logs === 1 ? entries[0].index : await choose(list));
    return unpacker;
}

/** A file as it is. */
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

/**
 * What unpacks a file.
 * @typedef {{ used: number, broken: string, pieces: () => AsyncIterable<Uint8Array> }} Unpacking
 */

/** A file that is unpacked once, front to back, while a copy is made of what is unpacked, to be read again. */
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
                `only the first ${Copy.LIMIT / 2 ** 30} GiB of a compressed log can be seen closely; unpack the file to see all of it`,
            );
        return bytes;
    }

    /** @param {number} offset */
    from(offset) {
        return pieces(this.#copy.blob().slice(offset));
    }
}

/**
 * A gzip file: the browser's own decoder is the fastest, but it says little of what is wrong and knows only one member.
 * Where it gives up, the other one goes on.
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
                // What has been given already is not given again.
                const skipped = Math.min(unpacked, piece.length);
                unpacked -= skipped;
                if (skipped < piece.length) yield piece.subarray(skipped);
            }
            unpacking.broken = other.broken;
        },
    };
    return unpacking;
}
