// A page of one file: the viewer, and the report and the logs that stand beside it in the page, if any do.

import "../element.js";
import { bar } from "./bar.js";
import { fileOf, held } from "./held.js";

const viewer = /** @type {import("../element.js").GhcEventlogViewer} */ (document.querySelector("ghc-eventlog-viewer"));
const logs = held(document);
const served = location.protocol !== "file:";

/** @param {"viewer" | "report"} what */
function show(what) {
    document.body.dataset.shown = what;
}

/** @param {import("./held.js").Held} log */
function open(log) {
    const file = fileOf(log);
    if (file) viewer.open(file);
    // It lies beside the page, where that is served.
    else if (served) viewer.setAttribute("src", new URL(encodeURIComponent(log.name), document.baseURI).href);
    show(file || served ? "viewer" : "report");
}

const [first] = logs;
show("viewer");
if (first) {
    // A single log that is in the page needs no more than the viewer.
    if (logs.length > 1 || !first.isWithin) document.body.prepend(bar(logs, { open, show, served }));
    open(first);
}
