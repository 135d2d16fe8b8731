// Links: an address that shows what is on the screen. It names the log, by its own address or as a file that has to be dropped on the page, and
// what to show of it:
//
//     #url=logs/run.eventlog&t0=1000&t1=5000&select=12,1500
//     #file=run.eventlog&size=12345&log=12345-678&t0=1000&t1=5000&finding=gc-share
//
// Times are ns from the log's first moment.

import { valueIn, withValue } from "../fragment.js";

/** @typedef {import("../viewport.js").View} View */
/** @typedef {import("../state.js").LogState} LogState */

/** The keys that name the file of a log, and those that say what to show of it. */
const FILE_KEYS = ["file", "size", "log"];
export const SEEN_KEYS = ["t0", "t1", "range", "select", "panel", "finding", "find", "label", "notes", "rows"];

/** The keys that the page itself writes into its address while a log is open. */
const KEPT_KEYS = ["finding", "find", "label", "notes", "rows"];

/** The longest name of a file that is read from an address, which may contain anything. */
const LONGEST = 300;

/**
 * A link to a view of a file.
 * @typedef {object} Link
 * @property {string} file its name
 * @property {number} size in bytes; 0 if it is not known
 * @property {string} log how many bytes and events it has, see `markOf`; empty if that is not known
 * @property {string} fragment all of the link's fragment
 */

/**
 * What is to be seen of a log.
 * @typedef {object} Seen
 * @property {View | null} [view]
 * @property {View | null} [range]
 * @property {{ track: number, time: number } | null} [select]
 * @property {string | null} [panel] the key of a tab
 * @property {string | null} [finding]
 * @property {string | null} [find] a query
 * @property {string | null} [label]
 * @property {string | null} [notes]
 * @property {string | null} [rows] how they are arranged
 */

/**
 * The link in a fragment; null if it names no file. An address of a log is enough to open it.
 * @param {string} fragment
 * @returns {Link | null}
 */
export function linkIn(fragment) {
    const file = valueIn(fragment, "file");
    if (!file || valueIn(fragment, "url") !== null) return null;
    const size = Number(valueIn(fragment, "size") ?? 0);
    return {
        file: file.slice(0, LONGEST),
        size: size > 0 && Number.isFinite(size) ? size : 0,
        log: valueIn(fragment, "log") ?? "",
        fragment,
    };
}

/**
 * A value of the address that is meant for whichever log is opened: not that of a link to a file, which is for that file only.
 * @param {string} fragment
 * @param {string} key
 */
export function valueForAny(fragment, key) {
    return linkIn(fragment) ? null : valueIn(fragment, key);
}

/**
 * What distinguishes a log from others: how many bytes and events it has. A copy has the same, whatever it is called, also a compressed one.
 * @param {Pick<LogState, "log">} log that has been read
 */
export function markOf({ log }) {
    return log ? `${log.status.offset}-${log.status.events}` : "";
}

/**
 * Whether a log is the one that a link is about.
 * @param {Link} link
 * @param {Pick<LogState, "log" | "file">} log that has been read
 */
export function isAbout({ file, size, log: mark }, log) {
    if (mark) return mark === markOf(log);
    return log.file?.name === file && (size === 0 || log.file.size === size);
}

/**
 * A fragment without what is about a log.
 * @param {string} fragment
 */
export function withoutLog(fragment) {
    return [...FILE_KEYS, ...SEEN_KEYS].reduce((hash, key) => withValue(hash, key, null), fragment);
}

/**
 * A fragment that names the file of a log, unless the log has an address.
 * @param {string} fragment
 * @param {Pick<LogState, "log" | "file">} log
 */
export function withFile(fragment, log) {
    const { file } = log;
    const isFile = file !== null && !file.url;
    const values = isFile ? [file.name, file.size > 0 ? String(file.size) : null, markOf(log) || null] : [null, null, null];
    return FILE_KEYS.reduce((hash, key, at) => withValue(hash, key, values[at]), fragment);
}

/**
 * Whether a fragment says anything of a log that the page keeps there.
 * @param {string} fragment
 */
export function saysOfLog(fragment) {
    return KEPT_KEYS.some((key) => valueIn(fragment, key) !== null);
}

/**
 * A fragment with what is to be seen; what is not given stays as it is, null takes it away.
 * @param {string} fragment
 * @param {Seen} seen
 */
export function withSeen(fragment, { view, range, select, ...texts }) {
    /** @type {Record<string, string | number | null | undefined>} */
    const values = {
        t0: view && whole(view.from),
        t1: view && whole(view.to),
        range: range && `${whole(range.from)},${whole(range.to)}`,
        select: select && `${select.track},${whole(select.time)}`,
        ...texts,
    };
    return Object.entries(values).reduce(
        (hash, [key, value]) => (value === undefined ? hash : withValue(hash, key, value === null ? null : String(value))),
        fragment,
    );
}

/**
 * What a fragment says is to be seen.
 * @param {string} fragment
 * @returns {Seen}
 */
export function seenIn(fragment) {
    const text = (/** @type {string} */ key) => valueIn(fragment, key);
    const [t0, t1] = [text("t0"), text("t1")].map((value) => (value === null || value.trim() === "" ? NaN : Number(value)));
    const [from, to] = pairIn(text("range"));
    const [track, time] = pairIn(text("select"));
    return {
        view: t1 > t0 ? { from: t0, to: t1 } : null,
        range: to > from ? { from, to } : null,
        select: Number.isSafeInteger(track) && Number.isFinite(time) ? { track, time } : null,
        panel: text("panel"),
        finding: text("finding"),
        find: text("find"),
        label: text("label"),
        notes: text("notes"),
        rows: text("rows"),
    };
}

/** @param {string | null} text two numbers */
function pairIn(text) {
    const parts = text?.split(",") ?? [];
    return parts.length === 2 && parts.every((part) => part.trim() !== "") ? parts.map(Number) : [NaN, NaN];
}

/** @param {number} ns the fraction of a ns has no meaning, but a range that is shorter must not become empty */
function whole(ns) {
    return Math.round(ns);
}
