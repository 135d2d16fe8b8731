// Elements that describe what is in the log. Text from a log is always text, never markup.

import { HATCHED } from "./paint/strip.js";
import { bytes, count, duration, percent, valueText, visible } from "./format.js";

/** @typedef {import("./protocol.js").Span} Span */
/** @typedef {import("./protocol.js").Place} Place */
/** @typedef {import("./protocol.js").LogInfo} LogInfo */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{ class?: string }} options
 * @param {(Node | string)[]} children
 */
export function element(tag, options, ...children) {
    const made = document.createElement(tag);
    if (options.class) made.className = options.class;
    made.append(...children);
    return made;
}

/** @param {string} role in the palette */
export function swatch(role) {
    const box = element("span", { class: "swatch" });
    box.style.background = `var(--${role})`;
    return box;
}

/**
 * Whether a title says what a field does: its text, as "GC wait" does, or its name too, as "thread 9" does.
 * @param {string} title
 * @param {string} name
 * @param {string} text
 */
function says(title, name, text) {
    return title === text || title.toLowerCase() === `${name} ${text}`.toLowerCase();
}

/**
 * What is known of a span beside its title, each once: names and texts.
 * @param {Span} span
 * @param {number} origin the time that is shown as 0
 * @returns {[string, string][]}
 */
export function fieldsOf(span, origin) {
    /** @type {[string, string][]} */
    const fields = span.fields.map((field) => [field.name, valueText(field.kind, field.value, origin)]);
    /** @type {[string, string][]} */
    const all = [["State", span.state], ...fields];
    return all.filter(([name, text]) => !says(visible(span.title), name, text));
}

/** @param {[string, string][]} fields names and texts */
export function fieldList(fields) {
    return element("dl", {}, ...fields.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

/**
 * A span's name and all that is known of it.
 * @param {Span} span
 * @param {number} origin the time that is shown as 0
 */
function describeSpan(span, origin) {
    return [element("strong", {}, swatch(span.role), visible(span.title)), fieldList(fieldsOf(span, origin))];
}

/**
 * What is at a place, for a tooltip.
 * @param {Place} place
 * @param {number} origin the time that is shown as 0
 */
export function describePlace(place, origin) {
    if (place.kind === "span") return describeSpan(place.span, origin);
    const title = element("strong", {}, titleOf(place));
    if (place.kind !== "many") return [title];
    const [name, list] = describeSpan(place.span, origin);
    return [title, element("div", { class: "longest" }, ...name.childNodes), list];
}

/** @param {Exclude<Place, { kind: "span" }>} place */
function titleOf(place) {
    switch (place.kind) {
        case "unknown":
            return place.lacks ? `Not logged · needs ${place.lacks}` : "Not in the log";
        case "unread":
            return "Not read yet";
        case "empty":
            return "Nothing here";
        case "level":
            return `Running ${place.running.toFixed(1)} of ${place.of} ${place.of === 1 ? "capability" : "capabilities"}`;
        case "many": {
            const { count: of, more, what, span } = place;
            const length = span.end - span.start;
            return `${more ? "At least " : ""}${count(of)} ${what} here${length > 0 ? `, longest ${duration(length)}` : ""}`;
        }
    }
}

/**
 * What a click on a place selects.
 * @param {Place | null} place
 */
export function selectable(place) {
    return place && "span" in place ? place.span : null;
}

/**
 * A span in one sentence, for those who listen.
 * @param {Span} span
 * @param {string} track
 */
export function spokenSpan(span, track) {
    // A moment has no duration.
    const length = span.end > span.start ? [duration(span.end - span.start)] : [];
    const parts = [visible(span.title), span.state, ...length];
    return `${track}: ${parts.filter((part, at) => part !== parts[at - 1]).join(", ")}`;
}

/**
 * The numbers behind the tracks of states: what each was doing, over the whole log or in a range of it. One table for
 * tracks with the same states.
 * @param {LogInfo} log
 * @param {import("./protocol.js").RangeTotals | null} totals
 */
export function summaryTables({ summed, groups: all, status }, totals) {
    const [first, last] = status.extent ?? [0, 0];
    // Beyond the log's ends nothing is known: that is no part of the time.
    const [from, to] = totals ? [Math.max(totals.from, first), Math.min(totals.to, last)] : [first, last];
    const shown = totals ? summed.map((track) => within(track, totals)) : summed;
    const groups = [...new Set(shown.map(({ group }) => group))];
    return groups.flatMap((group) => {
        const own = shown.filter((track) => track.group === group);
        const parts = all.find(({ name }) => name === group)?.parts ?? [];
        const of = parts.reduce((sum, { shape, tracks }) => sum + (shape === "states" ? tracks : 0), 0);
        const more = of > own.length ? [element("p", { class: "muted" }, `the first ${count(own.length)} of ${count(of)}`)] : [];
        return [stateTable(own, from, to), ...more];
    });
}

/**
 * A track with the totals of a range instead of the whole log's.
 * @param {import("./protocol.js").Track} track
 * @param {import("./protocol.js").RangeTotals} totals
 * @returns {import("./protocol.js").Track}
 */
function within(track, totals) {
    const found = totals.tracks.find((of) => of.track === track.id);
    const states = track.states.map((state, at) => ({ ...state, total: state.lacks ? undefined : (found?.states[at] ?? 0) }));
    const name = found?.count === undefined ? track.name : `${track.name} (${count(found.count)})`;
    return { ...track, name, states };
}

/**
 * The time of which events were lost.
 * @param {import("./protocol.js").State[]} states
 */
function lost(states) {
    return states.find(({ role }) => role === HATCHED)?.total ?? 0;
}

/**
 * Shares are those of the time that is known of a track. What is not known has a column if there is any.
 * @param {import("./protocol.js").Track[]} tracks
 * @param {number} from
 * @param {number} to
 */
function stateTable(tracks, from, to) {
    const anyLost = tracks.some(({ states }) => lost(states) > 0);
    const shown = (/** @type {import("./protocol.js").State} */ { role }) => anyLost || role !== HATCHED;
    const names = tracks[0].states.filter(shown).map(({ name, role }) => element("th", { class: "number" }, swatch(role), `\u00a0${name}`));
    const head = element("tr", {}, element("th", {}, tracks[0].group), ...names);
    const rows = tracks.map(({ name, states, known = [from, to] }) => {
        const length = Math.max(Math.min(known[1], to) - Math.max(known[0], from) - lost(states), 1);
        const cells = states.filter(shown).map(({ total = 0, lacks, role }) => {
            if (role === HATCHED) return element("td", { class: "number" }, duration(total));
            if (lacks) return element("td", { class: "number muted" }, "not logged · needs ", element("code", {}, lacks));
            const share = element("span", { class: "muted" }, percent(total / length));
            return element("td", { class: "number" }, `${duration(total)} `, share);
        });
        return element("tr", {}, element("th", {}, name), ...cells);
    });
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

/**
 * What the bar tells of a log.
 * @param {LogInfo} log
 * @param {(ms: number) => string} date
 */
export function factTexts({ facts, name, size, packed, status }, date) {
    const [, ...args] = facts.args;
    const start = facts.epoch === undefined || !status.extent ? "" : date(facts.epoch + status.extent[0] / 1e6);
    const unpacked = packed ? `, ${bytes(status.offset)} unpacked` : "";
    const file = `${name} · ${bytes(size)}${unpacked} · ${count(status.events)} events`;
    return [file, facts.runtime, start, args.join(" ")].filter(Boolean).map(visible);
}
