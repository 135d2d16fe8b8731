// One request to a server, and what comes of it, until it is over, it breaks, or nothing comes any more.

import { holdOn, letGo } from "../reading.js";

/** Bytes that are read at a time. */
const BUFFER = 1 << 20;

/** A connection on which nothing has come for so long, in ms, counts as broken: slow servers and short losses of the network take less. */
const STALLED = 30_000;

/** How long an answer may take to begin, in ms: browsers ask a server at most six things at a time, and others wait. */
const UNANSWERED = 180_000;

/** Pauses before a broken connection is made again, in ms; after the last one it is given up. */
const PAUSES = [500, 1000, 2000, 4000, 8000];

/** The connection broke: trying again may help. */
export class Broken extends Error {}

/** @typedef {{ response: Response, pieces: () => AsyncGenerator<Uint8Array, void, void>, close: () => void }} Connection
 *     a piece holds until the next one */

/**
 * No cookies, passwords or `Referer` are sent; another server is told the page's origin, as browsers always do. What is read is not kept
 * by the browser: it may be larger than its cache, and what that gives later would not tell that the file has changed.
 * @param {URL} url
 * @param {string | null} range which bytes, as the header has it. With that browsers ask for the file as it is, not compressed for the
 *     way; a range of this form needs no leave of a server of another origin
 * @param {import("./requests.js").Following} following
 * @param {AbortSignal} signal ends it
 * @returns {Promise<Connection>}
 */
export async function connect(url, range, following, signal) {
    const control = new AbortController();
    const end = () => control.abort();
    /**
     * @template T
     * @param {Promise<T>} coming
     * @param {number} most in ms
     */
    const within = async (coming, most) => {
        const timer = setTimeout(end, most);
        try {
            return await coming;
        } catch (error) {
            signal.throwIfAborted();
            throw new Broken(String(error));
        } finally {
            clearTimeout(timer);
        }
    };
    const close = () => {
        signal.removeEventListener("abort", end);
        end();
    };
    signal.throwIfAborted();
    signal.addEventListener("abort", end);
    const headers = range === null ? undefined : { range };
    const request = {
        headers,
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
        ...following,
        signal: control.signal,
    };
    const asked = fetch(url, /** @type {RequestInit} */ (request));
    const response = await within(asked, UNANSWERED).catch((error) => {
        close();
        throw error;
    });
    async function* pieces() {
        const reader = response.body && holdOn(readerOf(response.body));
        try {
            while (reader) {
                const { done, value } = await within(reader.read(), STALLED);
                if (done || !value) return;
                yield value;
            }
        } finally {
            if (reader) letGo(reader);
            close();
        }
    }
    return { response, pieces, close };
}

/**
 * Reads a body into one buffer, where streams take such: each piece holds until the next one. What browsers allocate themselves for
 * many small pieces is given up late.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 */
function readerOf(body) {
    let reader;
    try {
        reader = body.getReader({ mode: "byob" });
    } catch {
        return body.getReader();
    }
    let buffer = new ArrayBuffer(BUFFER);
    const read = async () => {
        const { done, value } = await reader.read(new Uint8Array(buffer));
        if (value) ({ buffer } = value);
        return { done, value };
    };
    return { read, cancel: () => reader.cancel() };
}

/** The pauses before what follows a broken connection. */
export function pauses() {
    return PAUSES.values();
}

/** The same where none is needed first: the server has ended the connection, but not the file. */
export function noPauseFirst() {
    return [0, ...PAUSES].values();
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal fails at once
 * @returns {Promise<void>}
 */
export function sleep(ms, signal) {
    return new Promise((resolve, reject) => {
        const end = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal.removeEventListener("abort", end);
            resolve();
        }, ms);
        signal.addEventListener("abort", end, { once: true });
    });
}
