// The logs that were opened last, by name. One with an address can be opened again; a file only where the browser gives the page something to
// remember it by (the File System Access API), and the user agrees. Everything stays in this browser.

import { fileText } from "./words.js";
import { follow } from "./store.js";
import { remember, remembered } from "./remembered.js";
import { shownOf } from "./state.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {{ name: string, size: number, url?: string }} Recent `size` in bytes, 0 if it is not known */
/**
 * What Chromium's files have besides the standard.
 * @typedef {FileSystemFileHandle & { requestPermission?: (wish: { mode: "read" }) => Promise<PermissionState> }} Handle
 */

const NAME = "recent";

/** Most logs in the list. */
const MOST = 10;

/** Where the browser keeps what files are opened again by. */
const DATABASE = "ghc-eventlog-viewer";
const FILES = "files";

/** What the last files that came can be opened again by, by their keys. @type {Map<string, Promise<FileSystemHandle | null>>} */
const byKey = new Map();

/** @param {Recent} recent */
const keyOf = ({ name, size, url }) => url ?? `${name} ${size}`;

/**
 * Notes what a file can be opened again by.
 * @param {File} file
 * @param {Promise<FileSystemHandle | null>} handle
 */
export function noteHandle(file, handle) {
    byKey.set(keyOf(file), handle);
    for (const key of [...byKey.keys()].slice(0, -MOST)) byKey.delete(key);
}

/** The list, the last one first. @returns {Recent[]} */
export function recentLogs() {
    try {
        const written = JSON.parse(remembered(NAME) ?? "[]");
        if (!Array.isArray(written)) return [];
        return written.slice(0, MOST).flatMap(({ name, size, url } = {}) => {
            if (typeof name !== "string" || typeof size !== "number" || !["string", "undefined"].includes(typeof url)) return [];
            return [url === undefined ? { name, size } : { name, size, url }];
        });
    } catch {
        return [];
    }
}

/**
 * Remembers each log that has been read.
 * @param {Context} context
 */
export function followRecent({ stage, store }) {
    if (!stage.own) return;
    follow(
        store,
        (state) => [state.shown, shownOf(state).finished],
        (state) => {
            const { file, finished } = shownOf(state);
            if (!finished || !file?.name) return;
            const { name, size, url } = file;
            const recent = url ? { name, size, url } : { name, size };
            // The example has neither.
            if (!url && size === 0) return;
            const others = recentLogs().filter((other) => keyOf(other) !== keyOf(recent));
            remember(NAME, JSON.stringify([recent, ...others].slice(0, MOST)));
            void byKey.get(keyOf(recent))?.then((handle) => handle && keep(keyOf(recent), handle));
        },
    );
}

/**
 * Opens a log again, or says what is needed for that.
 * @param {Context} context
 * @param {Recent} recent
 */
export async function openAgain({ opener, note }, recent) {
    if (recent.url) return void opener.load(recent.url, true);
    const file = await fileOf(keyOf(recent));
    if (file) return opener.openAsUser(file);
    note(`Drop ${fileText({ file: recent.name, size: recent.size })} on this page: the browser cannot open it again by itself`);
}

/** Forgets all of them. */
export async function forgetRecent() {
    remember(NAME, "[]");
    await inFiles("readwrite", (files) => files.clear());
}

/**
 * A file that was opened before; null if the browser does not know it any more, or the user does not agree.
 * @param {string} key
 */
async function fileOf(key) {
    try {
        const handle = /** @type {Handle | undefined} */ (await inFiles("readonly", (files) => files.get(key)));
        if ((await handle?.requestPermission?.({ mode: "read" })) === "denied") return null;
        return (await handle?.getFile()) ?? null;
    } catch {
        return null;
    }
}

/**
 * @param {string} key
 * @param {FileSystemHandle} handle
 */
function keep(key, handle) {
    return inFiles("readwrite", (files) => files.put(handle, key));
}

/**
 * Does something in the browser's database; undefined if there is none.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(files: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T | undefined>}
 */
function inFiles(mode, act) {
    return new Promise((resolve) => {
        const none = () => resolve(undefined);
        try {
            const opening = indexedDB.open(DATABASE, 1);
            opening.onupgradeneeded = () => opening.result.createObjectStore(FILES);
            opening.onerror = none;
            opening.onsuccess = () => {
                try {
                    const request = act(opening.result.transaction(FILES, mode).objectStore(FILES));
                    request.onsuccess = () => resolve(request.result);
                    request.onerror = none;
                } catch {
                    // Not everything can be stored, and a table may be missing.
                    none();
                } finally {
                    // It closes once the request has ended.
                    opening.result.close();
                }
            };
        } catch {
            // Storing is forbidden.
            none();
        }
    });
}
