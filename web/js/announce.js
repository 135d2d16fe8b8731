// What those hear who do not see the page: what is selected, how far a log is read, what went wrong. Each once.

import { shownOf } from "./state.js";
import { visible } from "./format.js";
import { noticeText, plain } from "./words.js";

/** How often progress is told. */
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
 * How many parts of the file have been read; the last one is told when it is open.
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
