// What is saved of a log. Of a page that has it: the log without what is not to be told, packed by gzip, and that as base64; and what it
// says. And its profiles, as other tools read them.

import { lazily } from "./lazily.js";
import { giveBack, holdOn, letGo } from "./reading.js";
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

/** @typedef {Extract<import("../protocol.js").Request, { kind: "pack" }>} Wanted */
/** @typedef {Extract<import("../protocol.js").Request, { kind: "export" }>} WantedProfile */
/** @typedef {import("../../wasm/ghc-eventlog-report-wasm.js").Saving} Saving */

const loaded = lazily(() => import("../../wasm/ghc-eventlog-report-wasm.js"));

/** Nobody waits for it any more. */
class GivenUp extends Error {}

/** Which question is to be answered; 0 for none. */
let asked = 0;

/**
 * Packs a log, and answers with it.
 * @param {Wanted} wanted
 * @param {Map<number, import("./opening.js").Opening>} openings
 * @param {(reply: import("../protocol.js").Reply) => void} tell
 */
export function pack(wanted, openings, tell) {
    return answer(wanted, openings, tell, async (original) => (await saved(original, wanted)) ?? { error: TOO_LONG });
}

/**
 * Writes one of a log's profiles, and answers with it.
 * @param {WantedProfile} wanted
 * @param {Map<number, import("./opening.js").Opening>} openings
 * @param {(reply: import("../protocol.js").Reply) => void} tell
 */
export function exportProfile(wanted, openings, tell) {
    return answer(wanted, openings, tell, (original) => exported(original, wanted));
}

/**
 * @template {import("../protocol.js").Packed | import("../protocol.js").Exported} Made
 * @param {{ opening: number, id: number }} wanted
 * @param {Map<number, import("./opening.js").Opening>} openings
 * @param {(reply: import("../protocol.js").Reply) => void} tell
 * @param {(original: Original) => Promise<Made>} make
 */
async function answer({ opening: number, id }, openings, tell, make) {
    asked = id;
    const opening = openings.get(number);
    const goOn = (/** @type {number} */ share) => {
        if (asked !== id || !opening || openings.get(number) !== opening) throw new GivenUp();
        tell({ kind: "packing", id, share });
    };
    /** @type {import("../protocol.js").Packed | import("../protocol.js").Exported | null} */
    let answer = null;
    try {
        goOn(0);
        const { source, log } = /** @type {import("./opening.js").Opening} */ (opening);
        // Of one that was packed, was not read to its end, or came from a server that did not tell its size, what is shown of it.
        const isWhole = !source.packed && source.size > 0 && source.used >= source.size;
        const size = isWhole ? source.size : log.status().offset;
        answer = await make({ source, size, goOn, unwanted: () => asked !== id });
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
 * The log that is copied.
 * @typedef {object} Original
 * @property {import("./source.js").Source} source
 * @property {number} size in bytes
 * @property {(share: number) => void} goOn is told how much has been read, and throws if it is no longer wanted
 * @property {() => boolean} unwanted
 */

/**
 * @param {Original} original
 * @param {Wanted} wanted
 * @returns {Promise<import("../protocol.js").Packed | null>} null if it takes more than a page may have
 */
async function saved(original, { env, words, name, palette }) {
    const saving = await begun(original.size, env, words);
    try {
        const base64 = await packed(copied(original, saving));
        return base64 && { base64, article: saving.article(name, palette) };
    } finally {
        saving.free();
    }
}

/**
 * @param {Original} original
 * @param {WantedProfile} wanted
 * @returns {Promise<import("../protocol.js").Exported>}
 */
async function exported({ source, size, goOn, unwanted }, { format, name }) {
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
            // The browser keeps them elsewhere.
            if (texts.length >= TEXTS) parts.push(new Blob(texts.splice(0)));
        };
        do {
            for (let at = 0; at < size; ) {
                const bytes = await source.range(at, Math.min(PIECE, size - at), unwanted);
                if (bytes.length === 0) break;
                at += bytes.length;
                goOn(at / size);
                add(exporting.feed(bytes));
                giveBack(bytes);
            }
        } while (goesOn(exporting));
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
        // What the log lacks.
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
 * The log's bytes as the page has them.
 * @param {Original} original
 * @param {Saving} saving
 * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
 */
function copied({ source, size, goOn, unwanted }, saving) {
    let at = 0;
    return new ReadableStream({
        async pull(controller) {
            const bytes = at < size ? await source.range(at, Math.min(PIECE, size - at), unwanted) : new Uint8Array();
            at += bytes.length;
            goOn(at / size);
            const isEnd = bytes.length === 0;
            const ready = /** @type {Uint8Array<ArrayBuffer>} */ (isEnd ? saving.finish() : saving.feed(bytes));
            giveBack(bytes);
            // Nothing may be ready yet, and then it is asked for the next bytes only when something has come.
            if (ready.length > 0 || !isEnd) controller.enqueue(ready);
            if (isEnd) controller.close();
        },
    });
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} bytes
 * @returns {Promise<Blob | null>} null if it takes more than a page may have
 */
async function packed(bytes) {
    const reader = holdOn(bytes.pipeThrough(new CompressionStream("gzip")).getReader());
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
