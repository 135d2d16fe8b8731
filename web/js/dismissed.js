// The findings that the user has dismissed, by log: remembered, if the viewer owns its page and the browser permits that. A log is recognised
// by its name, its bytes and its events.

import { remember, remembered } from "./remembered.js";
import { changeShown, shownOf } from "./state.js";
import { follow } from "./store.js";

const NAME = "dismissed";

/** Most logs whose dismissed findings are remembered: those that were last changed. */
const MOST_LOGS = 100;

/** Most findings of a log that are remembered; there are fewer rules. */
const MOST = 100;

/**
 * Remembers them of each log that has been read.
 * @param {Pick<import("./context.js").Context, "stage" | "store">} context
 */
export function followDismissed({ stage, store }) {
    if (!stage.own) return;
    follow(
        store,
        (state) => [state.shown, shownOf(state).finished],
        (state) => {
            const { log, finished } = shownOf(state);
            const dismissed = log && finished ? dismissedOf(keyOf(log)) : [];
            if (dismissed.length > 0) changeShown(store, { dismissed });
        },
    );
}

/**
 * The key of a log.
 * @param {Pick<import("./protocol.js").LogInfo, "name" | "status">} log
 */
export function keyOf({ name, status }) {
    return `${name} ${status.offset} ${status.events}`;
}

/**
 * @param {string} key
 * @returns {string[]} the ids of the dismissed findings
 */
export function dismissedOf(key) {
    return stored().find(([other]) => other === key)?.[1] ?? [];
}

/**
 * @param {string} key
 * @param {readonly string[]} ids
 */
export function rememberDismissed(key, ids) {
    const others = stored().filter(([other]) => other !== key);
    const all = ids.length > 0 ? [...others, [key, ids]] : others;
    remember(NAME, JSON.stringify(all.slice(-MOST_LOGS)));
}

/**
 * What is stored may be from another version, or from another program.
 * @returns {[string, string[]][]}
 */
function stored() {
    try {
        return logsIn(JSON.parse(remembered(NAME) ?? "[]"));
    } catch {
        return [];
    }
}

/**
 * @param {unknown} written
 * @returns {[string, string[]][]}
 */
export function logsIn(written) {
    if (!Array.isArray(written)) return [];
    return written.slice(-MOST_LOGS).flatMap((entry) => {
        const [key, ids] = Array.isArray(entry) ? entry : [];
        if (typeof key !== "string" || !Array.isArray(ids)) return [];
        return [[key, ids.filter((id) => typeof id === "string").slice(0, MOST)]];
    });
}
