// The page's service worker: it keeps the files of one version of the page and answers requests for them, so that the page starts without a
// network. It handles no other requests: no log, no part of a file, no other server.
//
// No page gets files of two versions: a new version waits until no page uses the one before (TAKE_OVER asks for that), and its files are
// checked against the hashes that were built with it.

import { TAKE_OVER } from "./offline/protocol.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { scope } = worker.registration;

/** All pages of an origin share its caches, and other paths may have a viewer, too. */
const OURS = `ghc-eventlog-viewer ${scope} `;
const CACHE = OURS + VERSION;

/** The hash of each file by its address. */
const files = new Map(Object.entries(FILES).map(([path, hash]) => [new URL(path, scope).href, hash]));

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
worker.addEventListener("fetch", (event) => {
    const url = fileOf(event.request);
    if (url) event.respondWith(kept(url, event.request));
});
worker.addEventListener("message", (event) => {
    if (event.data === TAKE_OVER) event.waitUntil(takeOver(event));
});

async function keep() {
    // An existing cache may be in use, by a service worker that differs from this one only in its own code.
    const isNew = !(await caches.has(CACHE));
    const cache = await caches.open(CACHE);
    const all = await Promise.allSettled([...files].map(async ([url, hash]) => cache.put(url, await fetched(url, `sha256-${hash}`))));
    const failed = all.find((one) => one.status === "rejected");
    if (!failed) return;
    // Otherwise, the incomplete cache would be kept until another version is in use.
    if (isNew) await caches.delete(CACHE);
    throw failed.reason;
}

/**
 * A file of this version, or a failure.
 * @param {string} url
 * @param {string} integrity
 */
async function fetched(url, integrity) {
    // The page has just loaded most files, so the browser's cache has them.
    const response = await fetch(url, { integrity }).catch(() => fetch(url, { integrity, cache: "reload" }));
    // Browsers refuse a redirected response for the page itself, so copy it.
    return response.redirected ? new Response(response.body, { headers: response.headers }) : response;
}

async function forgetOthers() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== CACHE).map((name) => caches.delete(name)));
}

/**
 * The address of the requested file, if it is one of this version's.
 * @param {Request} request
 */
function fileOf({ method, mode, headers, url }) {
    if (method !== "GET" || headers.has("range")) return null;
    const { origin, pathname, search } = new URL(url);
    const plain = origin + pathname;
    if (mode === "navigate") return plain === scope || plain === `${scope}index.html` ? scope : null;
    return files.has(plain + search) ? plain + search : null;
}

/**
 * @param {string} url
 * @param {Request} request sent to the network if the browser has deleted the cache
 */
async function kept(url, request) {
    const cache = await caches.open(CACHE);
    return (await cache.match(url)) ?? fetch(request);
}

/** @param {ExtendableMessageEvent} event */
async function takeOver({ source, ports: [port] }) {
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const asking = /** @type {Client | null} */ (source);
    const others = pages.filter(({ id, url }) => id !== asking?.id && url.startsWith(scope)).length;
    if (others === 0) await worker.skipWaiting();
    port.postMessage(others);
}
