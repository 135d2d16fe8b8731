// Who woke whom: the wake-ups that lead to what is selected, and from it, which the timeline shows as arrows.

import { BACK, FORTH } from "./protocol.js";
import { follow } from "./store.js";

/** @typedef {import("./protocol.js").Span} Span */

/**
 * A wake-up: at a time, by the thread of one span, of the thread of another.
 * @typedef {{ time: number, from: Span, to: Span }} Arrow
 */

/**
 * Asks who woke up whom, whenever something else is selected, or more is known of threads.
 * @param {import("./store.js").Store<import("./state.js").State>} store
 * @param {import("./shown-log.js").ShownLog} log
 */
export function followCauses(store, log) {
    let last = 0;
    follow(
        store,
        ({ span, log, threads }) => [span, !log?.following, threads],
        ({ span, arrows }) => {
            const mine = ++last;
            if (arrows.length > 0) store.set({ arrows: [] });
            if (span?.thread) void arrowsOf(span, log).then((arrows) => mine === last && arrows.length > 0 && store.set({ arrows }));
        },
    );
}

/**
 * @param {Span} span of a thread
 * @param {import("./shown-log.js").ShownLog} log
 * @returns {Promise<Arrow[]>}
 */
async function arrowsOf(span, log) {
    const track = span.thread?.track ?? span.track;
    const point = { track, time: span.start };
    const [by, whom] = await Promise.all([
        log.ask("woken", { ...point, back: true, asker: BACK }),
        log.ask("woken", { ...point, back: false, asker: FORTH }),
    ]);
    /** @type {Arrow[]} */
    const arrows = [];
    if (by?.kind === "span" && by.moment !== undefined) arrows.push({ time: by.moment, from: by.span, to: span });
    if (!span.lane || whom?.kind !== "span" || whom.moment === undefined) return arrows;
    // It may have woken somebody up only in another run.
    if (span.start <= whom.moment && whom.moment <= span.end) arrows.push({ time: whom.moment, from: span, to: whom.span });
    return arrows;
}
