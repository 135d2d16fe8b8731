// The user's choices for the program's own spans and counters: their rows, and the words that begin and end a span besides those that
// are known.

import { remember, remembered } from "./remembered.js";

/**
 * @typedef {object} SpansChoice
 * @property {boolean} byThread whether each thread has a row, or each label
 * @property {string} label whose spans have a histogram; empty for none
 * @property {string[]} hidden the names of counters without a line
 */

/** @typedef {{ begin: string, end: string, after: boolean }} SpanWords the words where a span begins and where it ends, before its label or after it */

const NAME = "span-words";

/** The longest text in the model, in bytes. */
const MOST = 240;

/** The most pairs in the model. */
export const MOST_PAIRS = 16;

/** What marks a word as one that comes after the label, in texts. */
const AFTER = "* ";

/** @returns {SpansChoice} the choice at first */
export function firstSpans() {
    return { byThread: false, label: "", hidden: [] };
}

/**
 * Words as the user has typed them; null if they cannot mark a span.
 * @param {string} begin
 * @param {string} end
 * @param {boolean} after
 * @returns {SpanWords | null}
 */
export function wordsOf(begin, end, after) {
    const words = { begin: begin.trim(), end: end.trim(), after };
    const isWord = (/** @type {string} */ word) => word !== "" && !word.includes(",") && (after || !word.startsWith(AFTER));
    const fits = (/** @type {string} */ word) => isWord(word) && new TextEncoder().encode(word).length <= MOST;
    return fits(words.begin) && fits(words.end) && words.begin !== words.end ? words : null;
}

/**
 * Pairs of words as in an attribute of the element, or an option of the command line: `BEGIN,END` or `* BEGIN,* END`, and more of them
 * after another comma; null if the text is not that.
 * @param {string | null} text
 * @returns {SpanWords[] | null}
 */
export function wordsIn(text) {
    const words = text?.split(",").map((word) => word.trimStart()) ?? [];
    if (words.length % 2 !== 0 || words.length === 0 || words.length / 2 > MOST_PAIRS) return null;
    const pairs = words.flatMap((begin, at) => (at % 2 === 0 ? [pairOf(begin, words[at + 1])] : []));
    return pairs.every((pair) => pair !== null) ? pairs : null;
}

/** @param {string} begin @param {string} end */
function pairOf(begin, end) {
    const after = begin.startsWith(AFTER);
    if (!after) return wordsOf(begin, end, false);
    return end.startsWith(AFTER) ? wordsOf(begin.slice(AFTER.length), end.slice(AFTER.length), true) : null;
}

/**
 * The pairs as such a text; empty for none.
 * @param {SpanWords[]} pairs
 */
export function wordsText(pairs) {
    const marked = (/** @type {SpanWords} */ { begin, end, after }) => [begin, end].map((word) => (after ? AFTER : "") + word);
    return pairs.flatMap(marked).join(",");
}

/**
 * The stored text may be from another version, or from another program. Earlier versions stored one pair as JSON, which replaced START
 * and STOP.
 * @param {string | null} written
 * @returns {SpanWords[]}
 */
export function wordsWritten(written) {
    try {
        const { begin, end } = JSON.parse(written ?? "{}") ?? {};
        const pair = typeof begin === "string" && typeof end === "string" && wordsOf(begin, end, false);
        return pair && !(pair.begin === "START" && pair.end === "STOP") ? [pair] : [];
    } catch {
        return wordsIn(written) ?? [];
    }
}

/** The user's last choice. */
export function rememberedWords() {
    return wordsWritten(remembered(NAME));
}

/** @param {SpanWords[]} pairs */
export function rememberWords(pairs) {
    remember(NAME, wordsText(pairs));
}
