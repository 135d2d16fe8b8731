// Searches a log for a query. A search stays until the next one begins, so that the page can ask for its hits.

import { SEARCH } from "../protocol.js";
import { drive, driveInTurn } from "./driver.js";
import { breathe } from "./reading.js";

/** @typedef {import("./opening.js").Opening} Opening */
/** @typedef {import("../wishes.js").SearchWish} SearchWish */
/** @typedef {import("../protocol.js").SearchReport} SearchReport */

/** The time between two reports of hits while the log is searched, in ms. */
const OFTEN = 100;

/** The number of each log's search, by its opening.
 * @type {WeakMap<Opening, number>}
 */
const searches = new WeakMap();

/**
 * Ends a log's search: its hits are forgotten, and nothing more is looked for.
 * @param {Opening} opening
 */
export function endSearch(opening) {
    opening.askers.giveUp(SEARCH);
    forget(opening);
}

/** @param {Opening} opening */
function forget(opening) {
    const job = searches.get(opening);
    searches.delete(opening);
    if (job !== undefined && !opening.isClosed) opening.log.drop_job(job);
}

/**
 * Finds what a query describes, the nearest first. The program's own spans are found once threads have been followed.
 * @param {Opening} opening
 * @param {SearchWish} wish
 * @param {{ isOver: () => boolean, meanwhile: (report: SearchReport) => void }} call
 * @returns {Promise<SearchReport>}
 */
export async function search(opening, { query, near, from, to, buckets }, { isOver, meanwhile }) {
    forget(opening);
    const { log, parts, source } = opening;
    const fault = log.query_fault(query);
    if (fault !== undefined) return { fault };
    const names = log.find_names(query);
    const job = log.find(query, near, from, to, buckets);
    // The log is still being read.
    if (job === undefined) return { names };
    searches.set(opening, job);
    /** @type {() => SearchReport} */
    const report = () => ({ names, found: log.found_so_far(job), buckets: log.hits_in_buckets(job) });
    let [hits, next] = [0, 0];
    /** @type {(offset: number, bytes: Uint8Array) => Promise<boolean>} */
    const give = async (offset, bytes) => {
        const isSame = log.give(job, offset, bytes);
        const [{ total }, now] = [log.found_so_far(job), performance.now()];
        // The first hit is reported at once.
        if (total > hits && (hits === 0 || now >= next)) {
            [hits, next] = [total, now + OFTEN];
            meanwhile(report());
        }
        // There may be questions meanwhile.
        await breathe();
        return isSame;
    };
    const finding = { wants: () => log.job(job), give };
    // A file is mostly searched from front to back. From a server, many parts come at the same time instead.
    if (source.from) await driveInTurn(finding, parts.ahead(), isOver);
    else await drive(finding, parts.reader(isOver));
    return report();
}

/**
 * Some hits of the log's search.
 * @param {Opening} opening
 * @param {import("../wishes.js").HitsWish} wish
 * @returns {import("../protocol.js").Hit[]}
 */
export function hits(opening, { kind, from, count }) {
    const job = searches.get(opening);
    return job === undefined ? [] : opening.log.hits(opening.arrangement, job, kind, from, count);
}
