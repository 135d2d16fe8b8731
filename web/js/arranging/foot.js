// The last row of the timeline: says which rows are not shown, and shows them.

import { count } from "../format.js";
import { counted } from "../words.js";
import { isNarrowed } from "./choice.js";

/**
 * @param {Pick<import("../state.js").LogState, "rows" | "placed" | "log" | "peek">} log
 * @returns {{ text: string, title: string }}
 */
export function footText({ rows, placed, log, peek }) {
    if (isNarrowed(rows)) return { text: "Show all rows", title: "Only some rows are shown (Esc shows all)" };
    const isThere = (/** @type {import("./choice.js").RowName} */ row) =>
        typeof row === "string"
            ? log?.groups.some(({ key }) => key === row)
            : row !== peek?.track && placed.some(({ track }) => track.id === row);
    const number = rows.hidden.filter(isThere).length;
    return { text: `Show hidden (${count(number)})`, title: "Show hidden rows again, one by one or all" };
}

/**
 * On paper: which rows are not shown.
 * @param {import("./plan.js").Plan} plan
 */
export function unshownText({ hidden, narrowed }) {
    if (narrowed) return "Only some rows are shown.";
    return hidden > 0 ? `${counted(hidden, "row")} ${hidden === 1 ? "is" : "are"} hidden.` : "";
}
