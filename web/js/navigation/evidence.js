// Chooses findings: the evidence of the chosen one is laid over the timeline (overlays/evidence.js) and brought into view. When it is
// left, the timeline is again as it was before.

import { beside, sorted } from "../findings.js";
import { keyOf } from "../by-log.js";
import { DISMISSED } from "../dismissed.js";
import { changeShown, shownOf } from "../state.js";
import { extentOnPage, viewOnPage } from "../page-time.js";
import { counted } from "../words.js";
import { duration, visible } from "../format.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("../viewport.js").View} View */
/** @typedef {import("../findings.js").Finding} Finding */
/** @typedef {import("../findings.js").Evidence} Evidence */
/** @typedef {Pick<Context, "store" | "timeline" | "client" | "moving" | "say">} Around */

/** @typedef {Pick<Finding, "id" | "title" | "evidence"> & { level?: Finding["level"] }} Choice a finding, or a part of the account */

/** What the id of a part of the account begins with. */
const PART = "account.";

/**
 * Whether an id is of a part of the account, not of a finding.
 * @param {string} id
 */
export function isPart(id) {
    return id.startsWith(PART);
}

/** The key of the group whose rows a piece of evidence without tracks is about. */
export const CAPABILITIES = "caps";

/** A piece of evidence is shown with as much time before it and after it; with this share of the log, if it is a moment. */
const MOMENT = 1 / 40;

/**
 * The findings of the log on the screen that can be chosen, the gravest first.
 * @param {Pick<State, "logs" | "shown">} state
 */
export function openFindings(state) {
    const { log, dismissed } = shownOf(state);
    return sorted(log?.findings?.findings ?? [], dismissed).open;
}

/**
 * What is chosen, and the piece of its evidence that is shown; null if nothing is.
 * @param {Pick<State, "logs" | "shown" | "finding">} state
 * @returns {{ finding: Choice, at: number } | null}
 */
export function chosenOf({ finding: chosen, ...state }) {
    const { log } = shownOf(state);
    const finding = chosen && (log?.findings?.findings.find(({ id }) => id === chosen.id) ?? partOf(log?.account, chosen.id));
    return finding ? { finding, at: Math.min(chosen.at, Math.max(finding.evidence.length - 1, 0)) } : null;
}

/**
 * A part of the account, as a finding whose evidence is its longest stretch; null if the log has no such stretch.
 * @param {import("../protocol.js").Account | undefined} account
 * @param {string} id
 * @returns {Choice | null}
 */
function partOf(account, id) {
    const part = account?.parts.find(({ key }) => PART + key === id);
    return part?.longest ? { id, title: part.name, evidence: [part.longest] } : null;
}

/**
 * Whether more findings may still come: they come after the log is ready, where the wasm that makes them comes late; and while threads are
 * followed, more of them and more parts of the account.
 * @param {import("../state.js").LogState["log"]} log
 */
export function mayFindMore(log) {
    return !log?.findings || log.following !== undefined;
}

/**
 * Chooses a finding, and shows a piece of its evidence.
 * @param {Around} around
 * @param {string} id
 * @param {{ at?: number, view?: View }} [how] the piece's index; the view to show instead of the piece
 * @returns {boolean} whether there is such a finding, and it is known: one that waits for threads has nothing to show yet
 */
export function chooseFinding(around, id, { at = 0, view } = {}) {
    const { store, timeline, say } = around;
    const { finding: chosen, view: seen } = store.value;
    const before = chosen?.before ?? { view: seen, ...timeline.place };
    const finding = { id, at, before };
    // Parts that follow the state act on a choice at once: so it is made only if it is one.
    const found = chosenOf({ ...store.value, finding });
    if (!found || found.finding.level === "waiting") return false;
    store.set({ finding });
    say(spoken(found));
    const piece = found.finding.evidence[found.at];
    if (piece) void bringIntoView(around, piece, view);
    else if (view) around.moving.show(view);
    return true;
}

/** @param {{ finding: Choice, at: number }} found */
function spoken({ finding: { title, evidence }, at }) {
    const piece = evidence[at];
    const place = piece
        ? `. ${at + 1} of ${counted(evidence.length, "place")}: ${visible(piece.label) || duration(piece.to - piece.from)}`
        : "";
    return `${visible(title)}${place}`;
}

/**
 * Unfolds the group of its track, scrolls to that, and shows its time.
 * @param {Around} around
 * @param {Evidence} piece
 * @param {View} [view] to show instead of its time
 */
async function bringIntoView({ store, timeline, client, moving }, piece, view) {
    const { shown, finding } = store.value;
    const log = shownOf(store.value);
    const extent = extentOnPage(log);
    if (!extent) return;
    moving.show(view ?? viewOf(viewOnPage(log, { from: piece.from, to: piece.to }), extent));
    const slot = await slotOf(client, shown, piece);
    // Meanwhile, something else may have been chosen.
    if (store.value.finding !== finding) return;
    if (slot) timeline.reveal(slot);
    timeline.comeIntoView();
}

