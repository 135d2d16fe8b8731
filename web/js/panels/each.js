// Spans of one label, or of labels that differ only in numbers: which there are, and looking at each of them in the tab Requests.

import { changeShown } from "../state.js";
import { drawerOf } from "../stage.js";

/** @typedef {import("../context.js").Context} Context */

/** The most labels that are offered: those with the most time. */
const MOST_LABELS = 1000;

/**
 * The labels of the program's own spans, those with the most time first.
 * @param {Pick<Context, "log">} context
 * @returns {Promise<string[]>}
 */
export async function labelsOf({ log }) {
    const order = { sort: "total_ns", down: true, filter: "", within: null };
    const page = await log.ask("table", { table: "spans", ...order, from: 0, count: MOST_LABELS });
    return page?.rows.map(([label]) => String(label ?? "")) ?? [];
}

/** Addresses, hashes and UUIDs: these have decimal digits and letters. */
const HEXADECIMAL = /(?<![\da-z])(?:0x[\da-f]+(?![\da-z])|[\da-f]{8,}(?![\da-z])(?:-[\da-f]{4,}(?![\da-z])){0,4})/gi;

/** A label with `#` in place of each number. "job # (others)" are labels of the family "job #" that are not told apart. */
export const familyOf = (/** @type {string} */ label) =>
    label
        .replaceAll(HEXADECIMAL, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? "#" : word))
        .replaceAll(/[#\d]+/g, "#")
        .replace(/^(.*#.*) \(others\)$/, "$1");

/**
 * Families of labels that differ only in numbers, as the model knows them: "job #" for "job 1" and "job 17".
 * @param {string[]} labels
 */
export function familiesOf(labels) {
    const all = labels.map(familyOf);
    return [...new Set(all.filter((family, at) => all.indexOf(family) < at))];
}

/**
 * Shows each span of a label, or of a family, in the tab Requests.
 * @param {Pick<Context, "store" | "stage">} context
 * @param {string} label
 */
export function showEach({ store, stage }, label) {
    changeShown(store, { eachOf: label });
    drawerOf(stage).choose("requests");
    drawerOf(stage).focusTab();
}

/**
 * The same of all spans like one with this label: those of its family, if it has one.
 * @param {Context} context
 * @param {string} label
 */
export async function showLike(context, label) {
    const family = familyOf(label);
    showEach(context, familiesOf(await labelsOf(context)).includes(family) ? family : label);
}
