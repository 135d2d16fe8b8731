// Why a thread waited: which thread woke it up, which one had woken that one up, and so on.

import { CAUSES } from "./protocol.js";
import { logOf } from "./state.js";

/** @typedef {import("./protocol.js").Span} Span */

/**
 * A cause: what a thread did, on its own track, and when it woke up the thread of the cause before (of the wait, for the first one).
 * @typedef {{ span: Span, moment: number }} Cause
 */

/**
 * The causes of a wait, the nearest first.
 * @typedef {object} Causes
 * @property {Cause[]} causes
 * @property {"nobody" | "unknown" | "ran before" | "more"} end why the last one is the last: no thread of the program woke it up; what did is
 *     not known; it was running before the wait began, so that nothing earlier matters; or there may be more
 */

/** Most causes that are looked for: each one is a question, which may read a part of the file. */
export const MOST_CAUSES = 16;

/**
 * Whether a thread could not run in a span: it waited for something, or for a capability after something had come.
 * @param {Span} span
 */
export function isWait({ role, thread, track }) {
    return (role === "blocked" || role === "runnable") && thread?.track === track;
}

/**
 * Whether the threads of the selected span's log have been followed, which takes until some time after it has been read.
 * @param {Pick<import("./state.js").State, "logs" | "span">} state
 */
export function isFollowed({ logs, span }) {
    return span !== null && !logOf({ logs }, span.log).log?.following;
}

/**
 * Why a wait ended that no thread ended; null if its details do not say so. One that has not ended has nothing to say, nor has one for a
 * capability that began without a wake-up.
 * @param {Pick<Span, "role" | "fields">} wait
 */
export function withoutThread({ role, fields }) {
    const value = (/** @type {string} */ key) => fields.find(({ name }) => name === key)?.value;
    const by = value("Woken up by");
    if (by === "the runtime" || value("Woken up on") !== undefined)
        return "No thread woke it up: the runtime, a timer, input or an exception did.";
    if (role !== "blocked" || by !== undefined || value("Ended") !== undefined) return null;
    // Nothing logs it when the scheduler of a program without -threaded ends waits for time and input, or when an exception is thrown to
    // a blocked thread.
    return "No wake-up was logged: the runtime, a timer, input or an exception ended this wait.";
}

/**
 * What a thread did, in words: where its state says less than its title, "blocked on an MVar".
 * @param {Pick<Span, "state" | "title">} span
 */
export function didMeanwhile({ state, title }) {
    return title || state.toLowerCase();
}

/**
 * Follows wake-ups back from a wait.
 * @param {Span} wait on a thread's own track
 * @param {Pick<import("./log-handle.js").LogHandle, "ask">} log the log of the span
 * @returns {Promise<Causes | null>} null if the answer is no longer wanted
 */
export async function causesOf(wait, log) {
    /** @type {Cause[]} */
    const causes = [];
    let point = { track: wait.track, time: wait.start };
    while (causes.length < MOST_CAUSES) {
        const found = await log.ask("woken", { ...point, back: true, asker: CAUSES });
        if (!found) return null;
        if (found.kind === "empty") return { causes, end: "nobody" };
        if (found.kind !== "span" || found.moment === undefined) return { causes, end: "unknown" };
        const { span, moment } = found;
        // That was before an earlier wait: this one ended, or has not ended, without a thread.
        if (causes.length === 0 && moment < wait.start) return { causes, end: "nobody" };
        // Two threads that wake each other up at one moment, by clocks that differ, are no way back.
        const last = causes.at(-1);
        if (last && (moment > last.moment || (moment === last.moment && span.track === last.span.track))) return { causes, end: "unknown" };
        causes.push({ span, moment });
        if (span.start <= wait.start) return { causes, end: "ran before" };
        point = { track: span.thread?.track ?? span.track, time: span.start };
    }
    return { causes, end: "more" };
}
