// What the page's address says is to be opened and seen: `#url=run.eventlog&t0=1000000&t1=5000000&panel=gc`. Times are ns from the log's
// first moment. Of a log that came by the address, what is in view stands there, so that a link or a reload shows it again.

import { valueIn, withValue } from "./fragment.js";

/** @param {string | null} text */
const isTime = (text) => text !== null && text.trim() !== "" && Number.isFinite(Number(text));

/** What stands in it beside the log's address, and is wished of that log. */
const WISHES = ["t0", "t1", "panel"];

/**
 * @typedef {object} Acts
 * @property {(url: string) => number} load opens the log of an address, and gives the opening's number
 * @property {() => void} cancel
 * @property {(listener: (now: import("./viewer.js").Openings) => void) => void} follow
 */

/**
 * @param {HTMLElement} viewer
 * @param {Acts} acts
 * @param {AbortSignal} signal
 */
export function followAddress(viewer, { load, cancel, follow }, signal) {
    /** The address of the log that came from here, or is on its way. @type {string | null} */
    let asked = null;
    /** The number of its opening. */
    let number = 0;
    /** Whether it is the log that is shown. */
    let isShown = false;
    const forget = () => {
        [asked, isShown] = [null, false];
        for (const name of WISHES) viewer.removeAttribute(name);
    };
    const clear = () => {
        forget();
        history.replaceState(
            history.state,
            "",
            ["url", ...WISHES].reduce((hash, name) => withValue(hash, name, null), location.hash),
        );
    };
    const read = () => {
        const url = valueIn(location.hash, "url");
        if (url === asked) return;
        const isUnasked = url === null && !isShown;
        forget();
        // A question that nobody asks any more.
        if (isUnasked) cancel();
        if (url === null) return;
        number = load(url);
        asked = url;
    };
    const wish = () => {
        for (const name of WISHES) {
            const text = valueIn(location.hash, name);
            if (text !== null && (name === "panel" || isTime(text))) viewer.setAttribute(name, text);
            else viewer.removeAttribute(name);
        }
    };
    follow(({ shown, coming, hasFailed }) => {
        if (asked === null) return;
        if (shown === number && !isShown) {
            isShown = true;
            wish();
        } else if (shown !== number && coming !== number) {
            // What failed can be tried again by loading the page anew; what was closed or refused is not to come back.
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
    // What the user opens instead has no address.
    viewer.addEventListener("useropen", () => asked !== null && clear(), { signal });
}
