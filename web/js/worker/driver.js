// The one loop in which parts of a log are read for somebody: what does it want → read that → give it → what does it want next.

import { atOnce } from "./reading.js";
import { Unreadable } from "./unreadable.js";

/** What stands where a log was read before is another one. */
export const CHANGED = "the log was changed after it was opened. Open it again to see all of it";

/** Work that was given up since nobody waits for it any more. */
export class Overtaken extends Error {}

/** @typedef {[offset: number, length: number]} Part of a log, in bytes */

/**
 * What needs parts of a log.
 * @typedef {object} Job
 * @property {() => { reads: Part[], gaveUp?: boolean }} wants which parts it needs next: none if it has all of them, or has given up, since
 *     what is read brings it nowhere
 * @property {(offset: number, bytes: Uint8Array) => boolean | Promise<boolean>} give takes one of them; whether that is what was read there
 *     before
 */

/**
 * What reads parts of a log for a job.
 * @typedef {object} Reader
 * @property {number} atOnce how many parts are read at the same time
 * @property {(offset: number, length: number, isOver: () => boolean) => Promise<Uint8Array>} part fails where there are fewer bytes, unless
 *     it `isOver`
 * @property {(bytes: Uint8Array) => void} free a part is not needed any more
 * @property {() => boolean} isOver whether nobody waits for the job any more, or its log is closed
 */

/**
 * Reads for a job until it wants nothing more. Fails as soon as a part cannot be read, is not what it was, or nobody waits any more; from
 * then on the job is given nothing.
 * @param {Job} job
 * @param {Reader} reader
 * @returns {Promise<boolean>} whether it has all that it wants; if not, it has given up
 */
export async function drive(job, reader) {
    for (;;) {
        const { reads, gaveUp = false } = job.wants();
        if (reads.length === 0) return !gaveUp;
        await round(reads, job, reader);
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
        // Of a log that is closed, nothing can be given to a job any more.
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
