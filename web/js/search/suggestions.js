// What the search field suggests while the user types: after ">" commands, tabs and tracks, otherwise how the query may go on.

import { COMMANDS } from "../commands/index.js";
import { PANELS } from "../panels/tabs/index.js";
import { nameOnKeyboard } from "../pressed.js";
import { COMMAND } from "./mark.js";
import { momentOf } from "./moments.js";
import { timesOnPage } from "../page-time.js";
import { drawerOf } from "../stage.js";
import { showRows } from "../arranging/acts.js";
import { showView, viewsOf } from "../arranging/views.js";
import { shownOf } from "../state.js";
import { bytes, visible } from "../format.js";
import { openAgain, recentLogs } from "../recent.js";
import { hasWords } from "./words.js";

/** @typedef {import("../context.js").Context} Context */

/**
 * A suggestion either does something, or goes into the field in place of a part of its text.
 * @typedef {object} Suggestion
 * @property {string} text
 * @property {string} about what it is, or does
 * @property {string[]} keys the keys that do the same
 * @property {(context: Context) => unknown} [run]
 * @property {{ from: number, to: number, text: string }} [put] `from`, `to`: the part of the field's text that it replaces
 */

/** Most tracks that are suggested. Commands are few: all that match are suggested. */
const MOST = 40;

/**
 * Sorts matches: first those that begin with the text.
 * @template T
 * @param {T[]} found
 * @param {string} text
 * @param {(found: T) => string} name
 */
function begunFirst(found, text, name) {
    const begins = (/** @type {T} */ one) => (name(one).toLowerCase().startsWith(text.toLowerCase()) ? 0 : 1);
    return found.toSorted((one, other) => begins(one) - begins(other));
}

/**
 * The commands, exports and tabs whose names have all words of a text.
 * @param {string} text without its ">"
 * @param {ReadonlyMap<string, string>} layout of the keyboard
 * @param {{ name: string, title: string, run: () => void }[]} [exports] of the whole log
 * @returns {Suggestion[]}
 */
export function commandsFor(text, layout, exports = []) {
    const commands = COMMANDS.flatMap((command) => {
        if (!("run" in command) || command.id === "commands.show") return [];
        const keys = command.keys.split(" ").filter(Boolean);
        if (!hasWords(text, [command.name, ...keys])) return [];
        return [{ text: command.name, about: "", keys: keys.map((key) => nameOnKeyboard(key, layout)), run: command.run }];
    });
    const tabs = PANELS.filter(({ name, what = "" }) => hasWords(text, ["tab", name, what])).map(({ key, name, what = "" }) => ({
        text: `tab ${name}`,
        about: what,
        keys: [],
        run: (/** @type {Context} */ { stage }) => {
            drawerOf(stage).choose(key);
            drawerOf(stage).focusTab();
        },
    }));
    const saved = exports
        .filter(({ name, title }) => hasWords(text, [name, title]))
        .map(({ name, title, run }) => ({ text: name, about: title, keys: [], run: () => run() }));
    // The text may be a key. The command of that key comes first: most commands have the letter in their names.
    const ofKey = commands.filter(({ keys }) => keys.some((key) => key.toLowerCase() === text.trim().toLowerCase()));
    const others = [...commands, ...saved].filter((one) => !ofKey.some(({ text }) => text === one.text));
    return [...ofKey, ...begunFirst(others, text, ({ text }) => text), ...tabs];
}

/**
 * The logs that were opened last, but not the one on the screen, that have all words of a text in their names.
 * @param {Context} context
 * @param {string} text
 * @returns {Suggestion[]}
 */
export function recentFor({ stage, store }, text) {
    if (!stage.own) return [];
    const { file } = shownOf(store.value);
    const isOther = (/** @type {import("../recent.js").Recent} */ { name, size, url }) =>
        url !== file?.url || name !== file?.name || size !== file?.size;
    return recentLogs()
        .filter((recent) => isOther(recent) && hasWords(text, ["open again recent log", recent.name]))
        .map((recent) => ({
            text: `open again: ${visible(recent.name)}`,
            about: recent.url ? visible(recent.url) : recent.size > 0 ? bytes(recent.size) : "",
            keys: [],
            run: (context) => void openAgain(context, recent),
        }));
}

/**
 * The saved views that have all words of a text in their names.
 * @param {Context} context
 * @param {string} text
 * @returns {Suggestion[]}
 */
export function viewsFor(context, text) {
    if (!context.stage.own || !shownOf(context.store.value).log) return [];
    return viewsOf(context)
        .filter(({ name }) => hasWords(text, ["show saved view", name]))
        .map((view) => ({
            text: `view: ${visible(view.name)}`,
            about: view.ofAll ? "saved for all logs" : "saved for this log",
            keys: [],
            run: (context) => void showView(context, view),
        }));
}

/**
 * The tracks that have all words of a text in their names.
 * @param {Context} context
 * @param {string} text
 * @returns {Promise<Suggestion[]>}
 */
export async function tracksFor({ store, log }, text) {
    const { shown } = store.value;
    if (!shownOf(store.value).log) return [];
    const found = (await log.ask("tracksNamed", { text, most: MOST })) ?? [];
    return found.map(({ track, name, group, groupName, at }) => ({
        text: track === null ? visible(groupName) : `${visible(groupName)}: ${visible(name)}`,
        about: track === null ? "group of tracks" : "track",
        keys: [],
        run: (context) => {
            const { timeline, say } = context;
            if (store.value.shown !== shown) return;
            if (track === null && shownOf(store.value).rows.hidden.includes(group)) showRows(context, [{ row: group, name: groupName }]);
            if (track === null) timeline.revealGroup(group);
            else timeline.reveal({ group, at, track });
            timeline.focus();
            say(visible(track === null ? groupName : name));
        },
    }));
}

/**
 * Goes to a moment, if the text is one.
 * @param {import("../state.js").State} state
 * @param {string} text
 * @returns {Suggestion[]}
 */
function momentFor(state, text) {
    const at = momentOf(state, text);
    if (at === null) return [];
    const written = timesOnPage(state, shownOf(state)).text(at);
    const run = (/** @type {Context} */ { moving, timeline, say }) => {
        moving.showTime(at);
        timeline.focus();
        say(`At ${written}`);
    };
    return [{ text: `Go to ${written}`, about: "a moment of the log", keys: [], run }];
}

/**
 * How a query may go on where the caret is.
 * @param {Context} context
 * @param {string} text
 * @param {number} caret
 * @returns {Promise<Suggestion[]>}
 */
export async function completionsFor({ store, log }, text, caret) {
    const commands = { text: COMMAND, about: "a command, a track or a tab", keys: [], put: { from: 0, to: 0, text: COMMAND } };
    const known = text.trim() ? [] : [commands];
    if (!shownOf(store.value).log) return known;
    const found = await log.ask("complete", { query: text, cursor: caret });
    if (!found) return known;
    const { from, to, list } = found;
    return [
        ...momentFor(store.value, text),
        ...list.map(({ text, about }) => ({ text: visible(text), about: visible(about), keys: [], put: { from, to, text } })),
        ...known,
    ];
}
