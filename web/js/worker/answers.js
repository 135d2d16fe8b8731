// Answers to what the page asks about an open log: a function for each of the protocol's questions.

import { ASKERS } from "../protocol.js";
import { countEvents, event, eventLines, eventPlace, eventRows } from "./events.js";
import { find, totalsOf, work } from "./jobs.js";
import { namesFrom } from "./names-from.js";
import { rowsCalled, rowsNamed } from "./named-rows.js";
import { exportProfile, pack } from "./pack.js";
import { tracksNamed } from "./tracks-named.js";
import { isRestThere, rest } from "./rest.js";
import { hits, search } from "./search.js";
import { whole, window } from "./windows.js";
import { FLAME_VIEWS } from "../wishes.js";

/** @typedef {import("../protocol.js").Questions} Questions */
/** @typedef {import("./opening.js").Opening} Opening */

/** Most rows of each table in a summary as text. */
const MARKDOWN_ROWS = 30;

/** The questions whose answers need nothing of the rest of the wasm: those for pictures. @type {Set<keyof Questions>} */
const FIRST = new Set(["window", "whole", "rows", "slotOf", "places"]);

/** What a question's function gets besides the question.
 * @template {keyof Questions} K
 * @typedef {object} Call
 * @property {() => boolean} isOver whether the answer is no longer wanted, or the log is closed
 * @property {(body: import("../protocol.js").Meanwhile<K>) => void} meanwhile sends the page something before the answer
 */

/**
 * @template T
 * @typedef {T | null | undefined | Promise<T | null | undefined>} Eventually the answer, if there is one
 */

/** @type {{ [K in keyof Questions]: (opening: Opening, ask: Questions[K]["ask"], call: Call<K>) => Eventually<Questions[K]["answer"]> }} */
export const answers = {
    window,
    cells: window,
    whole,
    range: (opening, range, { isOver }) => {
        opening.range = range;
        return totalsOf(opening, range, isOver);
    },
    table,
    eventRows,
    eventLines,
    countEvents,
    eventPlace,
    event,
    flame: ({ log }, { section, range, view, frame, from, to, search, width }) =>
        /** @type {import("../protocol.js").Flame | undefined} */
        (log.flame(section, range, FLAME_VIEWS.indexOf(view), frame, from, to, search, width)),
    calls: ({ log }, { section, range, view, frame, search, sort, down, shown, open, chosen, from, count }) =>
        /** @type {import("../protocol.js").CallTree | undefined} */
        (log.calls(section, range, FLAME_VIEWS.indexOf(view), frame, sort, down, search, shown, open, chosen, from, count)),
    callSamples: ({ log }, { section, range, view, frame, search, path, from, to, width, tracks }) =>
        /** @type {import("../protocol.js").CallSamples | undefined} */
        (log.call_samples(section, range, FLAME_VIEWS.indexOf(view), frame, search, path, from, to, width, Float64Array.from(tracks))),
    callSampleBeside: ({ log }, { section, range, view, frame, search, path, time, next }) =>
        log.call_sample_beside(section, range, FLAME_VIEWS.indexOf(view), frame, search, path, time, next),
    markdown: ({ log }, { range }) => log.markdown(range, MARKDOWN_ROWS),
    findingMarkdown: ({ log }, { id }) => log.finding_markdown(id),
    tracksNamed,
    slotOf: ({ log, arrangement }, { track }) => log.slot_of(arrangement, track),
    pack,
    exportAs: exportProfile,
    namesFrom,
    lookUp: async (opening, { track, from, to, part, role }, { isOver }) => {
        const found = await find(opening, isOver, (log, arrangement) => log.look_up(arrangement, track, from, to, part));
        // A track whose colours go by name has the role of the colour in the question.
        return found?.kind === "span" && role ? { ...found, span: { ...found.span, role } } : found;
    },
    neighbour: (opening, { track, time, next }, { isOver }) =>
        find(opening, isOver, (log, arrangement) => log.neighbour(arrangement, track, time, next)),
    woken: (opening, { track, time, back }, { isOver }) =>
        find(opening, isOver, (log, arrangement) => log.woken(arrangement, track, time, back)),
    whyIdle: (opening, { track, from, to }, { isOver }) => {
        const job = opening.log.why_idle(track, from, to);
        return job === undefined ? null : work(opening, job, isOver, () => opening.log.idle_reasons(job));
    },
    requests,
    search,
    hits,
    complete: ({ log }, { query, cursor }) => log.complete(query, cursor),
    rows: (opening, { shown, missing }) => opening.rows(shown, missing),
    places: (opening, { tracks }) => opening.places(tracks),
    rowsNamed,
    rowsCalled,
};

/**
 * Some rows of a table.
 * @param {Opening} opening
 * @param {import("../wishes.js").TableWish} wish
 * @returns {import("../protocol.js").TablePage}
 */
function table({ log, arrangement }, { table, range = false, sort, down, filter, within, from, count }) {
    const { column, from: least, to: below } = within ?? { column: "", from: 0, to: 0 };
    return log.table(arrangement, table, range, sort, down, filter, column, least, below, from, count);
}

/**
 * Looks at each span with a label.
 * @param {Opening} opening
 * @param {import("../wishes.js").RequestsWish} wish
 * @param {Call<"requests">} call
 */
async function requests(opening, { label, least, most }, { isOver }) {
    // Spans are known once threads have been followed.
    opening.followThreads();
    const job = opening.log.requests(label, least, most);
    if (job === undefined) return false;
    await work(opening, job, isOver, () => opening.renewed());
    return true;
}

/**
 * Answers a question. If that fails, the page gets a `trouble` with the log.
 * @template {keyof Questions} K
 * @param {Opening} opening
 * @param {K} kind
 * @param {Questions[K]["ask"]} ask
 * @param {Call<K>["meanwhile"]} meanwhile
 * @returns {Promise<Questions[K]["answer"] | null>}
 */
export async function answer(opening, kind, ask, meanwhile) {
    const isOver = opening.begin(ASKERS[kind]?.(ask));
    try {
        if (!FIRST.has(kind) && !isRestThere()) await rest();
        return isOver() ? null : ((await answers[kind](opening, ask, { isOver, meanwhile })) ?? null);
    } catch (error) {
        opening.parts.failed(error);
        return null;
    }
}
