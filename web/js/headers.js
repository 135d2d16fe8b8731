// The names of tracks, left of the canvas. All headings have elements; of the tracks' rows, only those in view.

import { choiceOfRows } from "./screens/rows-of.js";
import { aboutTrack } from "./explained.js";
import { HATCHED } from "./paint/colour.js";
import { element, swatch } from "./describe.js";
import { endsElement } from "./ends.js";
import { didText } from "./did.js";
import { count, duration, percent, valueText, visible } from "./format.js";
import { AXIS, HEADING, extentOfGroup } from "./rows.js";
import { footText } from "./arranging/foot.js";
import { SCALED, SCALE_KEY } from "./scaling.js";
import { keep, remember, set, stand, write } from "./timeline/keeping.js";
import { NOT_LOGGED, asText, briefly } from "./why-none.js";

/** @typedef {import("./protocol.js").Group} Group */
/** @typedef {import("./protocol.js").Note} Note */
/** @typedef {import("./protocol.js").Track} Track */
/**
 * @typedef {import("./rows.js").Row & { log: number, track: Track | null }} Shown a row, the number of its log, and its track; the track of
 *     a folded heading is its picture
 */

/**
 * A group's element extends at least this far beyond the view, in CSS pixels: browsers limit the height of elements, and a group may be
 * higher.
 */
const BEYOND = 4000;

/**
 * The figure of a track, in a few letters.
 * @param {Note} note
 */
function noteText(note) {
    if ("lacks" in note) return NOT_LOGGED;
    if ("share" in note) return percent(note.share);
    if ("number" in note) return count(note.number);
    if ("time" in note) return duration(note.time);
    if ("most" in note) return `max ${valueText(note.unit, note.most, 0)}`;
    return note.count > 0 ? `${count(note.count)} · max ${duration(note.longest)}` : "none";
}

/**
 * The note of a group: a number of things, or the number of its tracks and what they have in common. There is no room for more beside its
 * name.
 * @param {Group} group
 * @param {number} [rows] how many of its tracks are among its rows
 */
function groupText({ tracks, note, shown }, rows = tracks) {
    if (rows < tracks) return `${count(rows)} of ${count(tracks)}`;
    if (shown && shown[0] < shown[1]) return `${count(shown[0])} of ${count(shown[1])}`;
    if (note && "count" in note) return count(note.count);
    if (note && "number" in note) return count(note.number);
    const parts = [tracks > 1 ? count(tracks) : "", note ? noteText(note) : ""];
    return parts.filter(Boolean).join(" · ");
}

/**
 * Why a group has no tracks.
 * @param {Group} group
 */
const whyAbsent = ({ lacks, none }) => ({ flag: lacks, none });

/** @param {Shown} row */
function textsOf({ kind, groups, track }) {
    if (kind === "foot") return { name: "", note: "" };
    if (kind === "heading") return { name: groups[0].name, note: groupText(groups[0]) };
    const fold = track?.unfolded === undefined ? "" : track.unfolded ? "▾ " : "▸ ";
    if (kind === "tracks") return { name: `${fold}${track?.name ?? ""}`, note: track ? noteText(track.note) : "…" };
    const notes = new Set(groups.map((group) => briefly(whyAbsent(group))));
    const [note] = notes.size === 1 ? notes : [briefly({ flag: "", none: "" })];
    return { name: groups.map(({ name }) => name).join(", "), note };
}

/**
 * A row's name and figure in one sentence, for screen readers; of a heading also whether its group is folded.
 * @param {Shown} row
 */
export function rowText(row) {
    const { name, note } = textsOf(row);
    const text = [name.replace(/^[▸▾] /, ""), note].filter(Boolean).map(visible).join(", ");
    return row.kind === "heading" ? `${text}, ${row.folded ? "folded" : "unfolded"}` : text;
}

/**
 * A single row's header, for paper, where nothing can be folded.
 * @param {Shown} row
 * @param {number} y
 */
