// A first look at a few places of a long log, while it is being read.

import { Overtaken, drive } from "./driver.js";

/** @typedef {{ offset: number, length: number, longer: number }} Look a part of the file: `length` bytes, if those are enough */

/**
 * @param {Look[]} looks at least one
 * @param {Pick<import("../../wasm/ghc-eventlog-wasm.js").Log, "look">} log
 * @param {import("./driver.js").Reader} reader
 */
export async function lookAt([end, ...others], log, reader) {
    /** @type {import("./driver.js").Reader} */
    const whatCanBeRead = {
        ...reader,
        // A part that cannot be read is skipped: the reading from front to back will report it.
        part: (offset, length, isOver) => reader.part(offset, length, isOver).catch(() => new Uint8Array()),
    };
    try {
        // First the end: it shows how long the log is, and without that the other parts cannot be placed.
        await drive(looking([end], log), whatCanBeRead);
        await drive(looking(others, log), whatCanBeRead);
    } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
    }
}

/**
 * @param {Look[]} looks
 * @param {Pick<import("../../wasm/ghc-eventlog-wasm.js").Log, "look">} log
 * @returns {import("./driver.js").Job}
 */
function looking(looks, log) {
    /** The number of bytes to read next at each place. @type {Map<number, number>} */
    const wanted = new Map(looks.map(({ offset, length }) => [offset, length]));
    const longer = new Map(looks.map(({ offset, longer }) => [offset, longer]));
    return {
        wants: () => ({ reads: [...wanted] }),
        give: (offset, bytes) => {
            const more = /** @type {number} */ (longer.get(offset));
            const isEnough = bytes.length === 0 || log.look(offset, bytes) || bytes.length >= more;
            if (isEnough) wanted.delete(offset);
            else wanted.set(offset, more);
            return true;
        },
    };
}
