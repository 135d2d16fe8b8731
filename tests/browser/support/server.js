// A web server for the built page. It is also the browser's proxy, so it sees all requests of the page to any server.

import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { WITHIN } from "./within.js";

const TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
};

/** Whether a request is from the page's service worker, or from the browser for the page as an app: after the page has loaded. */
const isInstalling = ({ headers, url }) =>
    headers["service-worker"] === "script" || /\/sw\.js$/.test(headers.referer ?? "") || /\/manifest\.webmanifest$|\/icons\//.test(url);

/**
 * @param {string} folder to serve
 * @param {string} base the path where it is served, with a slash at both ends
 * @param {object} [how]
 * @param {number} [how.delay] how long each answer takes, in ms
 * @param {Record<string, string>} [how.headers] more headers
 * @param {import("./logs.js").Logs} [how.logs] logs that are served in their own ways
 * @param {boolean} [how.within] whether `within.js` can reach into the page's worker
 * @param {{ key: string, cert: string }} [how.secure] its certificate, if it answers by https
 */
export async function serve(folder, base, { delay = 0, headers = {}, logs, within = false, secure } = {}) {
    /** All requests of pages, by full address, and when, in ms. */
    const requests = [];
    const arrivals = [];
    /** The requests of their service worker. */
    const installs = [];
    const scheme = secure ? "https" : "http";
    const answer = async (request, response) => {
        const url = new URL(request.url, `${scheme}://${request.headers.host}`);
        if (isInstalling(request)) installs.push(url.href);
        else {
            requests.push(url.href);
            arrivals.push(performance.now());
        }
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        if (logs?.answer(request, response, url)) return;
        const file = await fileOf(url.pathname).catch(() => null);
        response.writeHead(file ? 200 : 404, file ? { "content-type": TYPES[file.type] ?? "text/plain", ...headers } : {});
        response.end(file?.bytes);
    };
    const server = secure ? createSecureServer(secure, answer) : createServer(answer);
    for (const event of ["connect", "upgrade"]) {
        server.on(event, (request, socket) => {
            requests.push(`${event} ${request.url}`);
            socket.destroy();
        });
    }

    async function fileOf(path) {
        if (!path.startsWith(base)) return null;
        const name = normalize(decodeURIComponent(path.slice(base.length))) || ".";
        if (name.startsWith("..")) return null;
        const file = name === "." ? "index.html" : name;
        const bytes = await readFile(join(folder, file));
        return {
            bytes: within && file === join("js", "worker.js") ? Buffer.concat([Buffer.from(WITHIN), bytes]) : bytes,
            type: extname(file),
        };
    }

    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `${scheme}://127.0.0.1:${server.address().port}`;
    const close = () => {
        server.close();
        server.closeAllConnections();
    };
    return { origin, url: `${origin}${base}`, requests, arrivals, installs, close };
}
