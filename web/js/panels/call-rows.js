// The heads and the rows of a call tree.

import { html, nothing } from "lit";
import { ends } from "../ends.js";
import { bytes, count, duration, percent, visible } from "../format.js";
import { placePart } from "../sources/part.js";
import { counted } from "../words.js";

/** @typedef {import("../sources/link.js").SourceLinks} SourceLinks */

/** @typedef {import("../protocol.js").CallRow} CallRow */
/** @typedef {import("../protocol.js").CallTree} CallTree */
/** @typedef {import("../wishes.js").CallOrder} CallOrder */

/**
 * @typedef {object} CallColumn
 * @property {string} key
 * @property {CallOrder} sort what it is sorted by
 * @property {string} name
 * @property {string} about
 * @property {boolean} isNumber
 * @property {(row: CallRow, tree: CallTree) => string} text
 */

/**
 * The columns after the one with the names.
 * @param {{ isOfBytes: boolean, isUp: boolean, hasTick: boolean }} of
 * @returns {CallColumn[]}
 */
export function callColumns({ isOfBytes, isUp, hasTick }) {
    const what = isOfBytes ? "bytes" : "samples";
    const amount = (/** @type {number} */ number, /** @type {CallTree} */ tree) => amountText(number, tree, isOfBytes);
    const share = (/** @type {number} */ number, /** @type {CallTree} */ { of }) => percent(of === 0 ? 0 : number / of);
    const own = isUp
        ? { name: "Outermost", about: `Of these ${what}, those that nothing else called: the stack begins here` }
        : { name: "Own", about: `Of these ${what}, those in which it was innermost: not in what it called` };
    /** @type {(CallColumn | false)[]} */
    const columns = [
        {
            key: "total",
            sort: "total",
            name: "Total",
            about: isUp ? `The ${what} of the outer rows that came through here` : `The ${what} of it and of all that it called`,
            isNumber: true,
            text: ({ total }, tree) => amount(total, tree),
        },
        {
            key: "total-share",
            sort: "total",
            name: "Total %",
            about: `The share of all ${what}`,
            isNumber: true,
            text: ({ total }, tree) => share(total, tree),
        },
        { key: "own", sort: "own", ...own, isNumber: true, text: ({ own }, tree) => amount(own, tree) },
        {
            key: "own-share",
            sort: "own",
            name: `${own.name} %`,
            about: `The share of all ${what}`,
            isNumber: true,
            text: ({ own }, tree) => share(own, tree),
        },
        !isOfBytes &&
            hasTick && {
                key: "samples",
                sort: "total",
                name: "Samples",
                about: "How many samples that is",
                isNumber: true,
                text: ({ total }) => count(total),
            },
        { key: "module", sort: "module", name: "Module", about: "", isNumber: false, text: ({ module }) => visible(module) },
        {
            key: "source",
            sort: "source",
            name: "Source",
            about: "Its place in the source",
            isNumber: false,
            text: ({ source }) => visible(source),
        },
    ];
    return columns.filter((column) => column !== false);
}

/** The column of the names. @type {CallColumn} */
export const NAMES = { key: "name", sort: "name", name: "Function", about: "", isNumber: false, text: (row) => nameText(row) };

/**
 * @param {number} number
 * @param {Pick<CallTree, "tick" | "oneOf">} tree
 * @param {boolean} isOfBytes
 */
function amountText(number, { tick, oneOf }, isOfBytes) {
    if (isOfBytes) return bytes(number);
    return tick === 0 ? count(number) : duration(number * tick * oneOf);
}

/** @param {CallRow} row */
export function nameText({ rest, name }) {
    return rest === undefined ? visible(name) : `${counted(rest, "other")}…`;
}

/**
 * @typedef {object} CallPlace where a row is
 * @property {number} at its place among all rows
 * @property {string} id
 * @property {boolean} isHere whether the keys are there
 * @property {boolean} isChosen
 * @property {SourceLinks} sources where places in the source lead
 * @property {string} role the palette's role of its colour
 */

/**
 * @param {CallRow | undefined} row none if it has not come yet
 * @param {CallTree} tree
 * @param {CallColumn[]} columns
 * @param {CallPlace} place
 */
export function callRow(row, tree, columns, { at, id, isHere, isChosen, role, sources }) {
    if (!row)
        return html`<tr id=${id} data-at=${at} aria-rowindex=${at + 2} aria-busy="true"><th scope="row">…</th>${columns.map(() => html`<td></td>`)}</tr>`;
    const isRest = row.rest !== undefined;
    const name = nameText(row);
    // Also where there is nothing to unfold, so that all names stand on one line with their numbers.
    const mark = row.canOpen && row.isOpen ? "▾" : "▸";
    return html`<tr
        id=${id}
        data-at=${at}
        aria-rowindex=${at + 2}
        aria-level=${row.depth + 1}
        aria-posinset=${row.place[0]}
        aria-setsize=${row.place[1]}
        aria-expanded=${row.canOpen ? String(row.isOpen) : nothing}
        aria-selected=${String(isChosen)}
        class=${`goes ${isHere ? "cursor" : ""} ${row.matches ? "matches" : ""} ${isRest ? "rest" : ""}`}
    >
        <th scope="row" title=${isRest ? "Show more of them" : name} .style=${`--depth: ${Math.min(row.depth, DEEPEST)}`}>
            <span class=${row.canOpen ? "fold" : "fold none"} aria-hidden="true">${mark}</span>${isRest ? nothing : html`<span class="swatch" .style=${`background: var(--${role})`}></span>`}
            <span class="call-name">${ends(name)}</span>
        </th>
        ${columns.map((column) => cell(column, row, tree, sources))}
    </tr>`;
}

/** Rows that are deeper are no further to the right: there would be no room for their names. */
const DEEPEST = 40;

/**
 * @param {CallColumn} column
 * @param {CallRow} row
 * @param {CallTree} tree
 * @param {SourceLinks} sources
 */
function cell({ key, isNumber, text }, row, tree, sources) {
    if (row.rest !== undefined && !isNumber) return html`<td></td>`;
    if (key === "source")
        return html`<td title=${visible(row.source) || nothing}>${placePart(row.source, sources, row.module, { inRow: true })}</td>`;
    return html`<td class=${isNumber ? "number" : ""}>${text(row, tree)}</td>`;
}

/**
 * A row in words, for screen readers.
 * @param {CallRow} row
 * @param {CallTree} tree
 * @param {CallColumn[]} columns
 */
export function spokenCall(row, tree, columns) {
    const said = columns.map((column) => [column.name, row.rest !== undefined && !column.isNumber ? "" : column.text(row, tree)]);
    return [nameText(row), ...said.filter(([, text]) => text).map(([name, text]) => `${name} ${text}`)].join(", ");
}
