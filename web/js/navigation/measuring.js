// Measures from one span to another: "from the end of A to the start of B". The first one is kept in the state, the second one is the
// selection, and the time between them is the selected range.

import { duration, visible } from "../format.js";
import { spanOnPage } from "../page-time.js";

/** @typedef {import("../viewport.js").View} View */
/** @typedef {import("../state.js").State} State */
/** @typedef {Pick<import("../protocol.js").Span, "title" | "on">} Named */

/**
 * What was measured.
 * @typedef {object} Measured
 * @property {View} range on the page's axis
 * @property {[string, string][]} fields names and durations; the first one is that of the range
 */

/**
 * The distance of the two spans; null if there are not two.
 * @param {Pick<State, "measureFrom" | "span" | "logs">} state
 * @returns {Measured | null}
 */
export function measuredOf({ measureFrom, span, logs }) {
    if (!measureFrom || !span || isSame(measureFrom, span)) return null;
    return measured(
        { ...spanOnPage({ logs }, measureFrom), title: measureFrom.title, on: measureFrom.on },
        { ...spanOnPage({ logs }, span), title: span.title, on: span.on },
    );
}

/**
 * @param {import("../state.js").OfLog<import("../protocol.js").Span>} a
 * @param {import("../state.js").OfLog<import("../protocol.js").Span>} b
 */
function isSame(a, b) {
    return a.log === b.log && a.track === b.track && a.start === b.start && a.end === b.end;
}

/**
 * The distance of two spans, whichever comes first.
 * @param {View & Named} one
 * @param {View & Named} other
 * @returns {Measured}
 */
export function measured(one, other) {
    const [a, b] = one.from < other.from || (one.from === other.from && one.to <= other.to) ? [one, other] : [other, one];
    const [nameA, nameB] = namesOf(a, b);
    /** @param {string} name @param {View} range @returns {Measured} */
    const first = (name, range) => ({ range, fields: [[name, duration(range.to - range.from)]] });
    const end = Math.max(a.to, b.to);
    const apart = a.to <= b.from;
    // A moment has neither.
    const [endOf, startOf] = [a.to > a.from ? "the end of " : "", b.to > b.from ? "the start of " : ""];
    const { range, fields } = apart
        ? first(`From ${endOf}${nameA} to ${startOf}${nameB}`, { from: a.to, to: b.from })
        : first(`${nameA} and ${nameB} overlap`, { from: b.from, to: Math.min(a.to, b.to) });
    if (!endOf && !startOf) return { range, fields };
    return {
        range,
        fields: [
            ...fields,
            ["From start to start", duration(b.from - a.from)],
            ["From the first start to the last end", duration(end - a.from)],
        ],
    };
}

/**
 * Names for two spans that distinguish them.
 * @param {Named} a
 * @param {Named} b
 */
function namesOf(a, b) {
    const [nameA, nameB] = [visible(a.title), visible(b.title)];
    if (nameA !== nameB) return [nameA, nameB];
    if (a.on !== b.on) return [`${nameA} (${visible(a.on)})`, `${nameB} (${visible(b.on)})`];
    return [`the first ${nameA}`, `the second ${nameB}`];
}

/** @param {Measured} measured */
export function spokenDistance({ fields: [[name, length]] }) {
    return `${name}: ${length}`;
}

/**
 * Starts to measure from the selected span to those that are selected next; stops if it is measuring.
 * @param {Pick<import("../context.js").Context, "store" | "note">} context
 */
export function toggleMeasuring({ store, note }) {
    const { span, measureFrom } = store.value;
    if (measureFrom) {
        store.set({ measureFrom: null });
        note("Measuring has ended");
    } else if (span) {
        store.set({ measureFrom: span });
        note(`Measuring from ${visible(span.title)}: select another one`);
    } else note("Select a span to measure from first");
}
