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
 * Whether the details of a wait say that a wake-up ended it, or began it, which no thread caused. A wait without a wake-up, at the beginning of
 * a thread or at the end of the log, says neither.
 * @param {Pick<Span, "fields">} wait
 */
export function wasWokenByNoThread({ fields }) {
    return fields.some(({ name, value }) => name === "Woken up on" || (name === "Woken up by" && value === "the runtime"));
}

/**
 * What a thread did, in words: where its state says less than its title, "blocked on an MVar".
 * @param {Pick<Span, "state" | "title">} span
 */
export function didText({ state, title }) {
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
        // Two threads that wake each other up at one moment, by clocks that differ, are no way back.
        const last = causes.at(-1);
        if (last && (moment > last.moment || (moment === last.moment && span.track === last.span.track))) return { causes, end: "unknown" };
        causes.push({ span, moment });
        if (span.start <= wait.start) return { causes, end: "ran before" };
        point = { track: span.thread?.track ?? span.track, time: span.start };
    }
    return { causes, end: "more" };
}
