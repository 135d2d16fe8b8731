// The one loop that reads parts of a log for a job: ask what it wants → read that → give it → ask what it wants next.

import { atOnce, giveBack } from "./reading.js";
import { Unreadable } from "./unreadable.js";

/** The bytes there are no longer those that were read before. */
export const CHANGED = "the log was changed after it was opened. Open it again to see all of it";

/** Work was given up because its result is no longer wanted. */
export class Overtaken extends Error {}

/** @typedef {[offset: number, length: number]} Part of a log, in bytes */

/** Something that needs parts of a log.
 * @typedef {object} Job
 * @property {() => { reads: Part[], gaveUp?: boolean }} wants the parts it needs next; none if it has all of them, or has given up because
 *     what it gets does not help
 * @property {(offset: number, bytes: Uint8Array) => boolean | Promise<boolean>} give takes one of them; returns whether these are the bytes
 *     that were read there before
 */

/** Something that reads parts of a log for a job.
 * @typedef {object} Reader
 * @property {number} atOnce the number of parts to read at the same time
 * @property {(offset: number, length: number, isOver: () => boolean) => Promise<Uint8Array>} part reads a part; fails if it has fewer
 *     bytes, unless `isOver`
 * @property {(bytes: Uint8Array) => void} free called when a part is no longer needed
 * @property {() => boolean} isOver whether the job's answer is no longer wanted, or its log is closed
 */

/**
 * Reads for a job until it wants nothing more. Fails as soon as a part cannot be read, is not what it was, or the answer is no longer
 * wanted; the job is given nothing after that.
 * @param {Job} job
 * @param {Reader} reader
 * @returns {Promise<boolean>} whether the job got all that it wanted; if not, it gave up
 */
export async function drive(job, reader) {
    for (;;) {
        const { reads, gaveUp = false } = job.wants();
        if (reads.length === 0) return !gaveUp;
        await round(reads, job, reader);
    }
}

/** Something that reads parts of a log, one after the other. A part is valid until the next one is asked for.
 * @typedef {object} InTurn
 * @property {(offset: number, length: number) => Promise<Uint8Array>} part
 * @property {() => Promise<void>} end called when no more parts are needed
 */

/**
 * The same with one part after the other.
 * @param {Job} job
 * @param {InTurn} reader
 * @param {() => boolean} isOver
 */
export async function driveInTurn(job, reader, isOver) {
    try {
        return await drive(job, { atOnce: 1, part: reader.part.bind(reader), free: giveBack, isOver });
    } finally {
        // Not awaited: it may still be waiting for a read.
        reader.end().catch(() => {});
    }
}

/**
 * @param {Part[]} reads
 * @param {Job} job
 * @param {Reader} reader
 */
async function round(reads, job, reader) {
    let hasFailed = false;
    const isOver = () => hasFailed || reader.isOver();
    /** @param {Part} part */
    const readOne = async ([offset, length]) => {
        if (isOver()) throw new Overtaken();
        const bytes = await reader.part(offset, length, isOver);
        // The jobs of a closed log can be given nothing.
        const isSame = isOver() || (await job.give(offset, bytes));
        reader.free(bytes);
        if (isOver()) throw new Overtaken();
        if (!isSame) throw new Unreadable(CHANGED);
    };
    try {
        await atOnce(reads, reader.atOnce, readOne);
    } catch (error) {
        hasFailed = true;
        throw error;
    }
}
