// A log on a server. It is read once, as a stream. Parts that must be read again are requested from the server if it supports ranges, or
// else come from a copy.

import { Copy } from "./copy.js";
import { Unreadable } from "./unreadable.js";
import { isWebPage, webPage } from "./remote/answer.js";
import { RemoteFile } from "./remote/file.js";
import { RemoteLog, SMALL } from "./remote/log.js";
import { isPacked } from "./source.js";
import { urlOf } from "../url.js";

/** The interval between two reports of progress, in ms. */
const PROGRESS = 100;

/**
 * @param {{ url: string, asks: boolean }} origin `asks`: whether the user must agree before any server but the page's own is asked
 * @param {AbortSignal} signal aborts when the log is no longer wanted
 * @param {(question: import("../protocol.js").Question) => Promise<void>} askReader resolves when the user agrees
 * @param {import("./wanted.js").Tell} tell
 * @returns {Promise<import("./source.js").Source | Blob>} the whole file as a blob if it is an archive or compressed
 */
export async function load({ url, asks }, signal, askReader, tell) {
    const { file, connection } = await RemoteFile.open(checked(url), asks ? askReader : null, signal);
    /** @param {number | null} retryIn */
    const progress = (retryIn) => tell("loading", { read: log.received, size: log.size, retryIn });
    const log = new RemoteLog(file, connection, progress);
    const head = await log.head();
    if (isWebPage(connection.response, head)) throw webPage(new URL(connection.response.url));
    const givesParts = await file.givesParts();
    if (isPacked(head)) return downloaded(log, () => progress(null));
    const isShort = file.size > 0 && file.size <= SMALL;
    if (isShort || !givesParts) log.keep();
    return log;
}

/** @param {string} address from the URL of the page: it may be anything */
function checked(address) {
    const url = urlOf(address);
    if (!url) throw new Unreadable("this is not an address");
    if (!/^https?:$/.test(url.protocol)) throw new Unreadable("logs can only be loaded from addresses that begin with https or http");
    if (url.username || url.password)
        throw new Unreadable("its address contains a user name or a password, which the viewer does not send");
    return url;
}

/**
 * @param {RemoteLog} log
 * @param {() => void} progress
 */
async function downloaded(log, progress) {
    const copy = new Copy();
    let lastProgress = 0;
    for await (const piece of log.pieces()) {
        await copy.add(piece);
        if (log.used > Copy.LIMIT)
            throw new Unreadable(`compressed logs are loaded up to ${Copy.LIMIT / 2 ** 30} GiB; download it and drop it here`);
        if (performance.now() < lastProgress + PROGRESS) continue;
        lastProgress = performance.now();
        progress();
    }
    return copy.blob();
}
