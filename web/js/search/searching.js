// Searches a log, and goes from hit to hit. The query and the hits are in the log's state.

import { SEARCH } from "../protocol.js";
import { changeLog, logOf, shownOf } from "../state.js";
import { extentOnPage, inLog, onPage } from "../page-time.js";
import { sentence, visible } from "../format.js";
import { drawerOf } from "../stage.js";
import { inLogTimes } from "./moments.js";
import { countText, inOrderOf, indexBeside } from "./hits.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../protocol.js").Hit} Hit */
/** @typedef {import("../protocol.js").SearchReport} SearchReport */

/** Stretches of time in which hits are counted: about the pixels of the overview strip. */
const BUCKETS = 2048;

/** Most hits of each kind that the page has while the search runs, and once it has ended. */
const AT_FIRST = 100;
const MOST = 2000;

/**
 * Searches the log on the screen, and opens the list of what is found.
 * @param {Pick<Context, "store" | "client" | "stage" | "say" | "note">} context
 * @param {string} text the query
 * @param {{ near?: number, chosen?: Hit | null, opens?: boolean }} [how] `near`: the time around which hits are kept if there are too many,
 *     in the log's own time; without it, the begin of the view. `opens`: whether the list is opened
 */
export async function searchFor({ store, client, stage, say, note }, text, { near, chosen = null, opens = true } = {}) {
    const { shown, view } = store.value;
    const state = shownOf(store.value);
    const extent = extentOnPage(state);
    if (!extent) return note("Open a log first");
    const [first, last] = extent.map((time) => inLog(state, time));
    /** @type {import("./hits.js").Search} */
    const search = { text, report: null, hits: {}, inOrder: [], runs: true, chosen };
    const number = begin();
    // If it is the same query around another time, its hits stay until there are new ones.
    change(state.search?.text === text ? { ...state.search, runs: true } : search);
    if (opens) drawerOf(stage).choose("search");
    const wish = {
        query: inLogTimes(store.value, text),
        near: near ?? inLog(state, view?.from ?? extent[0]),
        from: first,
        to: last + 1,
        buckets: BUCKETS,
    };
    let reports = 0;
    const log = client.of(shown);
    const answer = await log.ask("search", wish, (report) => void take(report, true));
    if (!answer) return isOver() ? undefined : change({ ...search, runs: false });
    await take(answer, false);
    const found = logOf(store.value, shown).search;
    if (found && !isOver() && opens) say(answer.fault ? sentence(answer.fault.reason) : countText(found));

    /** @returns {number} a number for this search, which differs from that of a newer one */
    function begin() {
        latest.set(store, (latest.get(store) ?? 0) + 1);
        return latest.get(store) ?? 0;
    }
    function isOver() {
        return latest.get(store) !== number || !logOf(store.value, shown).search;
    }
    function change(/** @type {import("./hits.js").Search} */ search) {
        changeLog(store, shown, { search });
    }
    /**
     * @param {SearchReport} report
     * @param {boolean} runs
     */
    async function take(report, runs) {
        const mine = ++reports;
        const groups = report.found?.groups ?? [];
        const count = runs ? AT_FIRST : MOST;
        const found = await Promise.all(groups.map(async ({ kind }) => [kind, (await log.ask("hits", { kind, from: 0, count })) ?? []]));
        if (isOver() || mine !== reports) return;
        const hits = Object.fromEntries(found);
        change({ ...search, chosen: logOf(store.value, shown).search?.chosen ?? chosen, report, runs, hits, inOrder: inOrderOf(hits) });
    }
}

/**
 * Searches the log, and goes to the first hit from the begin of the view on, unless the user has done something else meanwhile.
 * @param {Context} context
 * @param {string} text the query
 */
export async function findFirst(context, text) {
    const { store, timeline } = context;
    const now = () => {
        const { shown, view, range, span, finding } = store.value;
        return [shown, view, range, span, finding, timeline.place.top];
    };
    const before = now();
    await searchFor(context, text);
    const { search } = shownOf(store.value);
    const isWanted = search?.text === text && !search.chosen && search.inOrder.length > 0;
    if (isWanted && now().every((one, at) => one === before[at])) await stepHit(context, 1);
}

/** The number of each page's last search. @type {WeakMap<object, number>} */
const latest = new WeakMap();

/**
 * Ends the search, and forgets its hits.
 * @param {Pick<Context, "store" | "client">} context
 * @returns {boolean} whether there were any
 */
export function clearSearch({ store, client }) {
    const { number, search } = shownOf(store.value);
    if (!search) return false;
    client.of(number).giveUp(SEARCH);
    client.of(number).send("endSearch", null);
    changeLog(store, number, { search: null });
    return true;
}

/**
 * Goes to a hit: brings its track and its moment into view, and selects it.
 * @param {Pick<Context, "store" | "moving" | "selecting" | "say">} context
 * @param {Hit} hit
 */
export async function goToHit({ store, moving, selecting, say }, hit) {
    const state = shownOf(store.value);
    if (!state.search) return;
    changeLog(store, state.number, { search: { ...state.search, chosen: hit } });
    const { view } = store.value;
    const at = onPage(state, hit.time);
    if (view && (at < view.from || at > view.to)) moving.showTime(at);
    if (hit.track !== undefined) await selecting.selectAt({ log: state.number, track: hit.track, time: hit.time });
    say(visible(hit.text));
}

/**
 * Goes to the next hit, or the one before.
 * @param {Pick<Context, "store" | "client" | "stage" | "moving" | "selecting" | "say" | "note">} context
 * @param {1 | -1} by
 */
export async function stepHit(context, by) {
    const { store, note } = context;
    const { search, number } = shownOf(store.value);
    if (!search?.report?.found) return;
    const beside = () => {
        const now = shownOf(store.value);
        const hits = now.search?.inOrder ?? [];
        const start = inLog(now, store.value.view?.from ?? 0);
        return { hits, at: indexBeside(hits, now.search?.chosen ?? null, start, by) };
    };
    let { hits, at } = beside();
    if (hits.length === 0) return search.runs ? undefined : note("There are no hits");
    const isBeyond = at < 0 || at >= hits.length;
    // The kept hits end here, and there are more: the search begins anew, around this one.
    if (isBeyond && !search.runs && search.report.found.total > hits.length && search.chosen) {
        await searchFor(context, search.text, { near: search.chosen.time, chosen: search.chosen, opens: false });
        ({ hits, at } = beside());
    }
    if (store.value.shown !== number || hits.length === 0) return;
    if (at < 0 || at >= hits.length)
        note(hits.length === 1 ? "The only hit" : by > 0 ? "Again from the first hit" : "Again from the last hit");
    await goToHit(context, hits[(at + hits.length) % hits.length]);
}
