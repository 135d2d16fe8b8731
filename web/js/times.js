// How moments are written: counted from the log's start, or as the time of day, in the reader's time zone or in UTC.
//
//     the log's time     0 ────── 5 s ─────────────────▶ t      known from 5 s on: the date at time 0
//     the date           the date at time 0, and t later

import { digitsFor, fraction, interval, stepOf, time } from "./format.js";

/** @typedef {"relative" | "local" | "utc"} Clock which times are shown */
/** @typedef {[from: number, epoch: number]} Known from a time on, the date at time 0 in ms since the Unix epoch */
/** @typedef {[year: number, month: number, day: number]} Day */

const DAY = 86_400e9;

/** Steps below this many ns make the time of day too long for each label of an axis. */
const LONG = 1e6;

/** Most days of a log on which a time of day is looked for. */
const MOST_DAYS = 1000;

export class Times {
    #origin;
    #clocks;
    #isUtc;
    /** The log's first day, once it is asked for. @type {string | null} */
    #firstDay = null;

    /**
     * @param {number} origin the log's first time
     * @param {readonly Known[]} clocks none to count from the origin
     * @param {boolean} isUtc whether the time of day is in UTC
     */
    constructor(origin, clocks = [], isUtc = false) {
        this.#origin = origin;
        this.#clocks = clocks.filter(([, epoch]) => !Number.isNaN(new Date(epoch).getTime()));
        this.#isUtc = isUtc;
    }

    /** Whether the time of day is written. */
    get isClock() {
        return this.#clocks.length > 0;
    }

    /** What the times of a copy are. */
    get unit() {
        if (!this.isClock) return "ns";
        return this.#isUtc ? "UTC" : "local time";
    }

    /** The time from which round steps are counted: the log's start, or the midnight before it. */
    get zero() {
        const first = this.#dateAt(this.#origin, 1);
        if (!first) return this.#origin;
        const [, , , hours, minutes, seconds] = this.#partsOf(first.date);
        return this.#origin - (((hours * 60 + minutes) * 60 + seconds) * 1e9 + first.ns);
    }

    /**
     * @param {number} at
     * @param {number} [step] the smallest difference that matters
     */
    text(at, step = 1) {
        const digits = digitsFor(step / 1e9);
        const found = this.#dateAt(at, 10 ** (9 - digits));
        if (!found) return time(at - this.#origin, step);
        const { day, clock } = textsOf(this.#partsOf(found.date));
        this.#firstDay ??= this.#dayTextAt(this.#origin);
        return `${day === this.#firstDay ? "" : `${day} `}${clock}${fraction(found.ns / 1e9, digits)}`;
    }

    /**
     * From one time to another, with as many digits as their distance needs.
     * @param {number} from
     * @param {number} to
     */
    interval(from, to) {
        if (!this.isClock) return interval(from - this.#origin, to - this.#origin);
        const step = stepOf(from, to);
        return `${this.text(from, step)}–${this.text(to, step)}`;
    }

    /**
     * The day and the time of day, in whole seconds; empty if it is not known.
     * @param {number} at
     */
    date(at) {
        const found = this.#dateAt(at, 1);
        if (!found) return "";
        const { day, clock } = textsOf(this.#partsOf(found.date));
        return `${day} ${clock}${this.#isUtc ? " UTC" : ""}`;
    }

    /**
     * As a cell of a spreadsheet.
     * @param {number} at
     */
    cell(at) {
        const found = this.#dateAt(at, 1);
        if (!found) return String(Math.round(at - this.#origin));
        const { day, clock } = textsOf(this.#partsOf(found.date));
        return `${day} ${clock}.${String(found.ns).padStart(9, "0")}`;
    }

    /**
     * Whether the labels of an axis would be too long.
     * @param {number} last the last label's time
     * @param {number} step between two labels
     */
    isLong(last, step) {
        return this.isClock ? step < LONG : Math.abs(last - this.#origin) / step >= 1e5;
    }

    /**
     * The times at which the clock shows a time of day: on a given day, or on every day from the log's first one until its end.
     * @param {number} ofDay ns since midnight
     * @param {Day | null} day
     * @param {number} end of the log
     * @returns {number[]}
     */
    at(ofDay, day, end) {
        const first = this.#dateAt(this.#origin, 1);
        if (!first) return [];
        const days = day ? 1 : Math.min(Math.ceil(Math.max(end - this.#origin, 0) / DAY) + 1, MOST_DAYS);
        const [year, month, ofMonth] = day ?? this.#partsOf(first.date);
        return this.#clocks.flatMap(([from, epoch], place) => {
            const until = this.#clocks[place + 1]?.[0] ?? Infinity;
            const times = Array.from({ length: days }, (_, more) => this.#timeOf(epoch, [year, month, ofMonth + more], ofDay));
            return times.filter((time) => (place === 0 || time >= from) && time < until);
        });
    }

    /**
     * @param {number} epoch
     * @param {Day} day
     * @param {number} ofDay ns since midnight
     */
    #timeOf(epoch, [year, month, day], ofDay) {
        const seconds = Math.floor(ofDay / 1e9);
        const ms = this.#isUtc ? Date.UTC(year, month - 1, day, 0, 0, seconds) : new Date(year, month - 1, day, 0, 0, seconds).getTime();
        const { second, rest } = split(epoch);
        return (ms / 1000 - second) * 1e9 + (ofDay - seconds * 1e9) - rest;
    }

    /**
     * The date at a time, in whole seconds, and the ns after them; null if only the time since the start is known.
     * @param {number} at
     * @param {number} grain to which it is rounded
     */
    #dateAt(at, grain) {
        const known = this.#clocks.findLast(([from]) => from <= at) ?? this.#clocks[0];
        if (!known) return null;
        const { second, rest } = split(known[1]);
        const total = Math.round((rest + at) / grain) * grain;
        const whole = Math.floor(total / 1e9);
        const date = new Date((second + whole) * 1000);
        return Number.isNaN(date.getTime()) ? null : { date, ns: total - whole * 1e9 };
    }

    /** @param {number} at */
    #dayTextAt(at) {
        const found = this.#dateAt(at, 1);
        return found ? textsOf(this.#partsOf(found.date)).day : "";
    }

    /** Year, month, day, hours, minutes, seconds. @param {Date} date */
    #partsOf(date) {
        const local = new Date(date.getTime() - (this.#isUtc ? 0 : date.getTimezoneOffset() * 60_000));
        return [
            local.getUTCFullYear(),
            local.getUTCMonth() + 1,
            local.getUTCDate(),
            local.getUTCHours(),
            local.getUTCMinutes(),
            local.getUTCSeconds(),
        ];
    }
}

/**
 * A date as whole seconds and the ns after them: as one number of ns it would not be exact.
 * @param {number} ms
 */
function split(ms) {
    const second = Math.floor(ms / 1000);
    return { second, rest: Math.round((ms - second * 1000) * 1e6) };
}

/** @param {number[]} parts */
function textsOf([year, month, day, ...clock]) {
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    return { day: [String(year).padStart(4, "0"), two(month), two(day)].join("-"), clock: clock.map(two).join(":") };
}
