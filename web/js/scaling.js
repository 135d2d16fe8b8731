// What the height of a line's row stands for: the largest value of the whole log, so that places can be compared, or the largest in
// view, so that little ones can be seen. A page's own viewer remembers it.

/** @typedef {"log" | "view"} Scaling */

const KEY = "ghc-eventlog-viewer.scaling";

/** @type {Scaling} */
export const FIRST = "log";

/** The key that changes it. */
export const SCALE_KEY = "L";

/** In words. @type {Record<Scaling, string>} */
export const SCALED = {
    log: "Lines are scaled to the whole log",
    view: "Lines are scaled to what is in view",
};

/**
 * The other one.
 * @param {Scaling} scaling
 * @returns {Scaling}
 */
export function other(scaling) {
    return scaling === "log" ? "view" : "log";
}

/**
 * Takes what is remembered, and remembers what is chosen.
 * @param {import("./context.js").Context} context
 */
export function followScaling({ stage, store }) {
    if (!stage.own) return;
    store.set({ scaling: remembered() });
    let last = store.value.scaling;
    store.follow(({ scaling }) => {
        if (scaling !== last) remember(scaling);
        last = scaling;
    });
}

/**
 * What was written may be another version's, or anybody's.
 * @param {string | null} written
 * @returns {Scaling}
 */
export function scalingOf(written) {
    return written === "view" || written === "log" ? written : FIRST;
}

/** Pages from a file may have no storage. */
function remembered() {
    try {
        return scalingOf(localStorage.getItem(KEY));
    } catch {
        return FIRST;
    }
}

/** @param {Scaling} scaling */
function remember(scaling) {
    try {
        localStorage.setItem(KEY, scaling);
    } catch {
        // Then it lasts as long as the page.
    }
}
