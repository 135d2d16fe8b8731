// What a table's head and its rows are made of.

import { html, nothing } from "lit";
import { ends } from "../ends.js";
import { percent, valueText } from "../format.js";
import { placePart } from "../sources/part.js";
import { HEIGHT, levelsText, outline, widthOf } from "./levels.js";

/** @typedef {import("../protocol.js").Column} Column */
/** @typedef {import("../protocol.js").Unit} Unit */
/** @typedef {import("../protocol.js").Value} Value */
/** @typedef {import("./paged.js").Row} Row */

/**
 * @typedef {object} Head
 * @property {string | undefined} about what is in the column, in a sentence; none if that is not known
 * @property {number} at its place among the columns
 * @property {"none" | "ascending" | "descending"} order
 * @property {number} width no less than that, in CSS pixels
 * @property {string | null} cursor its id, if the keys are there
 * @property {(() => void) | null} sort none where the rows come in one order
 */

/**
 * @param {Column} column
 * @param {Head} head
 */
export function headCell({ name, unit, role }, { about, at, order, width, cursor, sort }) {
    const sorting = about ? "Click to sort." : `Sort by ${name}`;
    const hints = [about, sort && sorting].filter(Boolean);
    // Styles by properties: a strict policy allows no attributes for them.
    return html`<th
        scope="col"
        id=${cursor ?? nothing}
        class=${`${isLeft(unit, at) ? "" : "number"} ${cursor ? "cursor" : ""}`}
        aria-sort=${sort ? order : nothing}
        aria-description=${about ?? nothing}
        title=${hints.join(" ") || nothing}
        .style=${`min-width: ${width}px`}
        @click=${sort ?? nothing}
    >
        ${role ? html`<span class="swatch" .style=${`background: var(--${role})`}></span>` : nothing}
        ${name}
    </th>`;
}

/** The columns of places in the source, and of the modules that they are in. */
export const SOURCE = "source";
const MODULE = "module";

/**
 * @typedef {object} Place where a row is
 * @property {number} at its place among all rows
 * @property {string} id
 * @property {boolean} isHere whether the keys are there
 * @property {boolean} isChosen
 * @property {import("../sources/link.js").SourceLinks} sources where places in the source lead
 * @property {import("../times.js").Times} times how moments are written
 * @property {boolean} links whether a link to its moment can be copied
 */

/**
 * @param {import("../protocol.js").TableInfo} info the table's
 * @param {Row | undefined} row none if it is not there yet
 * @param {Place} place
 */
export function tableRow({ columns, picks }, row, { at, id, isHere, isChosen, times, sources, links }) {
    const isPicked = row !== undefined && picks !== undefined;
    const goes = isPicked || row?.time != null;
    const link = isPicked ? 0 : goes ? columns.findIndex(({ unit }) => unit === "time") : -1;
    const known = row ? knownTime(columns, row.values) : 0;
    const texts = columns.map(({ unit }, place) => (row ? cellText(unit, row.values[place], times) : "…"));
    const module = columns.findIndex(({ key }) => key === MODULE);
    const linked = texts.map((text, place) => {
        const value = row?.values[place];
        if (columns[place].key === SOURCE && typeof value === "string")
            return placePart(value, sources, String(row?.values[module] ?? ""), { inRow: true });
        return place === link ? html`<span class="place">${text}</span>` : text;
    });
    // For the mouse; the key Y does the same. Its text is in the style sheet, since it is no part of the row's.
    const button =
        links && row?.time != null ? html`<span class="row-link" aria-hidden="true" title="Copy a link to this row (Y)"></span>` : "";
    const shown = button ? linked.map((text, place) => (place === 0 ? html`${text}${button}` : text)) : linked;
    return html`<tr
        id=${id}
        data-at=${at}
        aria-rowindex=${at + 2}
        aria-selected=${goes ? String(isChosen) : nothing}
        aria-busy=${row ? nothing : "true"}
        title=${isPicked ? picks : nothing}
        class=${`${goes ? "goes" : ""} ${isHere ? "cursor" : ""}`}
    >
        ${columns.map((column, place) => cell(column, place, row?.values[place], shown[place], known))}
    </tr>`;
}

/**
 * @param {Column} column
 * @param {number} at its place among the columns
 * @param {Value | undefined} value
 * @param {unknown} shown
 * @param {number} known the time of which its time is a part
 */
function cell({ unit, part }, at, value, shown, known) {
    // A long text is cut.
    const title = unit === "text" && typeof value === "string" ? valueText(unit, value, 0) : nothing;
    if (at === 0) return html`<th scope="row" title=${title}>${shown}</th>`;
    const share = part && typeof value === "number" && known > 0 ? html` <span class="share">${percent(value / known)}</span>` : nothing;
    return html`<td class=${isLeft(unit, at) ? "" : "number"} title=${title}>${shown}${share}</td>`;
}

/** @param {number[]} levels */
function levelsPicture(levels) {
    const [width, text] = [widthOf(levels), levelsText(levels)];
    return html`<svg class="levels" role="img" aria-label=${text} width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`}><title>${text}</title><path d=${outline(levels)}></path></svg>`;
}

/**
 * @param {Unit} unit
 * @param {Value} value
 * @param {import("../times.js").Times} times
 */
function cellText(unit, value, times) {
    if (Array.isArray(value)) return levelsPicture(value);
    const text = valueText(unit, value, times, "–");
    // A program may write messages without a text: an empty cell would look, and be read, as if nothing were there.
    if (unit === "text" && text.trim() === "") return html`<span class="unknown">(empty)</span>`;
    if (value == null) return html`<span class="unknown">${text}</span>`;
    return unit === "text" ? ends(text) : text;
}

/**
 * Texts and pictures begin at the left, as does what names a row; numbers end at the right.
 * @param {Unit} unit
 * @param {number} at its place among the columns
 */
function isLeft(unit, at) {
    return at === 0 || unit === "text" || unit === "levels";
}

/** The column that has the time of which the log tells, for each row. */
const KNOWN = "known_ns";

/**
 * The time of which a row's parts are shares.
 * @param {Column[]} columns
 * @param {Value[]} values
 */
function knownTime(columns, values) {
    return Number(values[columns.findIndex(({ key }) => key === KNOWN)] ?? 0);
}
