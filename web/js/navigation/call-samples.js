// Marks on the timeline the samples whose stacks go through a row of a call tree (overlays/call-samples.js draws them), and goes along them.

import { CALL_SAMPLES } from "../protocol.js";
import { changeLog, shownOf } from "../state.js";
import { inLog, onPage } from "../page-time.js";
import { count, visible } from "../format.js";
import { counted } from "../words.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../wishes.js").CallWay} CallWay */

/**
 * @typedef {object} MarkedCalls
 * @property {string} key the same for the same row of the same tree
 * @property {CallWay} way
 * @property {string} name what the row is called
 * @property {number | null} total how many samples there are; null until that is known
 * @property {number} oneOf n if only one out of n samples is kept
 * @property {{ time: number, before: number } | null} at the sample last gone to, and how many are before it
 */

/**
 * @param {Pick<Context, "store" | "client">} context
 * @param {CallWay} way
 * @param {string} name
 */
export function markCalls({ store }, way, name) {
    const { number } = shownOf(store.value);
    const { section, view, frame, search, path } = way;
    const key = JSON.stringify([section, view, frame, search, ...path]);
    changeLog(store, number, { calls: { key, way, name, total: null, oneOf: 1, at: null } });
}

/**
 * Removes the marks.
 * @param {Pick<Context, "store" | "client" | "say">} context
 * @returns {boolean} whether there were any
 */
export function leaveCalls({ store, client, say }) {
    const { number, calls } = shownOf(store.value);
    if (!calls) return false;
    client.of(number).giveUp(CALL_SAMPLES);
    changeLog(store, number, { calls: null });
    say("The samples are no longer marked");
    return true;
}

/**
 * Goes to the next of the marked samples, or to the one before.
 * @param {Pick<Context, "store" | "log" | "moving" | "selecting" | "note" | "say">} context
 * @param {1 | -1} by
 */
export async function stepCalls({ store, log, moving, selecting, note, say }, by) {
    const state = shownOf(store.value);
    const { calls, number } = state;
    if (!calls) return note("Mark the samples of a row first: in the tab Profile");
    const { view } = store.value;
    const edge = by > 0 ? (view?.from ?? 0) - 1 : (view?.to ?? 0);
    const time = calls.at?.time ?? inLog(state, edge);
    const answer = await log.ask("callSampleBeside", { ...calls.way, time, next: by > 0 });
    const now = shownOf(store.value);
    if (!answer || now.number !== number || now.calls?.key !== calls.key) return;
    if (answer.length === 0) return note(by > 0 ? "No later sample" : "No earlier sample");
    const [at, track, before] = answer;
    changeLog(store, number, { calls: { ...now.calls, at: { time: at, before } } });
    const place = onPage(now, at);
    if (view && (place < view.from || place > view.to)) moving.showTime(place);
    await selecting.selectAt({ log: number, track, time: at });
    say(`Sample ${count(before + 1)} of ${count(now.calls.total ?? before + 1)} of ${visible(calls.name)}`);
}

/**
 * How many samples are marked.
 * @param {MarkedCalls} marked
 */
export function markedText({ way, total, oneOf, at }) {
    if (total === null) return "…";
    const censuses = `${count(total)} ${total === 1 ? "census" : "censuses"}`;
    const all = way.section === "heap_profile" ? censuses : counted(total, "sample");
    const some = oneOf > 1 ? `, of which one out of ${count(oneOf)} is kept` : "";
    return at ? `${count(at.before + 1)} of ${all}${some}` : `${all}${some}`;
}