export function headerOf(row, y) {
    const header = newRow();
    const below = row.kind === "tracks" && row.groups[0].headed;
    fillRow(header, row, y, false, `track ${below ? "below-heading" : row.kind}`);
    return header;
}

/**
 * The tooltip of a header: all that it says, what has no room in it, and what the colours of its track mean.
 * @param {Shown} row
 * @param {import("./scaling.js").Scaling} scaling
 * @param {boolean} hasRange whether a range is selected, which the figures of headers do not follow
 */
export function describeHeader(row, scaling, hasRange) {
    if (row.kind === "foot") return [element("div", {}, "The rows that you have hidden come back here")];
    if (row.kind === "absent") {
        return row.groups.map((group) => element("div", {}, `${group.name}: ${asText(whyAbsent(group))}`));
    }
    const { name, note } = textsOf(row);
    const { track } = row;
    const of = row.kind === "heading" ? row.groups[0].note : track?.note;
    const needs = of && "lacks" in of ? ` · needs ${of.lacks}` : "";
    const title = element("strong", {}, visible(note ? `${name}: ${note}${needs}` : name));
    const what = row.kind === "heading" ? [element("div", { class: "muted" }, row.folded ? "Click to unfold" : "Click to fold")] : [];
    const about = row.kind === "heading" || !track ? undefined : aboutTrack(track.kind);
    const did = track && didText(track);
    if (row.pinned) what.push(element("div", { class: "muted" }, `Pinned; it is of ${row.groups[0].name}`));
    if (did) what.push(element("div", {}, visible(did)));
    if (about) what.push(element("div", { class: "about" }, about));
    if (hasRange && note) what.push(element("div", { class: "muted" }, "Of the whole log, not of the selected range."));
    if (track?.scale) what.push(element("div", { class: "muted" }, `${SCALED[scaling]} · ${SCALE_KEY} changes that`));
    const states = (track?.states ?? []).filter(({ role, total = 0 }) => role !== HATCHED || total > 0);
    const keys = states.map(({ role, name }) => element("li", {}, swatch(role), name));
    return keys.length > 0 ? [title, ...what, element("ul", { class: "colours" }, ...keys)] : [title, ...what];
}

/**
 * What to show.
 * @typedef {object} Headers
 * @property {import("./rows.js").Layout} layout
 * @property {Shown[]} rows the visible ones
 * @property {number} top the height of the rows above the view
 * @property {number} room height of the view
 * @property {number} high height of the list's element
 * @property {number} offset added to a height in the list, gives the height among the rows
 * @property {number | null} current the track with the selected span
 * @property {string | null} within its group
 * @property {(row: HTMLElement, track: Track | null) => void} fillBands writes the names of the track's bands into its row, or removes them
 *     if it has no bands
 * @property {boolean} scrolls the rows in view are changing: elements need not be in the order of their rows yet
 * @property {import("./state.js").LogState} log the log on the screen
 */

/**
 * @param {HTMLElement} list
 * @param {Headers} headers
 */
export function showHeaders(list, headers) {
    const { rows, offset, layout, log } = headers;
    const own = layout.runs.filter(({ kind, pinned }) => !pinned && (kind === "heading" || kind === "tracks"));
    const groups = [...new Set(own.map((run) => run.groups[0]))];
    const pinned = rows.filter((row) => row.pinned);
    const absent = rows.filter(({ kind }) => kind === "absent");
    const foot = rows.filter(({ kind }) => kind === "foot");
    const keys = [...(pinned.length > 0 ? [PINNED] : []), ...groups.map(groupKey), ...absent.map(() => ""), ...foot.map(() => FOOT)];
    const [...elements] = keep(list, keys, newPart);
    const take = () => /** @type {HTMLElement} */ (elements.shift());
    if (pinned.length > 0) fillPinned(take(), pinned, headers);
    for (const group of groups) fillGroup(take(), group, headers);
    for (const row of absent) fillRow(take(), row, row.y - offset, false, "track absent");
    for (const row of foot) fillFoot(take(), row, row.y - offset, log);
}

