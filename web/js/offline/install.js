// Makes the page an app that starts without a network: names it as one, installs the service worker that keeps its files, and notifies the
// user of a new version.
//
// Only for a page that the viewer owns, at the top of its tab. The service worker is installed right after the page has loaded, but not
// once a log has been opened: from then on the page sends no requests.

import { NewVersion } from "./new-version.js";

/** The folder of the page's files. */
const FOLDER = new URL("../", import.meta.url).href;

/** @param {HTMLElement} viewer the viewer that owns the page */
export async function keepOffline(viewer) {
    if (!isOwnPage()) return;
    const note = new NewVersion(viewer);
    await atRest();
    // Not in the page's HTML: then browsers would request it and its icon while they load the page.
    document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: `${FOLDER}manifest.webmanifest` }));
    const { serviceWorker } = navigator;
    if (!serviceWorker.controller && viewer.dataset.state !== "empty") return;
    // If the browser stores nothing, or no longer finds it, the page works as without a service worker.
    const registration = await serviceWorker.register(`${FOLDER}sw.js`).catch(() => null);
    if (registration) tellOfNew(registration, note);
}

function isOwnPage() {
    const { origin, pathname } = location;
    const isTop = [FOLDER, `${FOLDER}index.html`].includes(origin + pathname) && self === top;
    return isTop && isSecureContext && "serviceWorker" in navigator;
}

/** Waits until the page has loaded and is idle. */
async function atRest() {
    if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
    await new Promise((resolve) => ("requestIdleCallback" in self ? requestIdleCallback(resolve) : setTimeout(resolve)));
}

/**
 * @param {ServiceWorkerRegistration} registration
 * @param {NewVersion} note
 */
function tellOfNew(registration, note) {
    const look = () => {
        const { active, waiting } = registration;
        // The very first version also waits for a moment, but it replaces none.
        if (active && waiting) note.show(waiting);
    };
    const follow = () => registration.installing?.addEventListener("statechange", look);
    look();
    follow();
    registration.addEventListener("updatefound", follow);
}
