// The messages between this page and the page that has it in a frame: see docs/embedding.md. That page may open logs here and set the view.
// In return, it gets events about the logs that it opened itself; no other page gets them.

/** The name that all these messages have. */
const VIEWER = "ghc-eventlog-viewer";

/** The version of the format: messages with another one are refused. */
export const VERSION = 1;

/** Most bytes of a log that is sent, and most letters of its name. */
const MOST_BYTES = 2 ** 30;
const MOST_NAME = 255;

/** @typedef {{ kind: "open", name: string, data: Blob } | { kind: "show", t0: number | null, t1: number | null, panel: string | null } | { kind: "close" }} Wanted */

/**
 * Reads a message.
 * @param {unknown} data may be anything
 * @returns {Wanted | string | null} the reason why it is refused; null if it is not one of these messages
 */
export function wanted(data) {
    const message = /** @type {Record<string, unknown>} */ (data);
    if (typeof data !== "object" || data === null || message.viewer !== VIEWER) return null;
    if (message.version !== VERSION) return `this viewer speaks version ${VERSION}`;
    const { kind } = message;
    if (kind === "close") return { kind };
    if (kind === "open") {
        const { name, data } = message;
        if (typeof name !== "string" || name.length === 0 || name.length > MOST_NAME)
            return `name is not a text of 1 to ${MOST_NAME} letters`;
        const blob = data instanceof ArrayBuffer ? new Blob([data]) : data;
        if (!(blob instanceof Blob)) return "data is neither a Blob nor an ArrayBuffer";
        return blob.size <= MOST_BYTES ? { kind, name, data: blob } : `data has more than ${MOST_BYTES} bytes`;
    }
    if (kind !== "show") return "kind must be open, show or close";
    const { t0 = null, t1 = null, panel = null } = message;
    for (const time of [t0, t1]) if (time !== null && !Number.isFinite(time)) return "t0 and t1 must be numbers of ns, or null";
    if (panel !== null && typeof panel !== "string") return "panel must be a text, or null";
    return { kind, t0: /** @type {number | null} */ (t0), t1: /** @type {number | null} */ (t1), panel };
}

/**
 * Listens to the page around this one, if there is one.
 * @param {HTMLElement & { close: () => void }} viewer
 * @param {(blob: Blob, name: string) => number} open opens a log, and returns the number of the opening
 * @param {AbortSignal} signal
 * @returns {(kind: string, detail: object | null, opening: number) => void} sends an event about a log that the page around has opened
 */
export function followParent(viewer, open, signal) {
    if (parent === window) return () => {};
    /**
     * Who opened which log, by the openings' numbers. The shown log may be the user's while one of the page's is being opened, and after
     * that has failed or was given up.
     * @type {Map<number, string>}
     */
    const origins = new Map();
    /** @param {object} message @param {string} to */
    const send = (message, to) => parent.postMessage({ viewer: VIEWER, version: VERSION, ...message }, to === "null" ? "*" : to);
    /** @param {MessageEvent} event */
    const heard = (event) => {
        if (event.source !== parent) return;
        const message = wanted(event.data);
        if (message === null) return;
        if (typeof message === "string") return send({ kind: "refused", why: message }, event.origin);
        if (message.kind === "open") origins.set(open(message.data, message.name), event.origin);
        else if (message.kind === "close") viewer.close();
        else {
            for (const name of /** @type {const} */ (["t0", "t1", "panel"])) {
                if (message[name] === null) viewer.removeAttribute(name);
                else viewer.setAttribute(name, String(message[name]));
            }
        }
    };
    addEventListener("message", heard, { signal });
    send({ kind: "hello" }, "*");
    return (kind, detail, opening) => {
        const origin = origins.get(opening);
        if (origin !== undefined) send({ kind, detail }, origin);
    };
}
