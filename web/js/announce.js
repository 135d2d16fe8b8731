// Announces to screen readers, once each: the selection, the progress of reading, what went wrong.

import { shownOf } from "./state.js";
import { visible } from "./format.js";
import { noticeText, plain } from "./words.js";

/** Progress is announced in this many parts. */
const PARTS = 4;

/** @param {Pick<import("./context.js").Context, "store" | "say">} context */
export function announce({ store, say }) {
    let last = store.value;
    let part = 0;
    store.follow((state) => {
        const before = last;
        const [log, logBefore] = [shownOf(state), shownOf(before)];
        last = state;
        if (state.shown !== before.shown) part = 0;
        const now = partRead(log);
        if (state.phase === "loading" && now > part) say(`${(now * 100) / PARTS} % read`);
        part = Math.max(part, now);
        if (state.retryIn !== null && before.retryIn === null) say("The connection broke; trying again");
        if (state.phase === "ready" && before.phase !== "ready" && log.log) say(opened(log.log));
        if (log.troubles.length > logBefore.troubles.length) say(plain(log.troubles[log.troubles.length - 1]));
        if (logBefore.finished && !log.log && state.phase === "empty") say(`${visible(logBefore.log?.name ?? "The log")} is closed`);
    });
}

/**
 * The number of parts of the file that have been read; the last one counts when the log is open.
 * @param {import("./state.js").LogState} state
 */
function partRead({ log }) {
    if (!log || log.size === 0) return 0;
    return Math.min(Math.floor((log.read / log.size) * PARTS), PARTS - 1);
}

/** @param {import("./protocol.js").LogInfo} log */
function opened(log) {
    const lost = log.notices.find(({ loss }) => loss);
    return `${visible(log.name)} is open${lost ? `. ${noticeText(lost, log)}` : ""}`;
}
