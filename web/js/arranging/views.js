// Saved views: arrangements of rows with names that the user gave them, of one log or for all logs. Another run of a program has other
// numbers, so a view also has the names of its tracks, and is found by those there.

import { ByLog, keyOf } from "../by-log.js";
import { remember, remembered } from "../remembered.js";
import { changeShown, shownOf } from "../state.js";
import { counted } from "../words.js";
import { visible } from "../format.js";
import { extentOnPage } from "../page-time.js";
import { renamed, rowsIn } from "./choice.js";
import { choiceIn, rowText, textOf } from "./text.js";

/** @typedef {import("../context.js").Context} Context */

/**
 * @typedef {object} SavedView
 * @property {string} name
 * @property {string} rows the arrangement, as text
 * @property {Record<string, boolean>} folds the groups that are folded or unfolded
 * @property {[number, number] | null} time in view, in ns from the log's first moment; null if that is not part of it
 * @property {Record<string, [string, string]>} called the group and the name of each track that the arrangement names
 */

/** @typedef {SavedView & { ofAll: boolean }} Listed `ofAll`: whether it is for all logs */

/** Most views of a log, and most for all logs; most characters of a name. */
const MOST = 50;
export const LONGEST = 60;

/** @type {ByLog<SavedView>} */
const OF_LOG = new ByLog("views", MOST, viewIn);

/** The name under which those for all logs are remembered. */
const OF_ALL = "views-of-all";

/**
 * @param {unknown} written what is stored may be from another version, or from another program
 * @returns {SavedView | null} null if it is none
 */
export function viewIn(written) {
    const { name, rows, folds, time, called } = /** @type {Record<string, unknown>} */ (written ?? {});
    if (typeof name !== "string" || !name.trim() || typeof rows !== "string") return null;
    const folded = entries(folds).filter(([, value]) => typeof value === "boolean");
    const named = entries(called).filter(
        ([, value]) => Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string"),
    );
    const times = Array.isArray(time) && time.length === 2 && time.every(Number.isFinite) && time[0] < time[1] ? time : null;
    return {
        name: name.trim().slice(0, LONGEST),
        rows,
        folds: Object.fromEntries(folded),
        time: /** @type {[number, number] | null} */ (times),
        called: Object.fromEntries(named),
    };
}

/** @param {unknown} object */
function entries(object) {
    return typeof object === "object" && object !== null ? Object.entries(object) : [];
}

/**
 * The views of the log on the screen, and those for all logs.
 * @param {Pick<Context, "store">} context
 * @returns {Listed[]}
 */
export function viewsOf({ store }) {
    const { log } = shownOf(store.value);
    const own = log ? OF_LOG.of(keyOf(log)) : [];
    return [...own.map((view) => ({ ...view, ofAll: false })), ...ofAll().map((view) => ({ ...view, ofAll: true }))];
}

/** @returns {SavedView[]} */
function ofAll() {
    try {
        const stored = JSON.parse(remembered(OF_ALL) ?? "[]");
        return Array.isArray(stored) ? stored.flatMap((one) => viewIn(one) ?? []).slice(-MOST) : [];
    } catch {
        return [];
    }
}

/**
 * Replaces the view with a name, or adds it.
 * @param {Pick<Context, "store">} context
 * @param {Listed | { name: string, ofAll: boolean }} old
 * @param {SavedView | null} view null to take it away
 * @returns {boolean} whether that is kept
 */
export function putView({ store }, { name, ofAll: isOfAll }, view) {
    const { log } = shownOf(store.value);
    const put = (/** @type {SavedView[]} */ views) => {
        const at = views.findIndex((one) => one.name === name);
        const others = views.filter((one, place) => place !== at && one.name !== view?.name);
        return view ? others.toSpliced(at < 0 ? others.length : at, 0, view).slice(-MOST) : others;
    };
    if (isOfAll) return remember(OF_ALL, JSON.stringify(put(ofAll())));
    return log !== null && OF_LOG.remember(keyOf(log), put(OF_LOG.of(keyOf(log))));
}

/**
 * The present arrangement as a view.
 * @param {Pick<Context, "store" | "timeline">} context
 * @param {string} name
 * @param {boolean} withTime
 * @returns {SavedView}
 */
export function presentView({ store, timeline }, name, withTime) {
    const log = shownOf(store.value);
    const { view } = store.value;
    const [first] = extentOnPage(log) ?? [0];
    const called = log.placed.map(({ group, track }) => [rowText(track.id), [group, track.name]]);
    return {
        name: name.trim().slice(0, LONGEST),
        rows: textOf(log.rows),
        folds: timeline.folds,
        time: withTime && view ? [view.from - first, view.to - first] : null,
        called: Object.fromEntries(called),
    };
}

/**
 * Shows a saved view. Rows that this log does not have are left out, which is said.
 * @param {Context} context
 * @param {Listed} view
 */
export async function showView(context, view) {
    const { store, timeline, moving, note, log: asked } = context;
    const { number, rows: before, rowsBefore } = shownOf(store.value);
    const choice = choiceIn(view.rows);
    const names = view.ofAll ? rowsIn(choice).filter((row) => typeof row === "number" && view.called[rowText(row)]) : [];
    const called = names.map((row) => view.called[rowText(row)]);
    const found = called.length > 0 ? await asked.ask("rowsCalled", { rows: called }) : [];
    if (!found || store.value.shown !== number) return;
    /** Two threads with the same label are one in another run. @type {Map<import("./choice.js").RowName, number | null>} */
    const tracks = new Map(names.map((row, at) => [row, found.indexOf(found[at]) === at ? found[at] : null]));
    const rows = renamed(choice, (row) => (typeof row === "number" && view.ofAll ? (tracks.get(row) ?? null) : row));
    changeShown(store, { rows, rowsBefore: [...rowsBefore, before], peek: null });
    timeline.foldAs(view.folds);
    const extent = extentOnPage(shownOf(store.value));
    if (view.time && extent) moving.show({ from: extent[0] + view.time[0], to: extent[0] + view.time[1] });
    const missing = found.filter((track) => track === null).length;
    const left = missing > 0 ? `; ${counted(missing, "row")} of it ${missing === 1 ? "is" : "are"} not in this log` : "";
    note(`${visible(view.name)} is shown${left}`);
}
