// Makes a page of one file with a log in it, like those of `ghc-eventlog report`: dist/viewer.html has marks where the log and its summary
// go.

import { element } from "../describe.js";
import { visible } from "../format.js";

const CLOSING = "</script>";

/**
 * @param {string} viewer the page of one file without a log
 * @param {object} log
 * @param {string} log.name
 * @param {string} log.words the words that begin and end its spans, as in "BEGIN,END", or empty for the usual ones
 * @param {string} log.notes its notes (`notesText`)
 * @param {string} log.rows how its rows are arranged (`arranging/text.js`)
 * @param {import("../sources/link.js").SourceLinks} log.sources where places in the source lead
 * @param {string} article its summary for readers without scripts, as markup
 * @param {Blob} packed the compressed log, as base64
 */
export function pageWith(viewer, { name, words, notes, rows, sources }, article, packed) {
    const [head, inTitle] = split(viewer, "<!--title-->");
    const [middle, inReport] = split(split(inTitle, "<!--/title-->")[1], "<!--report-->");
    const [end, inLogs] = split(split(inReport, "<!--/report-->")[1], "<!--logs-->");
    const [, after] = split(inLogs, "<!--/logs-->");
    const held = element("script", {});
    held.type = "text/plain";
    held.dataset.log = visible(name);
    if (words) held.dataset.spanWords = words;
    if (notes) held.dataset.notes = notes;
    if (rows) held.dataset.rows = rows;
    if (sources.template) held.dataset.sourceUrl = sources.template;
    if (sources.template && sources.commit) held.dataset.commit = sources.commit;
    const title = element("b", {}, `${visible(name)} · GHC Eventlog Viewer`).innerHTML;
    return new Blob([head, title, middle, article, end, held.outerHTML.slice(0, -CLOSING.length), packed, CLOSING, "\n", after], {
        type: "text/html",
    });
}

/**
 * The colours of a report's picture: a role, its colour, the next role, and so on.
 * @param {string} viewer
 * @returns {string[]}
 */
export function paletteOf(viewer) {
    const [, inPalette] = split(viewer, `<script type="application/json" id="viewer-palette">`);
    const [json] = split(inPalette, CLOSING);
    return Object.entries(JSON.parse(json)).flat();
}

/**
 * Splits a text at a mark.
 * @param {string} text
 * @param {string} mark
 */
function split(text, mark) {
    const at = text.indexOf(mark);
    if (at < 0) throw new Error("viewer.html is not the page of one file that belongs to this one");
    return [text.slice(0, at), text.slice(at + mark.length)];
}
