// The rows: pinning, hiding, moving, their height, and which alone are shown. Each acts on the picked rows, on the row with the focus, or on
// that of the selection.

import { addCommands } from "./command.js";
import {
    hideRows,
    openArranging,
    restore,
    showHitRows,
    showOnly,
    showRows,
    step,
    nextHeight,
    togglePicked,
    togglePins,
    undo,
    widen,
} from "../arranging/acts.js";
import { isNarrowed } from "../arranging/choice.js";
import { target, targets } from "../arranging/target.js";
import { part } from "../stage.js";
import { shownOf } from "../state.js";

/** @typedef {import("./command.js").Context} Context */

/**
 * @param {(context: Context, rows: import("../arranging/acts.js").Named[]) => void} act
 * @returns {(context: Context) => void}
 */
const onRows = (act) => (context) => {
    const rows = targets(context);
    if (rows.length > 0) act(context, rows);
};

/**
 * @param {(context: Context, row: import("../arranging/acts.js").Named) => void} act
 * @returns {(context: Context) => void}
 */
const onRow = (act) => (context) => {
    const row = target(context);
    if (row) act(context, row);
};

addCommands([
    { id: "rows.pin", codes: ["KeyP"], keys: "P", name: "pin the row at the top, or unpin it", run: onRows(togglePins) },
    { id: "rows.hide", codes: ["KeyH"], keys: "H", name: "hide the row, or the group", run: onRows(hideRows) },
    {
        id: "rows.show-hidden",
        codes: ["Shift+KeyH"],
        keys: "Shift+H",
        name: "show all hidden rows again",
        run: (context) => showRows(context, null),
    },
    {
        id: "rows.only",
        codes: ["KeyO"],
        keys: "O",
        name: "show only the row or the picked rows, or all rows again",
        run: (context) => (isNarrowed(shownOf(context.store.value).rows) ? widen(context) : onRows(showOnly)(context)),
    },
    { id: "rows.only-hits", codes: [], keys: "", name: "show only the rows with hits of the search", run: showHitRows },
    { id: "rows.pick", codes: ["KeyX"], keys: "X Ctrl+click", name: "pick the row, to act on several", run: onRow(togglePicked) },
    {
        id: "rows.up",
        codes: ["Alt+ArrowUp"],
        keys: "Alt+↑",
        name: "move the row up, or the group",
        run: onRow((context, row) => void step(context, row, -1)),
    },
    {
        id: "rows.down",
        codes: ["Alt+ArrowDown"],
        keys: "Alt+↓",
        name: "move the row down, or the group",
        run: onRow((context, row) => void step(context, row, 1)),
    },
    {
        id: "rows.height",
        codes: ["Shift+KeyD"],
        keys: "Shift+D",
        name: "change the height of the row: low, medium, high",
        run: onRow(nextHeight),
    },
    {
        id: "rows.all-heights",
        codes: [],
        keys: "",
        name: "change the height of all rows: low, medium, high",
        run: (context) => nextHeight(context, null),
    },
    {
        id: "rows.filter",
        codes: ["KeyV"],
        keys: "V",
        name: "filter the rows by their names",
        run: ({ stage }) => /** @type {import("../screens/rows-bar.js").RowsBar} */ (part(stage, "rows-bar")).search(),
    },
    { id: "rows.undo", codes: ["Ctrl+KeyZ"], keys: "Ctrl+Z", name: "undo the last change to the rows", run: undo },
    {
        id: "rows.arrange",
        codes: [],
        keys: "",
        name: "arrange the rows: heights, hidden rows, saved views",
        run: ({ stage }) => openArranging(stage),
    },
    { id: "rows.restore", codes: [], keys: "", name: "reset how the rows are arranged", run: restore },
]);
