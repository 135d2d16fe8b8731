// What the user does to rows: by keys, by their buttons and menus, and by dragging. Each act can be undone, and is announced.

import { counted } from "../words.js";
import { visible } from "../format.js";
import { part } from "../stage.js";
import { rowAt, rowOfTrack } from "../rows.js";
import { changeShown, shownOf } from "../state.js";
import * as choices from "./choice.js";
import { keepFocus } from "./focus.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("./choice.js").RowsChoice} RowsChoice */
/** @typedef {import("./choice.js").RowName} RowName */
/** @typedef {{ row: RowName, name: string }} Named a row, and what the user calls it */

/** Most acts that can be undone. */
const MOST_UNDONE = 50;

/**
 * Changes the arrangement of the log on the screen.
 * @param {Pick<Context, "store" | "timeline">} context
 * @param {(choice: RowsChoice) => RowsChoice} change
 * @returns {boolean} whether that has changed it
 */
export function arrange({ store, timeline }, change) {
    const { rows, rowsBefore, log, placed: known } = shownOf(store.value);
    const next = change(rows);
    if (!log || JSON.stringify(next) === JSON.stringify(rows)) return false;
    // Rows in view move at once; of others, the worker says where they are.
    const isPlaced = (/** @type {number} */ id) => known.some(({ track }) => track.id === id);
    const added = choices.tracksIn(next).flatMap((id) => (isPlaced(id) ? [] : (timeline.placeOf(id) ?? [])));
    const placed = [...known, ...added];
    changeShown(store, { rows: next, rowsBefore: [...rowsBefore, rows].slice(-MOST_UNDONE), placed, peek: null });
    return true;
}

/**
 * Undoes the last act.
 * @param {Pick<Context, "stage" | "store" | "note">} context
 */
export function undo({ stage, store, note }) {
    const { rowsBefore } = shownOf(store.value);
    const last = rowsBefore.at(-1);
    noticeOf(stage).text = "";
    if (!last) return note("Nothing to undo");
    changeShown(store, { rows: last, rowsBefore: rowsBefore.slice(0, -1), peek: null });
    note("The rows are as before");
}

/**
 * Says what was done, with a button that undoes it.
 * @param {Context} context
 * @param {string} text
 */
function sayWithUndo(context, text) {
    context.say(`${text}. Ctrl+Z undoes.`);
    // The last note is of something older.
    part(context.stage, "noted").hidden = true;
    noticeOf(context.stage).tell(text);
}

/** @param {import("../stage.js").Stage} stage */
function noticeOf(stage) {
    return /** @type {import("../screens/row-notice.js").RowNotice} */ (part(stage, "row-notice"));
}

/**
 * Pins tracks, or unpins them if all are pinned.
 * @param {Context} context
 * @param {Named[]} rows
 */
export function togglePins(context, rows) {
    const { note, store } = context;
    const tracks = rows.flatMap(({ row }) => (typeof row === "number" ? row : []));
    if (tracks.length === 0) return note("A group cannot be pinned, but its rows can");
    const { pinned } = shownOf(store.value).rows;
    const areAll = tracks.every((track) => pinned.includes(track));
    const focus = keepFocus(context);
    arrange(context, (choice) => tracks.reduce(areAll ? choices.unpin : choices.pin, choice));
    unpick(context);
    focus();
    note(areAll ? `${listed(rows)}: no longer pinned` : `${listed(rows)}: pinned`);
}

/**
 * @param {Context} context
 * @param {Named[]} rows
 */
export function hideRows(context, rows) {
    const focus = keepFocus(context);
    if (!arrange(context, (choice) => rows.reduce((so, { row }) => choices.hide(so, row), choice))) return;
    focus();
    unpick(context);
    sayWithUndo(context, `${listed(rows)}: hidden`);
}

/**
 * Shows hidden rows again.
 * @param {Context} context
 * @param {Named[] | null} rows null for all
 */
export function showRows(context, rows) {
    const { note, store } = context;
    const { length } = shownOf(store.value).rows.hidden;
    if (length === 0) return note("No row is hidden");
    arrange(context, (choice) => (rows ? rows.reduce((so, { row }) => choices.show(so, row), choice) : choices.showAllHidden(choice)));
    note(rows ? `${listed(rows)}: shown again` : `${counted(length, "hidden row")} shown again`);
}

/**
 * Shows some rows only.
 * @param {Context} context
 * @param {Named[]} rows
 */
export function showOnly(context, rows) {
    const only = rows.map(({ row }) => row);
    arrange(context, (choice) => choices.onlyThese(choice, only));
    unpick(context);
    context.note(`Only ${listed(rows)} ${rows.length > 1 || typeof only[0] === "string" ? "are" : "is"} shown; Esc shows all`);
}

/**
 * Shows only the rows that have hits of the search.
 * @param {Context} context
 */
export function showHitRows(context) {
    const { search } = shownOf(context.store.value);
    const named = (search?.report?.names ?? []).flatMap(({ names }) => names.flatMap(({ track }) => track ?? []));
    const all = [...new Set([...(search?.inOrder ?? []).flatMap(({ track }) => track ?? []), ...named])];
    const tracks = all.slice(0, choices.MOST);
    if (tracks.length === 0) return context.note("There are no hits that have rows");
    showOnly(
        context,
        tracks.map((row) => ({ row, name: context.timeline.placeOf(row)?.track.name ?? "a row with hits" })),
    );
    if (all.length > tracks.length)
        context.note(`Only the first ${tracks.length} of ${all.length} rows with hits are shown; Esc shows all`);
}

