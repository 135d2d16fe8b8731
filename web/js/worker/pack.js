// Saving a log. For a saved page: the log without what the user leaves out, compressed by gzip, as base64; and its summary. Also its
// profiles, in the formats of other tools.

import { drive } from "./driver.js";
import { lazily } from "./lazily.js";
import { holdOn, letGo } from "./reading.js";
import { Unreadable } from "./unreadable.js";
import { MOST_SAVED } from "../protocol.js";

/** Bytes of the log that are read at a time. */
const PIECE = 1 << 20;

/** Bytes written as base64 at a time: a multiple of three. */
const STEP = 3 << 13;

/** Texts of base64 that are handed to the browser at a time; it keeps blobs outside of the page's memory. */
const TEXTS = 32;

/** The error for a log that is too long for a page. */
const TOO_LONG = `compressed, it takes more than ${MOST_SAVED / 1e6} MB. On the command line, ghc-eventlog report makes a page with the log in a file beside it`;

/** @typedef {import("../wishes.js").PackWish} PackWish */
/** @typedef {import("../../wasm/ghc-eventlog-report-wasm.js").Saving} Saving */
/** @typedef {import("./opening.js").Opening} Opening */

const loaded = lazily(() => import("../../wasm/ghc-eventlog-report-wasm.js"));

/**
 * Packs a log.
 * @param {Opening} opening
 * @param {PackWish} wish
 * @param {import("./answers.js").Call<"pack">} call
 * @returns {Promise<import("../protocol.js").Packed | null>}
 */
export function pack(opening, wish, call) {
    return orWhyNot(call, async () => (await saved(originalOf(opening, call), wish)) ?? { error: TOO_LONG });
}

/**
 * Writes one of a log's profiles.
 * @param {Opening} opening
 * @param {{ format: string, name: string }} wish
 * @param {import("./answers.js").Call<"exportAs">} call
 * @returns {Promise<import("../protocol.js").Exported | null>}
 */
export function exportProfile(opening, wish, call) {
    return orWhyNot(call, () => exported(originalOf(opening, call), wish));
}

/**
 * Makes something of a log, or says why that fails.
 * @template Made
 * @param {{ isOver: () => boolean }} call
 * @param {() => Promise<Made>} make
 * @returns {Promise<Made | { error: string } | null>} null if it is no longer wanted
 */
async function orWhyNot({ isOver }, make) {
    try {
        return await make();
    } catch (error) {
        return isOver() ? null : { error: reason(error) };
    }
}

/**
 * Why a log cannot be packed.
 * @param {unknown} error
 */
function reason(error) {
    if (error instanceof Unreadable) return error.message;
    if (error instanceof DOMException) return `the file was changed or removed after it was opened (${error.name})`;
    throw error;
}

/**
 * The log that is copied.
 * @typedef {object} Original
 * @property {number} size in bytes
 * @property {(take: (bytes: Uint8Array) => void | Promise<void>) => Promise<unknown>} read reads all of it, piece by piece
 */

/**
 * @param {Opening} opening
 * @param {{ isOver: () => boolean, meanwhile: (share: number) => void }} call `meanwhile` gets the share that has been read
 * @returns {Original}
 */
function originalOf({ source, log, parts }, { isOver, meanwhile }) {
    meanwhile(0);
    // If the log was compressed, was not read to its end, or came from a server that did not send its size, only the part that is shown is
    // copied.
    const isWhole = !source.packed && source.size > 0 && source.used >= source.size;
    const size = isWhole ? source.size : log.status().offset;
    return {
        size,
        read: (take) => {
            let at = 0;
            return drive(
                {
                    wants: () => ({ reads: at < size ? [[at, Math.min(PIECE, size - at)]] : [] }),
                    give: async (_, bytes) => {
                        at += bytes.length;
                        meanwhile(at / size);
                        await take(bytes);
                        return true;
                    },
                },
                parts.reader(isOver),
            );
        },
    };
}

/**
 * @param {Original} original
 * @param {PackWish} wish
 * @returns {Promise<import("../protocol.js").Packed | null>} null if it is too long for a page
 */
