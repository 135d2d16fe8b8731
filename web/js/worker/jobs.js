// The jobs of the model: questions for which it needs parts of the log.

import { Overtaken, drive } from "./driver.js";

/** @typedef {import("./opening.js").Opening} Opening */

/**
 * Works on a job until it wants nothing more, or gives up.
 * @param {Pick<Opening, "log" | "parts">} opening
 * @param {number} job
 * @param {() => boolean} isOver
 */
export async function advance({ log, parts }, job, isOver) {
    await drive({ wants: () => log.job(job), give: (offset, bytes) => log.give(job, offset, bytes) }, parts.reader(isOver));
}

/**
 * The same; then the job is dropped, also when its answer is no longer wanted.
 * @template Answer
 * @param {Pick<Opening, "log" | "parts" | "isClosed">} opening
 * @param {number | undefined} job
 * @param {() => boolean} isOver
 * @param {(job: number) => Answer} answer makes the answer; from a job that gave up, with what it has
 */
export async function work(opening, job, isOver, answer) {
    if (job === undefined) throw new Overtaken();
    try {
        await advance(opening, job, isOver);
        return await answer(job);
    } finally {
        if (!opening.isClosed) opening.log.drop_job(job);
    }
}

/**
 * Finds something on a track.
 * @param {Opening} opening
 * @param {() => boolean} isOver
 * @param {(log: Opening["log"], arrangement: Opening["arrangement"]) => number} begin begins the job
 * @returns {Promise<import("../protocol.js").Found | null>}
 */
export function find(opening, isOver, begin) {
    return work(opening, begin(opening.log, opening.arrangement), isOver, (job) => opening.log.found(job));
}

/**
 * The facts about what the tracks did from one time to another.
 * @param {Opening} opening
 * @param {import("../protocol.js").View} range
 * @param {() => boolean} isOver
 * @returns {Promise<import("../protocol.js").RangeTotals | null>}
 */
export async function totalsOf(opening, { from, to }, isOver) {
    const { log, arrangement } = opening;
    if (!opening.isRead) return null;
    return work(opening, log.range(from, to), isOver, (job) => {
        if (!log.take_range(job)) return null;
        return { from, to, facts: log.facts(arrangement, true), account: log.account(true) };
    });
}
