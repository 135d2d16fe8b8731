// The page's address says what to open and show: `#url=run.eventlog&t0=1000000&t1=5000000&panel=gc`. Times are ns from the log's first
// moment. While such a log is shown, the time in view is written there, so that a link or a reload shows it again.

import { valueIn, withValue } from "./fragment.js";

/** @param {string | null} text */
const isTime = (text) => text !== null && text.trim() !== "" && Number.isFinite(Number(text));

/** The keys in the address that say what to show of the log. */
const VIEW_KEYS = ["t0", "t1", "panel"];

/** The keys that say what is selected: link/following.js reads and writes them. */
const SELECTION_KEYS = ["range", "select"];

/**
 * @typedef {object} Acts
 * @property {(url: string) => number} load opens the log at an address, and returns the number of the opening
 * @property {() => void} cancel
 * @property {(listener: (now: import("./viewer.js").Openings) => void) => void} follow
 */

/**
 * @param {HTMLElement} viewer
 * @param {Acts} acts
 * @param {AbortSignal} signal
 */
export function followAddress(viewer, { load, cancel, follow }, signal) {
    /** The address of the log that was opened from here, or is being opened. @type {string | null} */
    let asked = null;
    /** The number of its opening. */
    let number = 0;
    /** Whether that log is on the screen. */
    let isShown = false;
    const forget = () => {
        [asked, isShown] = [null, false];
        for (const name of VIEW_KEYS) viewer.removeAttribute(name);
    };
    const clear = () => {
        forget();
        history.replaceState(
            history.state,
            "",
            ["url", ...VIEW_KEYS, ...SELECTION_KEYS].reduce((hash, name) => withValue(hash, name, null), location.hash),
        );
    };
    const read = () => {
        const url = valueIn(location.hash, "url");
        if (url === asked) return;
        const isUnasked = url === null && !isShown;
        forget();
        // The address that the user is asked about is gone.
        if (isUnasked) cancel();
        if (url === null) return;
        number = load(url);
        asked = url;
    };
    const requestView = () => {
        for (const name of VIEW_KEYS) {
            const text = valueIn(location.hash, name);
            if (text !== null && (name === "panel" || isTime(text))) viewer.setAttribute(name, text);
            else viewer.removeAttribute(name);
        }
    };
    follow(({ shown, coming, hasFailed }) => {
        if (asked === null) return;
        if (shown === number && !isShown) {
            isShown = true;
            requestView();
        } else if (shown !== number && coming !== number) {
            // If opening failed, reloading the page tries again; but a log that was closed or refused must not come back.
            if (hasFailed) forget();
            else clear();
        }
    });
    read();
    addEventListener("hashchange", read, { signal });
    viewer.addEventListener(
        "rangechange",
        (event) => {
            if (!isShown) return;
            const { t0, t1 } = /** @type {CustomEvent} */ (event).detail;
            const withFrom = withValue(location.hash, "t0", String(Math.round(t0)));
            history.replaceState(history.state, "", withValue(withFrom, "t1", String(Math.round(t1))));
        },
        { signal },
    );
    // A log that the user opens instead has no address.
    viewer.addEventListener("useropen", () => asked !== null && clear(), { signal });
}
