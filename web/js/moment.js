// A moment that the user writes: "1.284 s", "2 min 5 s" or "1:05.2" since the log's start, "14:03:12.5" as the time of day.

/** @typedef {import("./times.js").Times} Times */
/** @typedef {import("./times.js").Day} Day */

/** @type {Record<string, number>} */
const UNITS = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };

const PARTS = /^(\d+(?:\.\d+)?) ?(ns|us|µs|μs|ms|s|min|h)/;

/** A time of day, or hours, minutes and seconds since the start: with its date, or without; the seconds may be left out. */
const COLONS = /^(?:(\d{4})-(\d\d?)-(\d\d?)[ T])?(\d+):(\d\d?)(?::(\d\d?(?:\.\d+)?))?$/;

/** Minutes and seconds since the start. */
const MINUTES = /^(\d+):(\d\d?(?:\.\d+)?)$/;

/**
 * The moments that a text may mean, the likeliest first; none if it means none.
 * @param {string} text
 * @param {number} origin the time of the log's start
 * @param {number} end
 * @param {Times} clock the time of day, if the log has it
 * @returns {number[]}
 */
function meanings(text, origin, end, clock) {
    const plain = text.replace(/(?<=\d)[\u202f\u00a0 ](?=\d{3}(?!\d|:))/g, "").trim();
    const since = lengthIn(plain);
    const ofDay = timeOfDay(plain);
    const times = ofDay ? clock.at(ofDay.ns, ofDay.day, end) : [];
    return since === null ? times : [...times, origin + since];
}

/**
 * The moment that a text means.
 * @param {string} text
 * @param {[number, number]} extent the log's first and last time
 * @param {Times} clock the time of day, if the log has it
 * @returns {{ at: number } | { at: null, isMoment: boolean }} none: `isMoment` if it is one, but not in the log
 */
export function momentIn(text, [first, last], clock) {
    const all = meanings(text, first, last, clock);
    // A clock may be written with fewer digits than the log's ends have.
    const at = all.find((time) => time >= first && time <= last) ?? all.find((time) => time > first - 1e9 && time < last + 1e9);
    return at === undefined ? { at: null, isMoment: all.length > 0 } : { at: Math.min(Math.max(at, first), last) };
}

/**
 * The moment that a text most likely means, also if it is not in the log; null if it means none.
 * @param {string} text
 * @param {[number, number]} extent the log's first and last time
 * @param {Times} clock the time of day, if the log has it
 */
export function momentMeant(text, [first, last], clock) {
    const all = meanings(text, first, last, clock);
    return all.find((time) => time >= first && time <= last) ?? all[0] ?? null;
}

/** @param {string} text @returns {number | null} ns */
function lengthIn(text) {
    if (/^0+(\.0+)?$/.test(text)) return 0;
    const [, minutes, seconds] = MINUTES.exec(text) ?? [];
    if (minutes !== undefined) return Number(minutes) * 60e9 + nsOf(seconds);
    const [, year, , , h, m, s = "0"] = COLONS.exec(text) ?? [];
    if (h !== undefined && year === undefined) return (Number(h) * 60 + Number(m)) * 60e9 + nsOf(s);
    let [sum, rest] = [0, text];
    while (rest) {
        const [all, number, unit] = PARTS.exec(rest) ?? [];
        if (all === undefined) return null;
        sum += Number(number) * UNITS[unit];
        rest = rest.slice(all.length).trim();
    }
    return text ? Math.round(sum) : null;
}

/** @param {string} text @returns {{ ns: number, day: Day | null } | null} since midnight */
function timeOfDay(text) {
    const [, year, month, day, h, m, s = "0"] = COLONS.exec(text) ?? [];
    if (h === undefined || Number(h) > 23 || Number(m) > 59 || Number(s) >= 61) return null;
    const ns = (Number(h) * 60 + Number(m)) * 60e9 + nsOf(s);
    return { ns, day: year === undefined ? null : [Number(year), Number(month), Number(day)] };
}

/** @param {string} seconds */
function nsOf(seconds) {
    return Math.round(Number(seconds) * 1e9);
}
