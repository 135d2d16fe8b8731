// The model's jobs: what it needs parts of the log for.

import { Overtaken, drive } from "./driver.js";

/** @typedef {import("./opening.js").Opening} Opening */

/**
 * Works on a job until it wants nothing more; then it is dropped, as it is when it is overtaken.
 * @template Answer
 * @param {Pick<Opening, "log" | "parts" | "isClosed">} opening
 * @param {number | undefined} job
 * @param {() => boolean} isOver
 * @param {(job: number) => Answer} answer
 */
export async function work(opening, job, isOver, answer) {
    if (job === undefined) throw new Overtaken();
    const { log } = opening;
    const wants = () => log.job(job);
    /** @type {import("./driver.js").Job["give"]} */
    const give = (offset, bytes) => log.give(job, offset, bytes);
    try {
        // One that gets nowhere answers with what it has.
        await drive({ wants, give }, opening.parts.reader(isOver));
        return answer(job);
    } finally {
        if (!opening.isClosed) log.drop_job(job);
    }
}

/**
 * Finds something on a track.
 * @param {Opening} opening
 * @param {() => boolean} isOver
 * @param {(log: Opening["log"]) => number} begin gives the job
 * @returns {Promise<import("../protocol.js").Found | null>}
 */
export function find(opening, isOver, begin) {
    return work(opening, begin(opening.log), isOver, (job) => opening.log.found(job));
}

/**
 * What the tracks did from one time to another.
 * @param {Opening} opening
 * @param {import("../protocol.js").View} range
 * @param {() => boolean} isOver
 * @returns {Promise<import("../protocol.js").RangeTotals | null>}
 */
export async function totalsOf(opening, { from, to }, isOver) {
    const { log } = opening;
    if (!opening.isRead) return null;
    const facts = await work(opening, log.range(from, to), isOver, (job) => (log.take_range(job) ? log.facts(true) : null));
    return facts && { from, to, facts };
}

/**
 * Supplies what is missing of a picture: what has been read may show that a bit more is needed. What is still missing then does not
 * fit into the cache all at once.
 * @param {Pick<Opening, "log" | "parts">} opening
 * @param {() => import("./driver.js").Part[]} missing
 * @param {() => boolean} isOver
 * @returns {Promise<boolean>} whether nothing is missing any more
 */
export function supply({ log, parts }, missing, isOver) {
    const wants = () => ({ reads: missing(), done: 0 });
    return drive({ wants, give: (offset, bytes) => log.supply(offset, bytes) }, parts.reader(isOver));
}
