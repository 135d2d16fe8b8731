// Makes links to what is on the screen, and copies them.

import { drawerOf } from "../stage.js";
import { extentOnPage, inLog } from "../page-time.js";
import { originOf, shownOf } from "../state.js";
import { fileText } from "../words.js";
import { valueIn } from "../fragment.js";
import { withFile, withSeen } from "./link.js";
import { writeText } from "../panels/copying.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../viewport.js").View} View */
/** @typedef {import("./link.js").Seen} Seen */

/**
 * What a link leads to; times are on the page's axis. What is not given is as it is on the screen.
 * @typedef {object} Target
 * @property {View} [view]
 * @property {{ track: number, time: number } | null} [select]
 * @property {string} [panel]
 * @property {string | null} [finding]
 */

/**
 * The address that shows something of the log on the screen. Null where there is none: in a page that is not the viewer's own, or without
 * a log.
 * @param {Pick<Context, "stage" | "store">} context
 * @param {Target} [target]
 */
export function linkTo({ stage, store }, target = {}) {
    const log = shownOf(store.value);
    if (!stage.own || !log.finished || !extentOnPage(log)) return null;
    const hash = withFile(withSeen(location.hash, seenNow({ stage, store }, target)), log);
    return new URL(hash, location.href).href;
}

/**
 * What is on the screen, in times from the log's first moment.
 * @param {Pick<Context, "stage" | "store">} context
 * @param {Target} [target] what to say instead
 * @returns {Seen}
 */
export function seenNow({ stage, store }, target = {}) {
    const { view, range, span, shown } = store.value;
    const log = shownOf(store.value);
    const since = (/** @type {number} */ time) => inLog(log, time) - originOf(log);
    const between = (/** @type {View | null} */ view) => view && { from: since(view.from), to: since(view.to) };
    const selected = span?.log === shown ? { track: span.track, time: span.start - originOf(log) } : null;
    const { select } = target;
    const { from, to } = between(target.view ?? view) ?? { from: NaN, to: NaN };
    return {
        // The margin beyond the log's ends needs no link.
        view: { from: Math.max(from, 0), to },
        range: between(range),
        select: select === undefined ? selected : select && { track: select.track, time: since(select.time) },
        panel: target.panel ?? drawerOf(stage).tab,
        ...(target.finding === undefined ? {} : { finding: target.finding }),
    };
}

/**
 * Copies a link, and says what it needs.
 * @param {Context} context
 * @param {Target} [target]
 */
export async function copyLink(context, target) {
    const link = linkTo(context, target);
    if (link === null) return context.note("Open a log first");
    const said = await writeText(link, "Link");
    context.note(said === "Link copied" ? `${said}${needs(context, link)}` : said);
}

/**
 * Whether the page is a saved one with the log in it: `single/held.js` opens it without being asked.
 * @param {string} name
 */
function isInPage(name) {
    const held = /** @type {NodeListOf<HTMLElement>} */ (globalThis.document?.querySelectorAll("script[data-log]") ?? []);
    return [...held].some(({ dataset }) => dataset.log === name);
}

/**
 * What is needed to open the link, for the message.
 * @param {Pick<Context, "store">} context
 * @param {string} link
 */
function needs({ store }, link) {
    const { file, notes } = shownOf(store.value);
    const isFile = file && !file.url;
    const needed = !isFile
        ? ""
        : isInPage(file.name)
          ? ". It needs this page, which has the log in it"
          : `. It needs the file ${fileText({ file: file.name, size: file.size })}`;
    const left = notes.length > 0 && valueIn(new URL(link).hash, "notes") === null ? ". The notes are too long for it" : "";
    return `${needed}${left}`;
}