/** The keys of the elements for pinned rows, and for the last row: those of groups are words. */
const [PINNED, FOOT] = ["*pinned", "*foot"];

/** @param {string | number} key */
function newPart(key) {
    if (key === FOOT) return newFoot();
    return key ? newGroup(String(key)) : newRow();
}

/**
 * The key of a group's element: another one if the group gets a heading.
 * @param {Group} group
 */
function groupKey({ key, headed }) {
    return headed ? `${key} headed` : key;
}

/** @param {string} key */
function newGroup(key) {
    const group = element("div", { class: "group" });
    group.role = "listitem";
    const rows = element("div", { class: "rows" });
    rows.role = "list";
    if (key.endsWith(" headed")) group.append(newHeading());
    group.append(rows);
    return group;
}

function newHeading() {
    const mark = element("span", { class: "mark" });
    mark.ariaHidden = "true";
    const button = element("button", {}, mark, element("span", { class: "name" }), element("span", { class: "note" }));
    // Of all headings and rows, one is a stop of the Tab key (arranging/tools.js).
    button.tabIndex = -1;
    const arrange = element("button", { class: "arrange" }, "Rows…");
    const heading = element("div", { class: "track heading" }, button, arrange);
    heading.style.height = `${HEADING}px`;
    return heading;
}

function newRow() {
    const row = element("div", {}, element("span", { class: "name" }), element("span", { class: "note" }));
    row.role = "listitem";
    return row;
}

function newFoot() {
    const foot = element("div", { class: "track foot" }, element("button", { class: "foot" }));
    foot.role = "listitem";
    return foot;
}

/**
 * The last row says which rows are not shown, and shows them.
 * @param {HTMLElement} foot
 * @param {Shown} row
 * @param {number} y
 * @param {import("./state.js").LogState} log
 */
function fillFoot(foot, row, y, log) {
    stand(foot, y, row.height);
    const { text, title } = footText(log);
    const button = /** @type {HTMLElement} */ (foot.firstElementChild);
    write(button, text);
    set(button, "title", title);
}

/**
 * The pinned rows stay at their places below the axis.
 * @param {HTMLElement} pinned
 * @param {Shown[]} rows
 * @param {Headers} headers
 */
function fillPinned(pinned, rows, { layout, top, current, fillBands, log }) {
    if (pinned.className !== "group pinned") pinned.className = "group pinned";
    const high = layout.head - AXIS;
    if (remember(pinned, high)) pinned.style.height = `${high}px`;
    const list = /** @type {HTMLElement} */ (pinned.lastElementChild);
    if (remember(list, PINNED)) set(list, "aria-label", "Pinned rows");
    const elements = keep(
        list,
        rows.map(({ groups, at }) => `${groups[0].key} ${at}`),
        newRow,
    );
    rows.forEach((row, at) => {
        const banded = row.track?.shape === "bands";
        const name = classOf(row, log, banded);
        const changed = fillRow(elements[at], row, row.y - top - AXIS, row.track !== null && row.track.id === current, name);
        if (banded || changed) fillBands(elements[at], banded ? row.track : null);
    });
}

/** Rows of less height have room for one line. */
const LOW = 26;

/**
 * @param {Shown} row
 * @param {import("./state.js").LogState} log
 * @param {boolean} banded
 */
function classOf({ track, height, pinned }, { picked, peek }, banded) {
    const marks = [
        banded ? "banded" : "",
        height < LOW ? "lower" : "",
        pinned ? "is-pinned" : "",
        track && picked.includes(track.id) ? "picked" : "",
        track && peek?.track === track.id ? "peek" : "",
    ];
    return ["track", ...marks.filter(Boolean)].join(" ");
}

/**
 * A group's element is as high as all its rows, so that its heading can stay in view above them; but browsers limit that.
 * @param {HTMLElement} element
 * @param {Group} group
 * @param {Headers} headers
 */
