// Follows the arrangement of rows: asks the worker where the tracks are that it names, and which rows have its text; keeps it for the log in
// the page's address (`rows=p1.0,h3.12`) and in the browser's storage.

import { ByLog, keyOf } from "../by-log.js";
import { encoded, setInAddress, valueIn } from "../fragment.js";
import { valueForAny } from "../link/link.js";
import { changeLog, changeShown, shownOf } from "../state.js";
import { follow } from "../store.js";
import { counted } from "../words.js";
import { visible } from "../format.js";
import { firstRowsChoice, tracksIn } from "./choice.js";
import { choiceIn, textOf } from "./text.js";

/** @typedef {import("../context.js").Context} Context */

const KEY = "rows";

/** A longer arrangement is not in the address: links are cut by what sends them. */
const LONGEST = 1000;

/** The arrangement of each log, as text. @type {ByLog<string>} */
const KEPT = new ByLog("rows", 1, (written) => (typeof written === "string" ? written : null));

/** @param {Context} context */
export function followRows(context) {
    askForPlaces(context);
    askForNames(context);
    endPeeks(context);
    if (context.stage.own) keepRows(context);
    takeRequested(context);
}

/**
 * Takes the arrangement that a saved page brings, or the page around the viewer, unless the user has another one.
 * @param {Pick<Context, "store">} context
 */
function takeRequested({ store }) {
    follow(
        store,
        (state) => [state.shown, shownOf(state).finished, state.requested.rows],
        (state) => {
            const { finished, rows } = shownOf(state);
            if (finished && state.requested.rows && rows === firstRowsChoice())
                changeShown(store, { rows: choiceIn(state.requested.rows) });
        },
    );
}

/** @param {Context} context */
function askForPlaces({ store, client, note }) {
    /** The tracks that were asked for, by the number of the log. @type {Map<number, string>} */
    const asked = new Map();
    /** Those whose places are known: a log may have been read before that answer comes. @type {Map<number, string>} */
    const answered = new Map();
    /** The log and the arrangement of which it was said that something is missing. */
    let said = "";
    follow(
        store,
        (state) => [state.shown, shownOf(state).log !== null, shownOf(state).rows, shownOf(state).peek],
        (state) => {
            const { number, log, rows, peek } = shownOf(state);
            if (!log) return;
            const tracks = [...new Set([...tracksIn(rows), ...(peek ? [peek.track] : [])])];
            const now = tracks.join();
            if (now === (asked.get(number) ?? "")) return;
            asked.set(number, now);
            void client
                .of(number)
                .ask("places", { tracks })
                .then((placed) => {
                    if (!placed) return;
                    answered.set(number, now);
                    changeLog(store, number, { placed });
                });
        },
    );
    follow(
        store,
        (state) => [state.shown, shownOf(state).finished && !shownOf(state).log?.following, shownOf(state).placed],
        (state) => {
            const { number, finished, log, placed, rows } = shownOf(state);
            const tracks = tracksIn(rows);
            const now = `${number} ${tracks.join()}`;
            // A link may be of another log, or of another run.
            if (!finished || log?.following || tracks.length === 0 || said === now || answered.get(number) !== tracks.join()) return;
            said = now;
            const missing = tracks.length - placed.filter(({ track }) => tracks.includes(track.id)).length;
            if (missing > 0) note(`${counted(missing, "arranged row")} ${missing === 1 ? "is" : "are"} not among the rows of this log`);
        },
    );
}

/** @param {Context} context */
function askForNames({ store, client, note }) {
    /** The text of which it was said that not all rows are shown: the question is asked again while a log is read. */
    let cutFor = "";
    follow(
        store,
        (state) => [state.shown, shownOf(state).rows.text, shownOf(state).rows.text && shownOf(state).log?.groups],
        (state) => {
            const { number, log, rows, named } = shownOf(state);
            if (!log || !rows.text) return;
            void client
                .of(number)
                .ask("rowsNamed", { text: rows.text })
                .then((found) => {
                    const isOld = shownOf(store.value).rows.text !== rows.text;
                    if (found?.cut && !isOld && cutFor !== rows.text)
                        note(`Too many rows have “${visible(rows.text)}” in their names: the last ones of them are not shown`);
                    if (!isOld) cutFor = rows.text;
                    if (found && !isOld && JSON.stringify(found) !== JSON.stringify(named)) changeLog(store, number, { named: found });
                });
        },
    );
}

/**
 * A hidden row that was brought into view stays there as long as it is selected, or evidence is shown.
 * @param {Context} context
 */
function endPeeks({ store, note }) {
    let isUsed = false;
    /** The row of which that was said. @type {import("./plan.js").Peek | null} */
    let announced = null;
    follow(
        store,
        ({ span, finding, ...state }) => [span, finding, shownOf(state).peek],
        ({ span, finding, ...state }) => {
            const { peek } = shownOf(state);
            const wasUsed = isUsed;
            isUsed = peek !== null && (span !== null || finding !== null);
            if (peek && wasUsed && !isUsed) changeShown(store, { peek: null });
        },
    );
    follow(
        store,
        (state) => [shownOf(state).peek?.track, shownOf(state).placed],
        (state) => {
            const { peek, placed } = shownOf(state);
            const found = peek && placed.find(({ track }) => track.id === peek.track);
            if (found && peek !== announced) note(`${visible(found.track.name)} is hidden; it is shown for now`);
            if (found || !peek) announced = peek;
        },
    );
}

/** @param {Context} context */
function keepRows({ stage, store }) {
    /** What the address asks for, until a log is there; null if it asks for nothing. */
    let brought = valueForAny(location.hash, KEY);
    /** The log whose arrangement is kept: before, nothing may be written. */
    let kept = 0;
    const take = (/** @type {string} */ text) => changeShown(store, { rows: choiceIn(text), rowsBefore: [] });
    follow(
        store,
        (state) => [state.shown, shownOf(state).log !== null, shownOf(state).finished],
        (state) => {
            const { log, finished, number, rows } = shownOf(state);
            if (!log || number === kept) return;
            const isFirst = rows === firstRowsChoice();
            if (brought !== null && isFirst) {
                const text = brought;
                brought = null;
                kept = number;
                take(text);
            } else if (finished) {
                const [text] = KEPT.of(keyOf(log));
                brought = null;
                kept = number;
                if (text && isFirst) take(text);
            }
        },
    );
    follow(
        store,
        (state) => [shownOf(state).rows, shownOf(state).finished],
        (state) => {
            const { rows, finished, log, number } = shownOf(state);
            if (!finished || !log || number !== kept) return;
            const text = textOf(rows);
            setInAddress(KEY, text && encoded(text).length <= LONGEST ? text : null);
            KEPT.remember(keyOf(log), text ? [text] : []);
        },
    );
    let url = valueIn(location.hash, "url");
    const changed = () => {
        const [asked, last] = [valueIn(location.hash, KEY), url];
        url = valueIn(location.hash, "url");
        // An older entry of this page: what is arranged stays, as what is folded does.
        if (history.state) return setInAddress(KEY, textOf(shownOf(store.value).rows) || null);
        if (url !== null && url !== last) brought = asked;
        else if (asked !== null && asked !== textOf(shownOf(store.value).rows)) take(asked);
    };
    addEventListener("hashchange", changed, { signal: stage.signal });
}
