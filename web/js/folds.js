// Which groups of tracks are folded, where their user has said so. A page's own viewer remembers it as long as the tab is open, and
// says it in the page's address, so that a link shows the same: `tracks=-caps,sparks` folds the capabilities and unfolds the
// sparks.

import { valueIn, withValue } from "./fragment.js";

const KEY = "ghc-eventlog-viewer.folds";

/** Most groups that are taken from an address, which may be anybody's. */
const MOST = 100;

/** @typedef {Record<string, boolean>} Folds whether a group is folded, by its key */

/** @returns {Folds} what the address says; what is remembered, if it says nothing */
export function rememberedFolds() {
    return foldsIn(location.hash) ?? storedFolds();
}

/** @param {Folds} folds */
export function rememberFolds(folds) {
    try {
        sessionStorage.setItem(KEY, JSON.stringify(folds));
    } catch {
        // It is remembered as long as the page lives.
    }
    const next = withFolds(location.hash, folds);
    // The entry of the history stays the same one: going back is about times, not about folding.
    if (next === location.hash) return;
    try {
        history.replaceState(history.state, "", next);
    } catch {
        // The address is not the page's own: a frame without one, or with a base elsewhere.
    }
}

/**
 * Follows what somebody writes into the address of a page that is the viewer's own.
 * @param {import("./context.js").Context} context
 */
export function followFoldsInAddress({ stage: { own, signal }, timeline }) {
    if (!own) return;
    const changed = () => {
        const folds = foldsIn(location.hash);
        // An entry of the page's own has been gone back to: it may be older than what is folded now.
        if (history.state) rememberFolds(timeline.folds);
        else if (folds) timeline.foldAs(folds);
    };
    addEventListener("hashchange", changed, { signal });
}

/**
 * @param {string} fragment
 * @returns {Folds | null} null if it says nothing of that
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
    return keys.length > 0 ? withValue(fragment, "tracks", keys.join()) : fragment;
}

/** @returns {Folds} */
function storedFolds() {
    try {
        const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
        return Object.fromEntries(Object.entries(stored).filter(([, folded]) => typeof folded === "boolean"));
    } catch {
        // What is stored may be anything, and a page may be forbidden to store.
        return {};
    }
}