/**
 * The place of its track, or of the first capability if it has none; null if the user has hidden that.
 * @param {Context["client"]} client
 * @param {number} log
 * @param {Evidence} piece
 */
async function slotOf(client, log, { track: shown, also }) {
    const track = shown ?? also[0];
    if (track === undefined) return { group: CAPABILITIES, at: 0, track: -1 };
    const slot = await client.of(log).ask("slotOf", { track });
    return slot && !slot.hidden ? slot : null;
}

/**
 * The time around a piece of evidence.
 * @param {View} piece
 * @param {[number, number]} extent of the log
 * @returns {View}
 */
export function viewOf({ from, to }, [first, last]) {
    const margin = to > from ? to - from : (last - first) * MOMENT;
    return { from: from - margin, to: to + margin };
}

/**
 * Chooses the finding below the chosen one, or above it.
 * @param {Around & Pick<Context, "note">} around
 * @param {1 | -1} by
 */
export function stepFinding(around, by) {
    const { store, note } = around;
    const last = store.value.finding?.id ?? null;
    const next = beside(openFindings(store.value), last, by);
    if (next) chooseFinding(around, next.id);
    if (next && next.id === last) note("This is the only finding");
    else if (!next) note(shownOf(store.value).finished ? "There are no findings" : "Findings come when the log has been read");
}

/**
 * Goes along the evidence of the chosen finding; chooses the first one if none is.
 * @param {Around & Pick<Context, "note">} around
 * @param {1 | -1} by
 */
export function stepEvidence(around, by) {
    const found = chosenOf(around.store.value);
    if (!found) return stepFinding(around, 1);
    const { finding, at } = found;
    const { length } = finding.evidence;
    if (length === 0) return around.note("This finding has no place on the timeline");
    chooseFinding(around, finding.id, { at: (at + by + length) % length });
    if (length === 1) around.note(isPart(finding.id) ? "This is its longest stretch" : "This finding has one place only");
}

/**
 * Hides the evidence; the timeline shows again what it showed before.
 * @param {Pick<Context, "store" | "timeline" | "moving" | "selecting" | "say">} around
 * @returns {boolean} whether there was any
 */
export function leaveFinding({ store, timeline, moving, selecting, say }) {
    const { finding } = store.value;
    if (!finding) return false;
    if (isPart(finding.id)) selecting.deselect();
    const { view, top, folds } = finding.before;
    store.set({ finding: null });
    if (view) moving.show(view);
    timeline.putBack({ top, folds });
    say("The evidence is no longer shown");
    return true;
}

/**
 * Dismisses a finding of the log on the screen.
 * @param {Pick<Context, "stage" | "store" | "timeline" | "moving" | "selecting" | "say">} around
 * @param {string} id
 */
export function dismissFinding(around, id) {
    if (around.store.value.finding?.id === id) leaveFinding(around);
    const { dismissed } = shownOf(around.store.value);
    setDismissed(around, [...dismissed.filter((other) => other !== id), id]);
    around.say("The finding is dismissed");
}

/**
 * Lists dismissed findings again.
 * @param {Pick<Context, "stage" | "store" | "say">} around
 * @param {string[]} ids
 */
export function restoreFindings(around, ids) {
    const { dismissed } = shownOf(around.store.value);
    setDismissed(
        around,
        dismissed.filter((other) => !ids.includes(other)),
    );
    around.say(`${counted(ids.length, "finding")} restored`);
}

/**
 * @param {Pick<Context, "stage" | "store">} around
 * @param {readonly string[]} dismissed
 */
function setDismissed({ stage, store }, dismissed) {
    const { log } = shownOf(store.value);
    // The storage belongs to the page.
    if (log && stage.own) DISMISSED.remember(keyOf(log), dismissed);
    changeShown(store, { dismissed });
}

/**
 * Shows the longest stretch of a part of the account like the evidence of a finding, and selects what its track has there.
 * @param {Context} context
 * @param {string} key the part's
 */
export function choosePart(context, key) {
    const { store, selecting } = context;
    if (!chooseFinding(context, PART + key)) return;
    const [{ track, from }] = chosenOf(store.value)?.finding.evidence ?? [];
    if (track !== undefined) void selecting.selectAt({ log: store.value.shown, track, time: from });
}

/**
 * What a link to a finding shows: its evidence, or what is in view if it is chosen.
 * @param {Pick<Context, "store">} context
 * @param {Finding} finding
 * @returns {import("../link/making.js").Target}
 */
export function targetOf({ store }, { id, evidence: [first] }) {
    const { finding, view } = store.value;
    const log = shownOf(store.value);
    const extent = extentOnPage(log);
    const ofFirst = first && extent && viewOf(viewOnPage(log, { from: first.from, to: first.to }), extent);
    return { view: (finding?.id === id ? view : ofFirst) ?? undefined, select: null, panel: "findings", finding: id };
}
