// The groups of tracks that the user folded or unfolded. A viewer that owns its page remembers them as long as the tab is open, and writes
// them into the page's address, so that a link shows the same: `tracks=-caps,sparks` folds the capabilities and unfolds the sparks.

import { replaceFragment, valueIn, withValue } from "./fragment.js";

const KEY = "ghc-eventlog-viewer.folds";

/** Most groups that are read from an address, which may contain anything. */
const MOST = 100;

/** @typedef {Record<string, boolean>} Folds whether a group is folded, by its key */

/** @returns {Folds} those of the address, or the remembered ones if it has none */
export function rememberedFolds() {
    return foldsIn(location.hash) ?? storedFolds();
}

/** @param {Folds} folds */
export function rememberFolds(folds) {
    try {
        sessionStorage.setItem(KEY, JSON.stringify(folds));
    } catch {
        // It cannot be stored: then it is kept as long as the page is open.
    }
    // Replaces the entry of the history: going back is about times, not about folding.
    replaceFragment(withFolds(location.hash, folds));
}

/**
 * Follows changes to the address of a page that the viewer owns.
 * @param {import("./context.js").Context} context
 */
export function followFoldsInAddress({ stage: { own, signal }, timeline }) {
    if (!own) return;
    let url = valueIn(location.hash, "url");
    const changed = () => {
        const folds = foldsIn(location.hash);
        const last = url;
        url = valueIn(location.hash, "url");
        // The user has gone back to an entry of this page, which may be older than the current folds: keep these.
        if (history.state) rememberFolds(timeline.folds);
        else if (url !== null && url !== last) timeline.foldNext(url, folds);
        else if (folds) timeline.foldAs(folds);
    };
    addEventListener("hashchange", changed, { signal });
}

/**
 * @param {string} fragment
 * @returns {Folds | null} null if it says nothing about groups
 */
export function foldsIn(fragment) {
    const keys = valueIn(fragment, "tracks")?.split(",").filter(Boolean).slice(0, MOST);
    return keys ? Object.fromEntries(keys.map((key) => (key.startsWith("-") ? [key.slice(1), true] : [key, false]))) : null;
}

/**
 * @param {string} fragment
 * @param {Folds} folds
 */
export function withFolds(fragment, folds) {
    const keys = Object.entries(folds).map(([key, folded]) => (folded ? `-${key}` : key));
    if (keys.length > 0) return withValue(fragment, "tracks", keys.join());
    return valueIn(fragment, "tracks") === null ? fragment : withValue(fragment, "tracks", null);
}

/** @returns {Folds} */
function storedFolds() {
    try {
        const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
        return Object.fromEntries(Object.entries(stored).filter(([, folded]) => typeof folded === "boolean"));
    } catch {
        // The stored text may be anything, and storing may be forbidden.
        return {};
    }
}
