// The scale of lines: the top of a row is the largest value of the whole log, so that places can be compared, or the largest in view, so
// that small values are visible. A viewer that owns its page remembers the choice.

/** @typedef {"log" | "view"} Scaling */

const KEY = "ghc-eventlog-viewer.scaling";

/** @type {Scaling} */
export const FIRST = "log";

/** The key that changes it. */
export const SCALE_KEY = "L";

/** The choices in words. @type {Record<Scaling, string>} */
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
 * Takes the remembered choice, and remembers new ones.
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
 * The stored text may be from another version, or from another program.
 * @param {string | null} written
 * @returns {Scaling}
 */
export function scalingOf(written) {
    return written === "view" || written === "log" ? written : FIRST;
}

/** Pages opened from a file may have no storage. */
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
        // It cannot be stored: then it is kept as long as the page is open.
    }
}
