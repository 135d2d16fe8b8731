// Which groups of tracks are folded, where their user has said so: a page's own viewer remembers it as long as the tab is open.

const KEY = "ghc-eventlog-viewer.folds";

/** @returns {Record<string, boolean>} by the group's key */
export function rememberedFolds() {
    try {
        const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
        return Object.fromEntries(Object.entries(stored).filter(([, folded]) => typeof folded === "boolean"));
    } catch {
        // What is stored may be anything, and a page may be forbidden to store.
        return {};
    }
}

/** @param {Record<string, boolean>} folds */
export function rememberFolds(folds) {
    try {
        sessionStorage.setItem(KEY, JSON.stringify(folds));
    } catch {
        // It is remembered as long as the page lives.
    }
}
