// The log of a page that is saved: without what is not to be told, packed by gzip, and that as base64.

import { holdOn, letGo } from "./reading.js";
import { loaded } from "./unpack.js";
import { Unreadable } from "./unreadable.js";
import { MOST_SAVED } from "../protocol.js";

/** Bytes of the log that are read at a time. */
const PIECE = 1 << 20;

/** Bytes written as base64 at a time: a multiple of three. */
const STEP = 3 << 13;

/** Texts of base64 that are given to the browser at a time, which keeps them elsewhere. */
const TEXTS = 32;

/** What is said of a log that no page can hold. */
const TOO_LONG = `packed it takes more than ${MOST_SAVED / 1e6} MB. On the command line, ghc-eventlog report makes a page that has it beside itself`;

/** @typedef {{ source: import("./source.js").Source, size: number, env: boolean }} Wanted `size` of the log in bytes, `env`: with its environment */

/** Nobody waits for it any more. */
class GivenUp extends Error {}

/** Which question is to be answered; 0 for none. */
let asked = 0;

/**
 * Packs a log, and answers with it.
 * @param {Extract<import("../protocol.js").Request, { kind: "pack" }>} request
 * @param {Map<number, import("./opening.js").Opening>} openings
 * @param {(reply: import("../protocol.js").Reply) => void} tell
 */
export async function pack({ opening: number, id, env }, openings, tell) {
    asked = id;
    const opening = openings.get(number);
    const goOn = (/** @type {number} */ share) => {
        if (asked !== id || !opening || openings.get(number) !== opening) throw new GivenUp();
        tell({ kind: "packing", opening: number, share });
    };
    /** @type {import("../protocol.js").Packed | null} */
    let answer = null;
    try {
        goOn(0);
        const { source, log } = /** @type {import("./opening.js").Opening} */ (opening);
        // Of one that was packed, was not read to its end, or came from a server that did not tell its size, what is shown of it.
        const isWhole = !source.packed && source.size > 0 && source.used >= source.size;
        const base64 = await packed({ source, env, size: isWhole ? source.size : log.status().offset }, goOn, () => asked !== id);
        answer = base64 ? { base64 } : { error: TOO_LONG };
    } catch (error) {
        const isOpen = openings.get(number) === opening;
        if (isOpen && !(error instanceof GivenUp)) answer = { error: reason(error) };
    }
    tell({ kind: "packed", id, packed: answer });
}

/** What is being packed is no longer wanted. */
export function giveUp() {
    asked = 0;
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
 * @param {Wanted} log
 * @param {(share: number) => void} goOn is told how much has been read, and throws if it is no longer wanted
 * @param {() => boolean} unwanted
 * @returns {Promise<Blob | null>} null if it takes more than a page may have
 */
async function packed(log, goOn, unwanted) {
    const reader = holdOn((await bytesOf(log, goOn, unwanted)).pipeThrough(new CompressionStream("gzip")).getReader());
    const base64 = new Base64();
    try {
        for (let bytes = 0; ; ) {
            const { done, value } = await reader.read();
            if (done) return base64.end();
            bytes += value.length;
            if (bytes > MOST_SAVED) return null;
            base64.add(value);
        }
    } finally {
        letGo(reader);
    }
}

/**
 * A log's bytes, without the environment unless that is wanted.
 * @param {Wanted} log
 * @param {(share: number) => void} goOn
 * @param {() => boolean} unwanted
 * @returns {Promise<ReadableStream<Uint8Array<ArrayBuffer>>>}
 */
async function bytesOf({ source, size, env }, goOn, unwanted) {
    const copy = env ? null : await withoutEnvironment();
    let at = 0;
    return new ReadableStream({
        async pull(controller) {
            const bytes = at < size ? await source.range(at, Math.min(PIECE, size - at), unwanted) : new Uint8Array();
            at += bytes.length;
            goOn(at / size);
            const told = copy && (bytes.length > 0 ? copy.feed(bytes) : copy.finish());
            const given = /** @type {Uint8Array<ArrayBuffer>} */ (told ?? bytes);
            // Nothing may be ready yet, and then it is asked for the next bytes only when something has come.
            if (given.length > 0 || bytes.length > 0) controller.enqueue(given);
            if (bytes.length === 0) {
                copy?.free();
                controller.close();
            }
        },
        cancel: () => copy?.free(),
    });
}

async function withoutEnvironment() {
    try {
        const { WithoutEnvironment } = await loaded();
        return new WithoutEnvironment();
    } catch {
        throw new Unreadable("the part of the viewer that leaves out the environment could not be loaded");
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
