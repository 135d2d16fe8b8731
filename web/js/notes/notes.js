// Notes: what the user writes at a moment of a log, or at a range of its time. They are kept for the log in the browser's storage, in links
// and in saved pages.

import { ByLog, keyOf } from "../by-log.js";
import { changeLog, logOf, originOf, shownOf } from "../state.js";
import { followOtherTabs, remembered } from "../remembered.js";

/** @typedef {import("../context.js").Context} Context */

/**
 * @typedef {object} Note
 * @property {number} from in ns from the log's first moment
 * @property {number} to the same as `from` for a moment
 * @property {string} text
 */

/** Most notes of a log, and most characters of a note. */
export const MOST = 500;
export const LONGEST = 2000;

const NAME = "notes";

/** @type {ByLog<Note>} */
const NOTES = new ByLog(NAME, MOST, noteIn);

/**
 * @param {unknown} written
 * @returns {Note | null} null if it is none
 */
export function noteIn(written) {
    const { from, to, text } = /** @type {Record<string, unknown>} */ (written ?? {});
    if (typeof from !== "number" || typeof to !== "number" || typeof text !== "string") return null;
    return Number.isFinite(from) && Number.isFinite(to) && from <= to && text.trim() ? { from, to, text: text.slice(0, LONGEST) } : null;
}

/**
 * Shows the remembered notes of each log once it has been read, besides those that a link or a saved page brings.
 * @param {Pick<Context, "stage" | "store">} context
 */
export function followNotes(context) {
    NOTES.follow(context, (notes) => addNotes(context, notes));
    const { stage, store } = context;
    if (!stage.own) return;
    const changed = () => {
        // All that was stored is gone: what is on the screen stays there.
        if (remembered(NAME) === null) return;
        for (const { number, log, finished } of Object.values(store.value.logs)) {
            if (log && finished) changeLog(store, number, { notes: NOTES.of(keyOf(log)) });
        }
    };
    followOtherTabs(NAME, changed, stage.signal);
}

/**
 * Adds notes to the log on the screen, except those that it has already. If there are too many, some of the new ones are left out.
 * @param {Pick<Context, "stage" | "store">} context
 * @param {Note[]} notes
 */
export function addNotes(context, notes) {
    const { number, notes: shown } = shownOf(context.store.value);
    const all = together(ownOf(context), notes);
    if (all.length > shown.length) setNotes(context, number, all);
}

/**
 * Adds, changes or deletes a note of the log on the screen.
 * @param {Pick<Context, "stage" | "store">} context
 * @param {Note | null} old null to add it
 * @param {Note | null} note null to delete the old one
 * @returns {string} what is wrong; empty if nothing is
 */
export function changeNote(context, old, note) {
    const { number } = shownOf(context.store.value);
    const others = ownOf(context).filter((other) => !old || !isSame(other, old));
    if (note && others.length >= MOST) return `There are ${MOST} notes already: delete one first.`;
    const isKept = setNotes(context, number, note ? [...others, note] : others);
    return isKept ? "" : "The browser has no room to store the note: it is lost when this page is closed.";
}

/**
 * The notes of the log on the screen, and those that are stored for it: another tab may have stored more, and a link may bring notes before
 * the stored ones have been read.
 * @param {Pick<Context, "stage" | "store">} context
 */
function ownOf({ stage, store }) {
    const { log, notes } = shownOf(store.value);
    return together(log && stage.own ? NOTES.of(keyOf(log)) : [], notes);
}

/**
 * Some notes, and those of others that are not among them; the first `MOST`.
 * @param {readonly Note[]} notes
 * @param {readonly Note[]} others
 */
function together(notes, others) {
    return [...notes, ...others.filter((note) => !notes.some((one) => isSame(note, one)))].slice(0, MOST);
}

/**
 * @param {Pick<Context, "stage" | "store">} context
 * @param {number} number the log's
 * @param {Note[]} notes
 * @returns {boolean} false if they should be stored, but the browser has no room
 */
function setNotes({ stage, store }, number, notes) {
    const sorted = notes.toSorted((one, other) => one.from - other.from || one.to - other.to);
    const { log } = logOf(store.value, number);
    changeLog(store, number, { notes: sorted });
    // The storage belongs to the page.
    return !log || !stage.own || NOTES.remember(keyOf(log), sorted);
}

/**
 * @param {Note} one
 * @param {Note} other
 */
function isSame(one, other) {
    return one.from === other.from && one.to === other.to && one.text === other.text;
}

/**
 * A note's time in its log.
 * @param {Pick<import("../state.js").LogState, "log">} log
 * @param {Note} note
 * @returns {import("../viewport.js").View}
 */
export function timeOfNote(log, { from, to }) {
    const origin = originOf(log);
    return { from: origin + from, to: origin + to };
}

/**
 * Notes as a text for links and saved pages; the reverse of `notesIn`.
 * @param {readonly Note[]} notes
 */
export function notesText(notes) {
    return notes.length > 0 ? JSON.stringify(notes.map(({ from, to, text }) => (to > from ? [from, to, text] : [from, text]))) : "";
}

/**
 * The notes in a text, which may contain anything; what is no note is left out.
 * @param {string | null} text
 * @returns {Note[]}
 */
export function notesIn(text) {
    try {
        const all = JSON.parse(text || "[]");
        if (!Array.isArray(all)) return [];
        return all.slice(0, MOST).flatMap((one) => {
            const [from, to, written] = Array.isArray(one) ? (one.length === 2 ? [one[0], one[0], one[1]] : one) : [];
            return noteIn({ from, to, text: written }) ?? [];
        });
    } catch {
        return [];
    }
}
