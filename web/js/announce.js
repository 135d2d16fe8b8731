// What those hear who do not see the page: what is selected, how far a log is read, what went wrong. Each once.

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
        last = state;
        if (state.file !== before.file) part = 0;
        const now = partRead(state);
        if (state.phase === "loading" && now > part) say(`${(now * 100) / PARTS} % read`);
        part = Math.max(part, now);
        if (state.retryIn !== null && before.retryIn === null) say("The connection broke; trying again");
        if (state.phase === "ready" && before.phase !== "ready" && state.log) say(opened(state.log));
        if (state.troubles.length > before.troubles.length) say(plain(state.troubles[state.troubles.length - 1]));
        if (before.finished && !state.log && state.phase === "empty") say(`${visible(before.log?.name ?? "The log")} is closed`);
    });
}

/**
 * How many parts of the file have been read; the last one is told when it is open.
 * @param {import("./state.js").State} state
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
