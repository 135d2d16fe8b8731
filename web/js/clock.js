// Which times are shown: since the log's start, or the time of day. A viewer that owns its page remembers the choice.

import { followRemembered } from "./remembered.js";
import { shownOf } from "./state.js";

/** @typedef {import("./times.js").Clock} Clock */

/** @type {Clock} */
export const FIRST_CLOCK = "relative";

/** The key that changes it. */
export const CLOCK_KEY = "C";

/** The choices in words, in the order in which the key leads through them. @type {Record<Clock, { name: string, what: string }>} */
export const CLOCKS = {
    relative: { name: "from start", what: "Times are counted from the log's start" },
    local: { name: "local time", what: "Times are the time of day in this browser's time zone" },
    utc: { name: "UTC", what: "Times are the time of day in UTC" },
};

/** Why there may be no choice. */
export const NO_CLOCK = "This log does not say at which time of day it was written: it has no WALL_CLOCK_TIME event";

const ALL = /** @type {Clock[]} */ (Object.keys(CLOCKS));

/**
 * Whether the log on the screen has the time of day.
 * @param {Pick<import("./state.js").State, "logs" | "shown">} state
 */
export function hasClock(state) {
    return (shownOf(state).log?.process.clocks ?? []).length > 0;
}

/**
 * Shows the next choice, if the log has the time of day.
 * @param {Pick<import("./context.js").Context, "store" | "note">} context
 */
export function nextClock({ store, note }) {
    if (!hasClock(store.value)) return note(NO_CLOCK);
    const clock = ALL[(ALL.indexOf(store.value.clock) + 1) % ALL.length];
    store.set({ clock });
    note(CLOCKS[clock].what);
}

/**
 * Takes the remembered choice, and remembers new ones.
 * @param {import("./context.js").Context} context
 */
export function followClock(context) {
    followRemembered(context, "clock", clockOf);
}

/**
 * The stored text may be from another version, or from another program.
 * @param {string | null} written
 * @returns {Clock}
 */
export function clockOf(written) {
    return ALL.find((clock) => clock === written) ?? FIRST_CLOCK;
}
