// Makes elements that describe the contents of a log. Text from a log is always text, never markup.

import { bytes, capitalized, count, duration, valueText, visible } from "./format.js";
import { withoutMiddle } from "./qualified.js";
import { needsText } from "./why-none.js";

/** @typedef {import("./protocol.js").Span} Span */
/** @typedef {import("./protocol.js").Found} Found */
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
 * Whether a title already says what a field does: its text, as "GC wait" does, or also its name, as "thread 9" does.
 * @param {string} title
 * @param {string} name
 * @param {string} text
 */
function says(title, name, text) {
    return title === text || title.toLowerCase() === `${name} ${text}`.toLowerCase();
}

/**
 * The fields of a span that its title does not say, as names and texts.
 * @param {Span} span
 * @param {import("./times.js").Times} times how moments are written
 * @returns {[string, string][]}
 */
export function fieldsOf(span, times) {
    /** @type {[string, string][]} */
    const fields = span.fields.map((field) => [field.name, valueText(field.kind, field.value, times)]);
    /** @type {[string, string][]} */
    const all = [["State", span.state], ...fields];
    return all.filter(([name, text]) => !says(visible(span.title), name, text));
}

/** @param {[string, string][]} fields names and texts */
export function fieldList(fields) {
    return element("dl", {}, ...fields.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

/** The most letters of a title, and of a field, in a tooltip: the details have all of it. */
const MOST_OF_TITLE = 240;
const MOST_OF_FIELD = 400;

/**
 * A span's title and its fields, as far as a tooltip has room for them.
 * @param {Span} span
 * @param {import("./times.js").Times} times how moments are written
 */
function describeSpan(span, times) {
    const fields = fieldsOf(span, times).map(
        ([name, text]) => /** @type {[string, string]} */ ([name, withoutMiddle(text, MOST_OF_FIELD)]),
    );
    return [element("strong", {}, swatch(span.role), withoutMiddle(visible(span.title), MOST_OF_TITLE)), fieldList(fields)];
}

/**
 * What was found under the pointer, for a tooltip.
 * @param {Found} found
 * @param {import("./times.js").Times} times how moments are written
 */
export function describeFound(found, times) {
    if (found.kind === "span") return describeSpan(found.span, times);
    const title = element("strong", {}, titleOf(found));
    if (found.kind !== "many") return [title];
    const [name, list] = describeSpan(found.span, times);
    return [title, element("div", { class: "longest" }, ...name.childNodes), list];
}

/** @param {Exclude<Found, { kind: "span" }>} found */
export function titleOf(found) {
    switch (found.kind) {
        case "unknown":
            return found.lacks ? capitalized(needsText(found.lacks)) : "Not in the log";
        case "unread":
            return "Not read yet";
        case "empty":
            return "Nothing here";
        case "level":
            return `Running ${found.running.toFixed(1)} of ${count(found.of)} ${found.of === 1 ? singular(found.what) : found.what}`;
        case "many": {
            const { count: of, more, what, span } = found;
            const length = span.end - span.start;
            return `${more ? "At least " : ""}${count(of)} ${what} here${length > 0 ? `, longest ${duration(length)}` : ""}`;
        }
    }
}

/** @param {string} what capabilities, threads … */
function singular(what) {
    return what.replace(/ies$/, "y").replace(/s$/, "");
}

/**
 * The span that a click selects.
 * @param {Found | null} found
 * @param {number} log the number of the log that was asked
 */
export function selectable(found, log) {
    return found && "span" in found ? { ...found.span, log } : null;
}

/**
 * A span in one sentence, for screen readers.
 * @param {Span} span
 * @param {string} [track] left out where the track has been said
 */
export function spokenSpan(span, track) {
    // A moment has no duration.
    const length = span.end > span.start ? [duration(span.end - span.start)] : [];
    const parts = [withoutMiddle(visible(span.title), MOST_OF_TITLE), span.state, ...length];
    const text = parts.filter((part, at) => part && part !== parts[at - 1]).join(", ");
    return track === undefined ? text : `${track}: ${text}`;
}

/**
 * What a log was written by: its runtime, and the program's arguments and flags. Either may be missing.
 * @param {Pick<LogInfo, "process">} log
 */
export function runTexts({ process }) {
    const [, ...args] = process.args;
    return [process.runtime ?? "", args.join(" ")];
}

/**
 * The facts about a log for the bar.
 * @param {LogInfo} log
 * @param {import("./times.js").Times} times the time of day, if the log has it
 */
export function factTexts({ process, name, size, read, packed, status }, times) {
    const [runtime, args] = runTexts({ process });
    const start = status.extent ? times.date(status.extent[0]) : "";
    const unpacked = packed ? `, ${bytes(status.offset)} unpacked` : "";
    const file = `${name} · ${bytes(size || read)}${unpacked} · ${count(status.events)} events`;
    // What matters least comes last: in a narrow window it is cut first.
    return [file, runtime, args, start].filter(Boolean).map(visible);
}
