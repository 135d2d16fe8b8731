// One request to a server and its answer, until that ends, breaks, or stalls.

import { holdOn, letGo } from "../reading.js";

/** Bytes that are read at a time. */
const BUFFER = 1 << 20;

/** When nothing has come for this many ms, the connection counts as broken: slow servers and short losses of the network take less. */
const STALLED = 30_000;

/** Longest time until an answer begins, in ms: browsers have at most six requests to a server at a time, and others wait. */
const UNANSWERED = 180_000;

/** Pauses before trying a broken connection again, in ms; after the last one it is given up. */
const PAUSES = [500, 1000, 2000, 4000, 8000];

/** The connection broke: trying again may help. */
export class Broken extends Error {}

/** @typedef {{ response: Response, pieces: () => AsyncGenerator<Uint8Array, void, void>, close: () => void }} Connection
 *     a piece is valid until the next one */

/**
 * No cookies, passwords or `Referer` are sent; browsers always send another server the page's origin. The browser's cache is not used: the
 * file may be larger than that, and its bytes from the cache would not show that the file has changed.
 * @param {URL} url
 * @param {string | null} range the `Range` header. With it, browsers ask for the file uncompressed; a range of this form needs no preflight
 *     at a server of another origin
 * @param {import("./requests.js").Following} following
 * @param {AbortSignal} signal ends the request
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
 * Reads a body into one buffer, where streams can do that: each piece is valid until the next one. Browsers are late to free the buffers
 * that they allocate for many small pieces.
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

/** The pauses after a broken connection. */
export function pauses() {
    return PAUSES.values();
}

/** The same, with no pause at first: the server has ended the connection without an error, but not the file. */
export function noPauseFirst() {
    return [0, ...PAUSES].values();
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal makes it fail at once
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
