// What the page's address says is to be opened and seen: `#url=run.eventlog&t0=1000000&t1=5000000&panel=gc`. Times are ns from the log's
// first moment. Of a log that came by the address, what is in view stands there, so that a link or a reload shows it again.

import { valueIn, withValue } from "./fragment.js";

/** @param {string | null} text */
const isTime = (text) => text !== null && text.trim() !== "" && Number.isFinite(Number(text));

/**
 * @param {HTMLElement} viewer
 * @param {AbortSignal} signal
 */
export function followAddress(viewer, signal) {
    /** The address of the log that is shown, if it came from here. @type {string | null} */
    let shown = null;
    const read = () => {
        const url = valueIn(location.hash, "url");
        if (url === null || url === shown) return;
        shown = url;
        for (const name of ["t0", "t1"]) {
            const text = valueIn(location.hash, name);
            if (text !== null && isTime(text)) viewer.setAttribute(name, text);
            else viewer.removeAttribute(name);
        }
        const panel = valueIn(location.hash, "panel");
        if (panel !== null) viewer.setAttribute("panel", panel);
        viewer.setAttribute("src", url);
    };
    read();
    addEventListener("hashchange", read, { signal });
    viewer.addEventListener("rangechange", (event) => {
        if (shown === null) return;
        const { t0, t1 } = /** @type {CustomEvent} */ (event).detail;
        const withFrom = withValue(location.hash, "t0", String(Math.round(t0)));
        history.replaceState(history.state, "", withValue(withFrom, "t1", String(Math.round(t1))));
    }, { signal });
    // What the user opens instead has no address.
    viewer.addEventListener("useropen", () => {
        if (shown === null) return;
        shown = null;
        for (const name of ["t0", "t1", "panel"]) viewer.removeAttribute(name);
        history.replaceState(history.state, "", ["url", "t0", "t1", "panel"].reduce((hash, name) => withValue(hash, name, null), location.hash));
    }, { signal });
}
