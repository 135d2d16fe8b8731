// The script of a page of one file: the viewer, with the report and the logs in the page, if there are any.

import { bar } from "./bar.js";
import { fileOf, held } from "./held.js";
import { prepare } from "./parts.js";

/** @typedef {import("./held.js").Held} Held */

const viewer = /** @type {import("../element.js").GhcEventlogViewer} */ (document.querySelector("ghc-eventlog-viewer"));
const logs = held(document);
const served = location.protocol !== "file:";
/** The log that the viewer opened last. @type {Held | null} */
let opened = null;

/** @param {Held} log */
function open(log) {
    /** @type {[string, string | null][]} */
    const attributes = [
        ["span-words", log.words],
        ["commit", log.commit],
        ["source-url", log.sources],
        ["notes", log.notes],
        ["rows", log.rows],
    ];
    for (const [name, value] of attributes) {
        if (value === null) viewer.removeAttribute(name);
        else viewer.setAttribute(name, value);
    }
    const file = fileOf(log);
    if (file) viewer.open(file);
    // If the page is served, the log may be beside it.
    else if (served && !log.isMissing) viewer.setAttribute("src", new URL(encodeURIComponent(log.name), document.baseURI).href);
    opened = log;
}

/**
 * Shows a log in the viewer, or its report.
 * @param {"viewer" | "report"} what
 * @param {Held} log
 */
function show(what, log) {
    document.body.dataset.shown = what;
    // Opens it again if it was closed.
    if (what === "viewer" && (opened !== log || viewer.dataset.state === "empty")) open(log);
    if (what === "report") document.querySelectorAll("#report article")[logs.indexOf(log)]?.scrollIntoView();
}

const [first] = logs;
document.body.dataset.shown = "viewer";
void prepare().then(async () => {
    await import("../element.js");
    if (!first) return;
    for (const log of logs) log.isMissing = !log.isWithin && !served;
    const isEmpty = () => /^(empty|error)$/.test(viewer.dataset.state ?? "");
    const { element, turn, draw } = bar(logs, { show, what: first.isMissing ? "report" : "viewer", isEmpty });
    document.body.prepend(element);
    viewer.addEventListener("error", (event) => {
        const { name } = /** @type {CustomEvent} */ (/** @type {Event} */ (event)).detail;
        if (!opened || opened.isWithin || opened.isMissing || name !== opened.name) return;
        // It was not beside the page after all: shows the report.
        opened.isMissing = true;
        turn({ what: "report" });
    });
    // Neither is about a log that is opened instead.
    viewer.addEventListener("useropen", () => {
        for (const name of ["notes", "rows"]) viewer.removeAttribute(name);
    });
    for (const type of ["ready", "error"]) viewer.addEventListener(type, draw);
    turn({});
});