function fillGroup(element, group, { layout, rows, top, room, high, offset, current, within, fillBands, scrolls, log }) {
    const { key, headed, name } = group;
    const extent = extentOfGroup(layout, key) ?? { top: 0, bottom: 0 };
    // An element must not extend beyond the list, or the list would become higher.
    const near = Math.floor(top / BEYOND) * BEYOND;
    const far = { top: Math.max(near - BEYOND, offset), bottom: Math.min(near + room + 2 * BEYOND, high + offset) };
    const from = Math.min(Math.max(extent.top, far.top), Math.max(extent.bottom - HEADING, extent.top));
    const to = Math.max(Math.min(extent.bottom, far.bottom), from);
    // One that is far away is put at the end of the list.
    const [y, height] = [Math.min(Math.max(from - offset, 0), high - (to - from)), to - from];
    if (remember(element, y, height)) stand(element, y, height);
    const own = rows.filter(({ kind, groups, pinned }) => (kind === "tracks" || kind === "heading") && !pinned && groups[0].key === key);
    const list = /** @type {HTMLElement} */ (element.lastElementChild);
    if (remember(list, name)) set(list, "aria-label", name);
    const tracks = own.filter(({ kind }) => kind === "tracks");
    // While rows scroll, those that stay in view are not touched.
    keep(
        list,
        tracks.map(({ at }) => at),
        newRow,
        scrolls,
    ).forEach((child, at) => {
        const row = tracks[at];
        const banded = row.track?.shape === "bands";
        const changed = fillRow(child, row, row.y - from, row.track !== null && row.track.id === current, classOf(row, log, banded));
        if (banded || changed) fillBands(child, banded ? row.track : null);
    });
    if (!headed) return;
    const heading = /** @type {HTMLElement} */ (element.firstElementChild);
    const run = layout.runs.find(({ kind, groups }) => kind === "heading" && groups[0].key === key);
    const planned = layout.plan.groups.find((one) => one.group.key === key);
    const marked = log.picked.includes(key) ? "track heading picked" : "track heading";
    if (run) fillHeading(heading, group, planned?.shown, { folded: run.folded, current: run.folded && within === key, marked });
}

/**
 * @param {HTMLElement} heading
 * @param {Group} group
 * @param {number | undefined} rows how many of its tracks are among its rows
 * @param {{ folded: boolean, current: boolean, marked: string }} how `current`: whether something is selected on a track that is not
 *     shown; `marked`: its class
 */
function fillHeading(heading, group, rows, { folded, current, marked }) {
    if (!remember(heading, group, rows, folded, current, marked)) return;
    if (heading.className !== marked) heading.className = marked;
    nameRow(heading, group.key, group.name);
    const button = /** @type {HTMLElement} */ (heading.firstElementChild);
    const [mark, name, note] = /** @type {Iterable<HTMLElement>} */ (/** @type {unknown} */ (button.children));
    set(heading, "aria-current", String(current));
    set(button, "data-group", group.key);
    set(button, "aria-expanded", String(!folded));
    write(mark, folded ? "▸" : "▾");
    write(name, group.name);
    write(note, groupText(group, rows));
    const arrange = /** @type {HTMLElement} */ (heading.lastElementChild);
    const title = choiceOfRows(group.key);
    // If the rows are not visible, there is nothing to choose.
    const hides = title === undefined || folded;
    if (arrange.hidden !== hides) arrange.hidden = hides;
    set(arrange, "data-rows", group.key);
    set(arrange, "title", title ?? "");
}

/**
 * @param {HTMLElement} element
 * @param {Shown} row
 * @param {number} y
 * @param {boolean} current
 * @param {string} className
 * @returns {boolean} whether its contents changed
 */