async function saved(original, { env, words, name, palette }) {
    const saving = await begun(original.size, env, words);
    const gzip = new CompressionStream("gzip");
    const copying = copy(original, saving, gzip.writable.getWriter());
    // If copying fails, the stream fails with the same error.
    copying.catch(() => {});
    try {
        const base64 = await packed(gzip.readable);
        return base64 && { base64, article: saving.article(name, palette) };
    } finally {
        await copying.catch(() => {});
        saving.free();
    }
}

/**
 * @param {Original} original
 * @param {{ format: string, name: string }} wish
 * @returns {Promise<import("../protocol.js").Exported>}
 */
async function exported(original, { format, name }) {
    const { Exporting } = await module();
    const exporting = Exporting.of(format, name);
    if (!exporting) throw new Error(`no such format: ${format}`);
    try {
        /** @type {Blob[]} */
        const parts = [];
        /** @type {Uint8Array<ArrayBuffer>[]} */
        const texts = [];
        const add = (/** @type {Uint8Array} */ text) => {
            if (text.length > 0) texts.push(/** @type {Uint8Array<ArrayBuffer>} */ (text));
            // The browser keeps blobs outside of the page's memory.
            if (texts.length >= TEXTS) parts.push(new Blob(texts.splice(0)));
        };
        do await original.read((bytes) => add(exporting.feed(bytes)));
        while (goesOn(exporting));
        add(exporting.finish());
        return { file: new Blob([...parts, ...texts]), ending: exporting.ending() };
    } finally {
        exporting.free();
    }
}

/** @param {import("../../wasm/ghc-eventlog-report-wasm.js").Exporting} exporting */
function goesOn(exporting) {
    try {
        return exporting.goes_on();
    } catch (error) {
        // The error says what the log lacks.
        throw new Unreadable(String(error));
    }
}

/**
 * @param {number} size
 * @param {boolean} env
 * @param {string} words
 */
async function begun(size, env, words) {
    const { Saving } = await module();
    return new Saving(size, env, words);
}

async function module() {
    try {
        return await loaded();
    } catch {
        throw new Unreadable("the part of the viewer that saves pages and profiles could not be loaded");
    }
}

/**
 * Writes the log's bytes in the form that a saved page contains.
 * @param {Original} original
 * @param {Saving} saving
 * @param {WritableStreamDefaultWriter<BufferSource>} writer
 */
async function copy(original, saving, writer) {
    /** @param {Uint8Array} bytes */
    const write = (bytes) => writer.write(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
    try {
        await original.read((bytes) => write(saving.feed(bytes)));
        await write(saving.finish());
        await writer.close();
    } catch (error) {
        await writer.abort(error).catch(() => {});
        throw error;
    }
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} bytes of gzip
 * @returns {Promise<Blob | null>} null if it is too long for a page
 */
async function packed(bytes) {
    const reader = holdOn(bytes.getReader());
    const base64 = new Base64();
    try {
        for (let length = 0; ; ) {
            const { done, value } = await reader.read();
            if (done) return base64.end();
            length += value.length;
            if (length > MOST_SAVED) return null;
            base64.add(value);
        }
    } finally {
        letGo(reader);
    }
}

/** Bytes as base64. */
class Base64 {
    #bytes = new Uint8Array(STEP);
    #filled = 0;
    /** @type {string[]} */
    #texts = [];
    /** @type {Blob[]} */
    #parts = [];

    /** @param {Uint8Array} bytes */
    add(bytes) {
        for (let at = 0; at < bytes.length; ) {
            const part = bytes.subarray(at, at + STEP - this.#filled);
            this.#bytes.set(part, this.#filled);
            this.#filled += part.length;
            at += part.length;
            if (this.#filled === STEP) this.#write();
        }
    }

    end() {
        this.#write();
        return new Blob([...this.#parts, ...this.#texts]);
    }

    #write() {
        this.#texts.push(btoa(String.fromCharCode(...this.#bytes.subarray(0, this.#filled))));
        this.#filled = 0;
        if (this.#texts.length < TEXTS) return;
        this.#parts.push(new Blob(this.#texts));
        this.#texts = [];
    }
}
