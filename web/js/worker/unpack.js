// Unpacking: the browser unpacks gzip; a wasm module, loaded when first needed, unpacks the rest.

import { lazily } from "./lazily.js";
import { holdOn, letGo } from "./reading.js";
import { Unreadable } from "./unreadable.js";

/** Unpacked bytes given at a time. */
const PIECE = 1 << 20;

/**
 * A gzip file of one member. Throws a TypeError where it cannot go on.
 * @param {Blob} blob
 * @param {(bytes: number) => void} used gets the number of bytes of the file that have been read
 */
export async function* gunzipped(blob, used) {
    let bytes = 0;
    /** @type {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
    const counted = new TransformStream({
        transform(chunk, controller) {
            bytes += chunk.length;
            used(bytes);
            controller.enqueue(chunk);
        },
    });
    const reader = holdOn(blob.stream().pipeThrough(counted).pipeThrough(new DecompressionStream("gzip")).getReader());
    const piece = new Uint8Array(PIECE);
    let filled = 0;
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            for (let at = 0; at < value.length; ) {
                const part = value.subarray(at, at + PIECE - filled);
                piece.set(part, filled);
                filled += part.length;
                at += part.length;
                if (filled < PIECE) continue;
                yield piece;
                filled = 0;
            }
        }
    } finally {
        letGo(reader);
    }
    if (filled > 0) yield piece.subarray(0, filled);
}

const loaded = lazily(() => import("../../wasm/ghc-eventlog-unpack-wasm.js"));

export class Unpacker {
    /** @type {import("../../wasm/ghc-eventlog-unpack-wasm.js").Unpacker} */
    #unpacker;
    /** Why the file itself could not be read. @type {unknown} */
    #trouble = null;
    /** @type {number | undefined} */
    #entry;
    /** Most entries of an archive to look into. */
    #looks;

    /** @param {Blob} blob compressed, or an archive */
    static async of(blob) {
        return new Unpacker(blob, await loaded());
    }

    /**
     * @param {Blob} blob
     * @param {typeof import("../../wasm/ghc-eventlog-unpack-wasm.js")} module
     */
    constructor(blob, module) {
        const reader = new FileReaderSync();
        /**
         * @param {number} offset
         * @param {number} length
         */
        const read = (offset, length) => {
            try {
                return new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + length)));
            } catch (error) {
                this.#trouble = error;
                throw error;
            }
        };
        this.#looks = module.Unpacker.most_peeks();
        this.#unpacker = this.#explained(() => new module.Unpacker(read, blob.size));
    }

    /** Bytes of the file used so far. */
    get used() {
        return this.#unpacker.used();
    }

    get broken() {
        return this.#unpacker.broken() ?? "";
    }

    /**
     * Looks for the logs of an archive in a few more of its entries.
     * @param {number} entries
     * @returns {boolean} whether the search is over
     */
    search(entries) {
        return this.#explained(() => this.#unpacker.search(entries));
    }

    /**
     * The logs found in an archive: how many have this text in their names, and the first of these.
     * @param {string} text
     * @param {number} most
     */
    logs(text, most) {
        /** @type {[number, [number, string, number][]]} */
        const [count, listed] = /** @type {any} */ (this.#unpacker.logs(text, most));
        return { count, entries: listed.map(([index, name, size]) => ({ index, name, size })) };
    }

    /** The error for an archive in which no log was found. */
    get noLog() {
        const [entries, most] = [this.#unpacker.entries() ?? 0, this.#looks];
        if (entries <= most) return "none of the zip archive's entries is an eventlog";
        return `none of the zip archive's ${entries} entries is named like an eventlog (.eventlog, .eventlog.gz, .eventlog.zst), and none of the ${most} largest is one`;
    }

    /** @param {number} entry of the archive */
    choose(entry) {
        this.#entry = entry;
    }

    async *pieces() {
        this.#explained(() => this.#unpacker.open(this.#entry));
        for (;;) {
            const piece = this.#explained(() => this.#unpacker.next(PIECE));
            if (this.#trouble) throw this.#trouble;
            if (!piece) return;
            yield piece;
        }
    }

    /**
     * The module throws its errors as text for users; but if the file itself could not be read, throws that error instead.
     * @template T
     * @param {() => T} work
     * @returns {T}
     */
    #explained(work) {
        try {
            return work();
        } catch (error) {
            if (this.#trouble) throw this.#trouble;
            throw typeof error === "string" ? new Unreadable(error) : error;
        }
    }
}