function fillRow(element, row, y, current, className) {
    if (!remember(element, row.track, row.groups, row.height, y, current, className)) return false;
    const [name, note] = /** @type {Iterable<HTMLElement>} */ (/** @type {unknown} */ (element.children));
    const texts = textsOf(row);
    fillFold(name, row.track);
    if (element.className !== className) element.className = className;
    set(element, "aria-current", String(current));
    stand(element, y, row.height);
    writeName(name, texts.name, row.pinned ? row.groups[0].name : "");
    write(note, texts.note);
    nameRow(element, row.track?.id, row.track?.name ?? "");
    return true;
}

/**
 * @param {HTMLElement} name
 * @param {string} text
 * @param {string} from the group that a pinned row is of
 */
function writeName(name, text, from) {
    const own = endsElement(text);
    if (from && from !== text) name.replaceChildren(own, element("span", { class: "from" }, ` ${from}`));
    else if (own !== text) name.replaceChildren(own);
    else write(name, text);
}

/**
 * Notes which row a header is of, for what acts on it.
 * @param {HTMLElement} header
 * @param {number | string | undefined} row its track or group, if that is known
 * @param {string} name
 */
function nameRow(header, row, name) {
    if (row === undefined) {
        for (const attribute of ["data-row", "data-name", "tabindex"]) header.removeAttribute(attribute);
        return;
    }
    set(header, "data-row", String(row));
    set(header, "data-name", name);
    if (typeof row === "number" && !header.hasAttribute("tabindex")) header.tabIndex = -1;
}

/**
 * The name of a track that sums up others unfolds it.
 * @param {HTMLElement} name
 * @param {Track | null} track
 */
function fillFold(name, track) {
    const { id = 0, unfolded } = track ?? {};
    if (unfolded === undefined && name.dataset.track === undefined) return;
    for (const [attribute, value] of [
        ["data-track", String(id)],
        ["role", "button"],
        ["tabindex", "0"],
        ["aria-expanded", String(unfolded)],
    ]) {
        if (unfolded === undefined) name.removeAttribute(attribute);
        else set(name, attribute, value);
    }
}

/**
 * @typedef {object} Folding
 * @property {(key: string, folded: boolean) => void} fold folds or unfolds a group
 * @property {(track: number) => void} turn folds or unfolds a track that sums up others
 * @property {(group: string) => void} arrange lets the user choose which rows a group has
 */

/**
 * Headings fold and unfold their groups: by a click, Enter or Space; by ← and → as in every tree. The names of tracks that sum up others do
 * the same.
 * @param {HTMLElement} list
 * @param {Folding} folding
 */
export function followFolds(list, { fold, turn, arrange }) {
    /** @param {Event} event */
    const headingOf = ({ target }) => {
        const button = target instanceof Element ? target.closest("button") : null;
        const key = button?.dataset.group;
        return button && key ? { key, folded: button.ariaExpanded === "false" } : null;
    };
    /** @param {Event} event */
    const nameOf = ({ target }) => {
        const name = target instanceof Element ? target.closest("[data-track]") : null;
        return name instanceof HTMLElement ? { track: Number(name.dataset.track), folded: name.ariaExpanded === "false" } : null;
    };
    list.addEventListener("click", (event) => {
        const [heading, name] = [headingOf(event), nameOf(event)];
        if (heading) fold(heading.key, !heading.folded);
        else if (name) turn(name.track);
        else if (event.target instanceof Element) {
            const rows = event.target.closest(".arrange");
            if (rows instanceof HTMLElement && rows.dataset.rows) arrange(rows.dataset.rows);
        }
    });
    list.addEventListener("keydown", (event) => {
        const [heading, name] = [headingOf(event), nameOf(event)];
        if (!(heading || name) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const folds = event.key === "ArrowLeft";
        if (!folds && event.key !== "ArrowRight" && !(name && /^(Enter| )$/.test(event.key))) return;
        event.preventDefault();
        event.stopPropagation();
        if (heading) fold(heading.key, folds);
        else if (name && (/^(Enter| )$/.test(event.key) || name.folded !== folds)) turn(name.track);
    });
}
