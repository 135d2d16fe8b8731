// The page as an app, which starts without a network: says what it is called as one, installs the service worker that keeps its files,
// and tells of a new version.
//
// That is for the page that is the viewer's own, at the top of its tab. Its files are kept right after the page has loaded, and never
// begun to be once a log has been opened: what the page does then, it does without a request.

import { NewVersion } from "./new-version.js";

/** Where all files of the page are. */
const FOLDER = new URL("../", import.meta.url).href;

/** @param {HTMLElement} viewer whose page this is */
export async function keepOffline(viewer) {
    if (!isOwnPage()) return;
    const note = new NewVersion(viewer);
    await atRest();
    // Not in the page's text: with that, browsers would ask for it and for its icon while they load the page.
    document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: `${FOLDER}manifest.webmanifest` }));
    const { serviceWorker } = navigator;
    if (!serviceWorker.controller && viewer.dataset.state !== "empty") return;
    // Where the browser keeps nothing, or no longer finds it, the page is as it would be without.
    const registration = await serviceWorker.register(`${FOLDER}sw.js`).catch(() => null);
    if (registration) tellOfNew(registration, note);
}

function isOwnPage() {
    const { origin, pathname } = location;
    const isTop = [FOLDER, `${FOLDER}index.html`].includes(origin + pathname) && self === top;
    return isTop && isSecureContext && "serviceWorker" in navigator;
}

/** Once the page has loaded, and has nothing to do. */
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
        // The first one of all waits for a moment, too.
        if (active && waiting) note.show(waiting);
    };
    const follow = () => registration.installing?.addEventListener("statechange", look);
    look();
    follow();
    registration.addEventListener("updatefound", follow);
}
