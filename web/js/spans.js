// The user's choices for the program's own spans: their rows, and the words that begin and end a span.

import { FIRST_WORDS } from "./protocol.js";

/**
 * @typedef {object} SpansChoice
 * @property {boolean} byThread whether each thread has a row, or each label
 * @property {string} label whose spans have a histogram; empty for none
 */

/** @typedef {{ begin: string, end: string }} SpanWords the words before a span's label where it begins, and where it ends */

const KEY = "ghc-eventlog-viewer.span-words";

/** The longest text in the model, in bytes. */
const MOST = 240;

/** @returns {SpansChoice} the choice at first */
export function firstSpans() {
    return { byThread: false, label: "" };
}

/**
 * Words as the user has typed them; null if they cannot mark a span.
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
 * Words as in an attribute of the element, or an option of the command line: `BEGIN,END`; null if the text is not that.
 * @param {string | null} text
 */
export function wordsIn(text) {
    const [begin, end, ...more] = text?.split(",") ?? [];
    return end === undefined || more.length > 0 ? null : wordsOf(begin, end);
}

/**
 * The words as such a text; empty for the first ones.
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
 * The stored text may be from another version, or from another program.
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
 * The user's last choice. Pages opened from a file may have no storage.
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
        // They cannot be stored: then they are kept as long as the page is open.
    }
}
