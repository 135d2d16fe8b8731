// Rows of the program's own spans, as their reader chooses: of what each is, and which words begin and end a span.

import { FIRST_WORDS } from "./protocol.js";

/**
 * @typedef {object} SpansChoice
 * @property {boolean} byThread whether a row is a thread's, or a label's
 * @property {string} label of which spans a histogram is shown; empty for none
 */

/** @typedef {{ begin: string, end: string }} SpanWords the words that stand before a span's label where it begins, and where it ends */

const KEY = "ghc-eventlog-viewer.span-words";

/** The model's bound for texts, in bytes. */
const MOST = 240;

/** @returns {SpansChoice} as it is at first */
export function firstSpans() {
    return { byThread: false, label: "" };
}

/**
 * Words as somebody has typed them; null if no span can be told by them.
 * @param {string} begin
 * @param {string} end
 * @returns {SpanWords | null}
 */
export function wordsOf(begin, end) {
    const words = { begin: begin.trim(), end: end.trim() };
    const fits = (/** @type {string} */ word) => word !== "" && !word.includes(",") && new TextEncoder().encode(word).length <= MOST;
    return fits(words.begin) && fits(words.end) && words.begin !== words.end ? words : null;
}

/**
 * Words as an attribute of a page, or an option of a command line, has them: `BEGIN,END`; null if it has none.
 * @param {string | null} text
 */
export function wordsIn(text) {
    const [begin, end, ...more] = text?.split(",") ?? [];
    return end === undefined || more.length > 0 ? null : wordsOf(begin, end);
}

/**
 * The reverse; empty for the first ones.
 * @param {SpanWords} words
 */
export function wordsText(words) {
    return isFirst(words) ? "" : `${words.begin},${words.end}`;
}

/** @param {SpanWords} words */
export function isFirst({ begin, end }) {
    return begin === FIRST_WORDS.begin && end === FIRST_WORDS.end;
}

/**
 * What was written may be another version's, or anybody's.
 * @param {string | null} written
 * @returns {SpanWords}
 */
export function wordsWritten(written) {
    try {
        const { begin, end } = JSON.parse(written ?? "{}") ?? {};
        return (typeof begin === "string" && typeof end === "string" && wordsOf(begin, end)) || FIRST_WORDS;
    } catch {
        return FIRST_WORDS;
    }
}

/**
 * What the reader chose the last time. Pages from a file may have no storage.
 * @returns {SpanWords}
 */
export function rememberedWords() {
    try {
        return wordsWritten(localStorage.getItem(KEY));
    } catch {
        return FIRST_WORDS;
    }
}

/** @param {SpanWords} words */
export function rememberWords(words) {
    try {
        localStorage.setItem(KEY, JSON.stringify(words));
    } catch {
        // Then they last as long as the page.
    }
}