/**
 * Shows all rows again that are not hidden.
 * @param {Pick<Context, "store" | "timeline" | "note">} context
 * @returns {boolean} whether only some were shown
 */
export function widen(context) {
    const { rows } = shownOf(context.store.value);
    if (!choices.isNarrowed(rows)) return false;
    arrange(context, choices.widened);
    context.note("All rows are shown");
    return true;
}

/**
 * Moves a row up or down by one, among the rows that are shown.
 * @param {Context} context
 * @param {Named} named
 * @param {1 | -1} by
 */
export async function step(context, named, by) {
    const other = await neighbour(context, named.row, by);
    const where = by < 0 ? "first" : "last";
    if (!other)
        return context.note(`${visible(named.name)} is the ${where} ${typeof named.row === "string" ? "group" : "row of its group"}`);
    moveBeside(context, named, other, by > 0);
}

/**
 * @param {Context} context
 * @param {Named} named
 * @param {Named} other a row of the same group, or another group
 * @param {boolean} after
 */
export function moveBeside(context, { row, name }, other, after) {
    const focus = keepFocus(context);
    if (!arrange(context, (choice) => choices.move(choice, row, other.row, after))) return;
    focus();
    context.say(`${visible(name)}: now ${after ? "below" : "above"} ${visible(other.name)}`);
}

/**
 * The row above or below one, among those that it can change places with; null if there is none.
 * @param {Context} context
 * @param {RowName} row
 * @param {1 | -1} by
 * @returns {Promise<Named | null>}
 */
async function neighbour({ store, timeline, log }, row, by) {
    const { layout } = timeline;
    if (typeof row === "string") {
        const groups = layout.plan.groups.filter(({ pieces }) => pieces.length > 0);
        const { group } = groups[groups.findIndex(({ group }) => group.key === row) + by] ?? {};
        return group && groups.some(({ group }) => group.key === row) ? { row: group.key, name: group.name } : null;
    }
    const { placed, rows } = shownOf(store.value);
    const slot = placed.find(({ track }) => track.id === row) ?? (await log.ask("slotOf", { track: row }));
    const own = slot && rowOfTrack(layout, slot);
    if (!slot || own?.kind !== "tracks") return null;
    const beside = rowAt(layout, by > 0 ? own.y + own.height + 0.5 : own.y - 0.5);
    if (beside?.kind !== "tracks" || beside.pinned !== own.pinned) return null;
    const [{ key }] = beside.groups;
    if (!own.pinned && key !== slot.group) return null;
    const track =
        placed.find(({ group, at }) => group === key && at === beside.at)?.track ?? (await timeline.find({ group: key, at: beside.at }));
    // Rows that are pinned have no order with others.
    return track && rows.pinned.includes(track.id) === own.pinned ? { row: track.id, name: track.name } : null;
}

/**
 * @param {Context} context
 * @param {Named | null} named null for all rows
 * @param {import("./choice.js").Density | null} height null for that of all rows
 */
export function setHeight(context, named, height) {
    arrange(context, (choice) => choices.setHeight(choice, named?.row ?? null, height));
    const whose = named ? visible(named.name) : "All rows";
    context.note(height ? `${whose}: ${choices.DENSITY_NAMES[height]}, ${height} px` : `${whose}: as high as there is room`);
}

/**
 * The next height of a row: low, medium, high, and as at first.
 * @param {Context} context
 * @param {Named | null} named null for all rows
 */
export function nextHeight(context, named) {
    const { heights, height } = shownOf(context.store.value).rows;
    const now = named ? (heights.find(([row]) => row === named.row)?.[1] ?? null) : height;
    const all = [null, ...choices.DENSITIES];
    setHeight(context, named, all[(all.indexOf(now) + 1) % all.length]);
}

/**
 * Shows only rows with a text in their names.
 * @param {Pick<Context, "store">} context
 * @param {string} text empty for all
 */
export function filterRows({ store }, text) {
    const { rows } = shownOf(store.value);
    // Typing cannot be undone letter by letter.
    if (text !== rows.text) changeShown(store, { rows: { ...rows, text }, peek: null });
}

/**
 * The rows are again as the log has them; what is filtered and folded stays.
 * @param {Context} context
 */
export function restore(context) {
    if (arrange(context, ({ text }) => ({ ...choices.firstRowsChoice(), text }))) sayWithUndo(context, "The rows are as at first");
    else context.note("The rows are as at first");
}

/**
 * Picks a row for acting on several together, or unpicks it.
 * @param {Pick<Context, "store" | "say">} context
 * @param {Named} named
 */
export function togglePicked({ store, say }, { row, name }) {
    const { picked } = shownOf(store.value);
    const isPicked = picked.includes(row);
    changeShown(store, { picked: isPicked ? picked.filter((other) => other !== row) : [...picked, row] });
    say(`${visible(name)}: ${isPicked ? "no longer picked" : "picked"}`);
}

/**
 * No row is picked.
 * @param {Pick<Context, "store">} context
 * @returns {boolean} whether any was
 */
export function unpick({ store }) {
    if (shownOf(store.value).picked.length === 0) return false;
    changeShown(store, { picked: [] });
    return true;
}

/**
 * The names of rows, if they are few.
 * @param {Named[]} rows
 */
function listed(rows) {
    return rows.length > 3 ? counted(rows.length, "row") : rows.map(({ name }) => visible(name)).join(", ");
}

/**
 * Opens the dialog for arranging all rows.
 * @param {import("../stage.js").Stage} stage
 */
export function openArranging(stage) {
    /** @type {import("../screens/row-arranging.js").RowArranging} */ (part(stage, "row-arranging-part")).show();
}
