// The list of events: its rows, how many fit a query, which row is at a moment, and all of one event.

import { drive } from "./driver.js";
import { work } from "./jobs.js";

/** @typedef {import("./opening.js").Opening} Opening */
/** @typedef {import("../wishes.js").EventsWish} EventsWish */
/** @typedef {{ isOver: () => boolean }} Call */

/** The time between two reports of how many events have been found, in ms. */
const OFTEN = 150;

/**
 * Some rows, as far as they are known: those that fit a query have to be counted first.
 * @param {Opening} opening
 * @param {EventsWish & { from: number, count: number }} wish
 * @param {Call} call
 * @returns {Promise<import("../protocol.js").EventsPage> | null}
 */
export function eventRows(opening, { byTime, types, query, range, from, count }, { isOver }) {
    if (opening.log.query_fault(query) !== undefined) return null;
    const job = opening.log.event_rows(byTime, types, query, range, from, count, false);
    return work(opening, job, isOver, (job) => opening.log.event_rows_read(job));
}

/**
 * Some rows as lines of JSON.
 * @param {Opening} opening
 * @param {EventsWish & { from: number, count: number }} wish
 * @param {Call} call
 * @returns {Promise<string | undefined>}
 */
export function eventLines(opening, { byTime, types, query, range, from, count }, { isOver }) {
    const job = opening.log.event_rows(byTime, types, query, range, from, count, true);
    return work(opening, job, isOver, (job) => opening.log.event_lines_read(job));
}

/**
 * Counts the events that fit a query. What has been counted stays known, if this is given up.
 * @param {Opening} opening
 * @param {EventsWish} wish
 * @param {Call & { meanwhile: (counted: import("../protocol.js").EventsCounted) => void }} call
 * @returns {Promise<import("../protocol.js").EventsReport>}
 */
export async function countEvents(opening, { byTime, types, query, range }, { isOver, meanwhile }) {
    const { log, parts } = opening;
    const fault = log.query_fault(query);
    if (fault !== undefined) return { fault };
    const job = log.count_events(byTime, types, query, range);
    // The log is still being read.
    if (job === undefined) return {};
    // It is a query: the list can begin.
    meanwhile(log.events_counted(job));
    let next = performance.now() + OFTEN;
    /** @type {(offset: number, bytes: Uint8Array) => boolean} */
    const give = (offset, bytes) => {
        const isSame = log.give(job, offset, bytes);
        if (performance.now() >= next) {
            next = performance.now() + OFTEN;
            meanwhile(log.events_counted(job));
        }
        return isSame;
    };
    try {
        await drive({ wants: () => log.job(job), give }, parts.reader(isOver));
        return { counted: log.events_counted(job) };
    } finally {
        if (!opening.isClosed) log.drop_job(job);
    }
}

/**
 * The row of the first event at a time or later.
 * @param {Opening} opening
 * @param {EventsWish & { time: number }} wish
 * @param {Call} call
 * @returns {Promise<number | undefined> | null}
 */
export function eventPlace(opening, { byTime, types, query, range, time }, { isOver }) {
    const job = opening.log.event_place(byTime, types, query, range, time);
    return job === undefined ? null : work(opening, job, isOver, (job) => opening.log.event_place_found(job));
}

/**
 * All of the event at an offset.
 * @param {Opening} opening
 * @param {{ offset: number }} place
 * @param {Call} call
 * @returns {Promise<import("../protocol.js").WholeEvent | null>}
 */
export function event(opening, { offset }, { isOver }) {
    const { log } = opening;
    return work(opening, log.event_details(offset), isOver, (job) => {
        const bytes = log.event_bytes(job);
        const event = log.event_read(job);
        return event && bytes ? { ...event, bytes } : null;
    });
}
