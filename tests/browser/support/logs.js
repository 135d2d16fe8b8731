// Logs on a server, each served in its own way: with ranges or without, whole or cut off, and so on.

import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";

/**
 * @typedef {object} How
 * @property {Buffer | string} log its bytes, or the path of its file
 * @property {boolean} [ranges] whether ranges are supported; true if missing
 * @property {number} [cap] most bytes in an answer to a request for a range
 * @property {string | null} [allow] the header that lets other sites' pages read it: all may, unless this is null
 * @property {string[]} [shows] headers that those pages may see
 * @property {Record<string, string>} [headers]
 * @property {number} [status] of all answers
 * @property {string} [location] where it redirects to
 * @property {number[]} [cuts] the connection is cut after this many bytes: of the first answer, of the second…
 * @property {{ at: number, until: Promise<void> }} [hold] sends the whole log only up to `at`, until the promise resolves
 * @property {boolean} [packs] whether it is compressed by the server, without its length
 */

/** @typedef {{ path: string, method: string, range: string | undefined, cookie: string | undefined, referer: string | undefined, ended?: string }} Asked */

export class Logs {
    /** The requests, in order. @type {Asked[]} */
    asked = [];
    /** @type {Map<string, How>} */
    #logs = new Map();

    /**
     * @param {string} name
     * @param {How} how
     */
    put(name, how) {
        this.#logs.set(`/logs/${name}`, { ...how });
    }

    /** The requests for a log. */
    of(name) {
        return this.asked.filter(({ path }) => path === `/logs/${name}`);
    }

    /** Whether this was a request for a log. */
    answer(request, response, { pathname: path }) {
        const how = this.#logs.get(path);
        if (!how) return false;
        const { range, cookie, referer } = request.headers;
        const asked = { path, method: request.method, range, cookie, referer };
        this.asked.push(asked);
        response.on("close", () => (asked.ended = response.writableFinished ? "whole" : "cut"));
        send(how, request, response);
        return true;
    }
}

function send(how, request, response) {
    const { log, ranges = true, allow = "*", shows = [], cap = Infinity, headers = {}, cuts = [], packs } = how;
    const size = typeof log === "string" ? statSync(log).size : log.length;
    response.setHeader("content-type", "application/octet-stream");
    if (allow !== null) response.setHeader("access-control-allow-origin", allow);
    if (shows.length > 0) response.setHeader("access-control-expose-headers", shows.join(", "));
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.method !== "GET") return response.writeHead(405).end();
    if (how.location) return response.writeHead(302, { location: how.location }).end();
    if (how.status) return response.writeHead(how.status).end(log);
    if (packs) return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(log));
    const [, first, last] = (ranges && /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "")) || [];
    const from = Number(first ?? 0);
    const to = first === undefined ? size : Math.min(last ? Number(last) + 1 : size, size, from + cap);
    if (first !== undefined && from >= size) return response.writeHead(416, { "content-range": `bytes */${size}` }).end();
    if (first !== undefined) response.setHeader("content-range", `bytes ${from}-${to - 1}/${size}`);
    response.writeHead(first === undefined ? 200 : 206, { "content-length": to - from });
    // If a connection is cut before any of its answer has come, browsers try again by themselves.
    response.flushHeaders();
    const until = cuts.length > 0 ? from + cuts.shift() : to;
    const poured = pour(how, response, from, Math.min(until, to));
    // Cut only after the bytes before the cut have arrived; the browser may be gone by then.
    poured.then(
        () => (until < to ? setTimeout(() => response.socket?.destroy(), 300) : response.end()),
        () => {},
    );
}

/** Sends some bytes of a log, as fast as the browser takes them. */
async function pour({ log, hold }, response, from, to) {
    const stops = hold && hold.at > from && hold.at < to && to - from > 16 << 20 ? [hold.at, to] : [to];
    for (const stop of stops) {
        if (stop === from) break;
        const bytes =
            typeof log === "string" ? createReadStream(log, { start: from, end: stop - 1 }) : Readable.from([log.subarray(from, stop)]);
        await pipeline(bytes, response, { end: false });
        from = stop;
        if (stop !== to) await hold.until;
    }
}
