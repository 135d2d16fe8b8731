// What the list of events can do to the rest of the viewer.

import { EVENTS } from "../protocol.js";
import { COMMAND } from "../search/mark.js";
import { completionsFor } from "../search/suggestions.js";
import { remember, remembered } from "../remembered.js";
import { shownOf } from "../state.js";
import { follow } from "../store.js";

/** @typedef {import("../wishes.js").EventsWish} EventsWish */
/** @typedef {import("../search/suggestions.js").Suggestion} Suggestion */

/**
 * @typedef {object} EventActs
 * @property {(wish: EventsWish, meanwhile: (counted: import("../protocol.js").EventsCounted) => void) =>
 *     Promise<import("../protocol.js").EventsReport | null>} count counts the events that fit a query; null if it is given up
 * @property {() => void} stop gives up counting
 * @property {(wish: EventsWish, time: number) => Promise<number | null>} place the index of the first row at a time or later
 * @property {(offset: number) => Promise<import("../protocol.js").WholeEvent | null>} read all of an event
 * @property {(wish: EventsWish, from: number, count: number) => Promise<string | null>} lines rows as lines of JSON
 * @property {(text: string, caret: number) => Promise<Suggestion[]>} complete how a query may go on
 * @property {{ byTime: boolean }} order the order that the user has chosen; set it to remember it
 * @property {((span: import("../protocol.js").Span) => void) | null} selected called with each span that is selected on the timeline; set by
 *     the list
 */

/** The key of the list of events, and its order: a column for the order of time, none for that of the file. */
const LOG = "log";
export const BY_TIME = "time_ns";

/** What is remembered of the order. */
const ORDER = "events.order";
const IN_FILE = "file";

/**
 * @param {import("../context.js").Context} context
 * @returns {EventActs}
 */
export function eventActs(context) {
    const { stage, store, log } = context;
    let byTime = !stage.own || remembered(ORDER) !== IN_FILE;
    /** @type {EventActs} */
    const acts = {
        count: (wish, meanwhile) => log.ask("countEvents", wish, meanwhile),
        stop: () => context.client.of(store.value.shown).giveUp(EVENTS),
        place: (wish, time) => log.ask("eventPlace", { ...wish, time }),
        read: (offset) => log.ask("event", { offset }),
        lines: (wish, from, count) => log.ask("eventLines", { ...wish, from, count }),
        complete: async (text, caret) => {
            const found = shownOf(store.value).log ? await completionsFor(context, text, caret) : [];
            // Commands are for the search field.
            return found.filter(({ put }) => put && put.text !== COMMAND);
        },
        order: {
            get byTime() {
                return byTime;
            },
            set byTime(chosen) {
                byTime = chosen;
                if (stage.own) remember(ORDER, chosen ? "time" : IN_FILE);
            },
        },
        selected: null,
    };
    follow(
        store,
        ({ span }) => [span],
        ({ span, shown }) => {
            if (span && span.log === shown) acts.selected?.(span);
        },
    );
    return acts;
}

/**
 * Asks for rows of a table: of the list of events, or of any other.
 * @param {Pick<import("../shown-log.js").ShownLog, "ask">} log
 * @param {import("./contents.js").TableQuestion} question
 * @returns {Promise<import("./paged.js").RowsPage | null>}
 */
export function askRows(log, { query, ...question }) {
    if (question.table !== LOG) return log.ask("table", question);
    const { sort, filter: types, range, from, count } = question;
    return log.ask("eventRows", { byTime: sort === BY_TIME, types, query, range, from, count });
}
