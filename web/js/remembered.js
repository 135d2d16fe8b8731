// What a viewer that owns its page remembers from one visit to the next. Pages opened from a file may have no storage: then a choice is kept
// as long as the page is open.

const PREFIX = "ghc-eventlog-viewer.";

/**
 * What was remembered. It may be from another version, or from another program.
 * @param {string} name of the choice
 * @returns {string | null} null if there is nothing
 */
export function remembered(name) {
    try {
        return localStorage.getItem(PREFIX + name);
    } catch {
        return null;
    }
}

/**
 * @param {string} name of the choice
 * @param {string} text
 * @returns {boolean} whether it is kept
 */
export function remember(name, text) {
    try {
        localStorage.setItem(PREFIX + name, text);
        return true;
    } catch {
        // There is no storage, or no room in it.
        return false;
    }
}

/** Whether anything was remembered: then this is not the first visit. A page without a storage does not know. */
export function isAnythingRemembered() {
    try {
        return Object.keys(localStorage).some((key) => key.startsWith(PREFIX));
    } catch {
        return true;
    }
}

/**
 * Takes a remembered choice into the state, and remembers it when it changes.
 * @template {"scaling" | "clock"} Name
 * @param {Pick<import("./context.js").Context, "stage" | "store">} context
 * @param {Name} name of the choice, and of its place in the state
 * @param {(written: string | null) => import("./state.js").State[Name]} read gives the first choice if it is none
 */
export function followRemembered({ stage, store }, name, read) {
    if (!stage.own) return;
    let last = read(remembered(name));
    store.set(/** @type {Partial<import("./state.js").State>} */ ({ [name]: last }));
    store.follow((state) => {
        if (state[name] !== last) remember(name, state[name]);
        last = state[name];
    });
}

/**
 * Calls a listener when a choice is changed in another tab.
 * @param {string} name of the choice
 * @param {() => void} listener
 * @param {AbortSignal} signal
 */
export function followOtherTabs(name, listener, signal) {
    // Without a key, all was removed.
    const heard = (/** @type {StorageEvent} */ { key }) => {
        if (key === null || key === PREFIX + name) listener();
    };
    addEventListener("storage", heard, { signal });
}
