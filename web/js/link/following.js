// What the page's address says of a log that is a file: it is shown when that file is opened. Another log is not shown that way, unless the
// user wants it.

import { changeShown, shownOf } from "../state.js";
import { choiceIn } from "../arranging/text.js";
import { chooseFinding, mayFindMore } from "../navigation/evidence.js";
import { clipped } from "../viewport.js";
import { drawerOf } from "../stage.js";
import { extentOnPage } from "../page-time.js";
import { addNotes, notesIn } from "../notes/notes.js";
import { follow } from "../store.js";
import { isAbout, linkIn, saysOfLog, seenIn, withFile, withSeen, withoutLog } from "./link.js";
import { replaceFragment, valueIn } from "../fragment.js";
import { seenNow } from "./making.js";
import { searchFor } from "../search/searching.js";
import { setRange } from "../navigation/ranges.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../viewport.js").View} View */

/**
 * Comes before those that follow the address's other keys: what a link says of another log, they must not read.
 * @param {Context} context
 */
export function followLink(context) {
    const { stage, store } = context;
    if (!stage.own) return;
    store.set({ link: linkIn(location.hash) });
    const arrived = () => {
        const { link } = store.value;
        const log = shownOf(store.value);
        if (!log.finished) return;
        if (link) {
            // From here on, the address is about the log on the screen.
            replaceFragment(withoutLog(location.hash));
            if (isAbout(link, log)) followLinkTo(context, link);
        } else if (log.file?.url && valueIn(location.hash, "url") === log.file.url) {
            const { range, select } = seenIn(location.hash);
            void showSeen(context, { range, select });
        }
    };
    follow(store, (state) => [state.shown, shownOf(state).finished], arrived);
    const changed = () => {
        // The user has gone back or forth.
        if (history.state) return;
        const link = linkIn(location.hash);
        if (!link) return;
        store.set({ link });
        // After the others have followed the address, which says nothing of this log any more.
        setTimeout(arrived);
        if (shownOf(store.value).finished) replaceFragment(withoutLog(location.hash));
    };
    addEventListener("hashchange", changed, { signal: stage.signal });
}

/** How long a selection must rest, in ms, before it is written into the address: browsers limit how often that may be changed. */
const REST = 300;

/**
 * The selection of a log with an address is in the page's address, as its view is (address.js).
 * @param {Context} context
 */
export function followSelectionInAddress({ stage, store }) {
    if (!stage.own) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    const write = () => {
        const { file, finished } = shownOf(store.value);
        if (!finished || !file?.url || valueIn(location.hash, "url") !== file.url) return;
        const { range, select } = seenNow({ stage, store });
        replaceFragment(withSeen(location.hash, { range, select }));
    };
    follow(
        store,
        ({ range, span }) => [range, span],
        () => {
            clearTimeout(resting);
            resting = setTimeout(write, REST);
        },
    );
}

/**
 * Shows what a link is about, on the log on the screen.
 * @param {Context} context
 * @param {import("./link.js").Link} link
 */
export function followLinkTo(context, link) {
    context.store.set({ link: null });
    void showSeen(context, seenIn(link.fragment));
}

/**
 * Shows something of the log on the screen.
 * @param {Context} context
 * @param {import("./link.js").Seen} seen
 */
export async function showSeen(context, { view, range, select, panel, finding, find, label, notes, rows }) {
    const { stage, store, moving, selecting } = context;
    const log = shownOf(store.value);
    const extent = extentOnPage(log);
    if (!extent) return;
    const onAxis = (/** @type {View | null | undefined} */ part) =>
        part ? clipped({ from: extent[0] + part.from, to: extent[0] + part.to }, extent) : null;
    const shown = onAxis(view);
    if (notes) addNotes(context, notesIn(notes));
    if (rows) changeShown(store, { rows: choiceIn(rows), rowsBefore: [] });
    if (label) changeShown(store, { eachOf: label });
    if (panel) drawerOf(stage).choose(panel);
    // The tab that shows each span of a label; a finding opens its own.
    else if (label && !finding) drawerOf(stage).choose("requests");
    if (find) void searchFor(context, find, { opens: false });
    const marked = onAxis(range);
    if (marked) setRange(context, marked);
    if (shown) moving.show(shown);
    if (finding) chooseWhenKnown(context, finding, shown ?? undefined);
    if (!select) return;
    const point = { log: log.number, track: select.track, time: (log.log?.status.extent?.[0] ?? 0) + select.time };
    await selecting.selectAt(point);
    // Selecting may have moved the view.
    if (shown && store.value.shown === log.number) moving.show(shown);
    if (!store.value.span) selectWhenFollowed(context, point);
}

/**
 * Selects what a thread did, once threads have been followed; if nothing else was selected until then. The view stays.
 * @param {Context} context
 * @param {import("../state.js").OfLog<import("../wishes.js").Point>} point
 */
function selectWhenFollowed({ store, selecting, moving }, point) {
    let waits = Boolean(shownOf(store.value).log?.following);
    follow(
        store,
        (state) => [state.shown, state.span, shownOf(state).log?.following],
        async ({ span, shown, view, ...state }) => {
            if (!waits) return;
            waits = !span && shown === point.log && Boolean(shownOf({ shown, ...state }).log?.following);
            if (waits || span || shown !== point.log) return;
            await selecting.selectAt(point);
            if (view && store.value.shown === shown) moving.show(view);
        },
    );
}

/**
 * Chooses a finding, as soon as it is known.
 * @param {Context} context
 * @param {string} id
 * @param {View} [view]
 */
function chooseWhenKnown(context, id, view) {
    const { store } = context;
    const { shown } = store.value;
    let isOver = false;
    follow(
        store,
        (state) => [state.shown, shownOf(state).log?.findings, shownOf(state).log?.account, shownOf(state).log?.following],
        (state) => {
            if (isOver || state.shown !== shown) return;
            // At once, since choosing changes the state.
            isOver = true;
            isOver = chooseFinding(context, id, { view }) || !mayFindMore(shownOf(store.value).log);
        },
    );
}

/**
 * The address names the file that it says something of, so that a reload, or a copy of the address, cannot be taken for another log's.
 * Comes after those that write into the address.
 * @param {Context} context
 */
export function followFileInAddress({ stage, store }) {
    if (!stage.own) return;
    follow(
        store,
        (state) => {
            const { finished, log, search, eachOf, notes } = shownOf(state);
            return [state.shown, finished, log?.status.events, state.finding, search?.text, eachOf, notes];
        },
        (state) => {
            const log = shownOf(state);
            if (!log.finished) return;
            const named = withFile(location.hash, saysOfLog(location.hash) ? log : { log: null, file: null });
            replaceFragment(named);
        },
    );
}
