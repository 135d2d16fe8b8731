// What a saved page says without scripts: the figures of its log, and the first rows of its tables.

import { element } from "../describe.js";
import { count, valueText, visible } from "../format.js";

/** @typedef {import("../protocol.js").LogInfo} LogInfo */
/** @typedef {import("../protocol.js").Section} Section */
/** @typedef {import("../protocol.js").TableInfo} TableInfo */
/** @typedef {import("../protocol.js").TablePage} TablePage */

/** Rows of a table at most. */
export const ROWS = 30;

/**
 * @param {LogInfo} log
 * @param {(table: TableInfo) => Promise<TablePage | null>} rowsOf gives the first rows of a table
 */
export async function article({ name, facts, status }, rowsOf) {
    const origin = status.extent?.[0] ?? 0;
    const whole = element("article", { class: "report" }, element("h1", {}, visible(name)));
    for (const section of facts.sections) {
        whole.append(...sectionParts(section, origin));
        for (const table of section.tables) {
            const page = await rowsOf(table);
            if (page && page.rows.length > 0) whole.append(...tableParts(table, page, origin));
        }
    }
    return whole.outerHTML;
}

/**
 * @param {Section} section
 * @param {number} origin
 */
function sectionParts({ name, figures, remark, flag }, origin) {
    const known = figures.filter(({ value }) => value != null);
    const rows = known.map(({ name, unit, value, time }) => {
        const at = time == null ? "" : `, at ${valueText("time", time, origin)}`;
        const head = Object.assign(element("th", {}, name), { scope: "row" });
        return element("tr", {}, head, element("td", {}, valueText(unit, value, origin) + at));
    });
    const parts = [element("h2", {}, name)];
    if (rows.length > 0) parts.push(element("table", {}, ...rows));
    if (remark !== undefined) parts.push(element("p", {}, remark));
    if (flag !== undefined) {
        const what = known.length === 0 ? "Not in this log" : "The rest is not in this log";
        parts.push(element("p", {}, `${what}: run the program with +RTS ${flag}`));
    }
    return parts;
}

/**
 * @param {TableInfo} table
 * @param {TablePage} page
 * @param {number} origin
 */
function tableParts({ name, columns }, { rows, of }, origin) {
    const classOf = columns.map(({ unit }) => (unit === "text" || unit === "capability" ? "" : "number"));
    const head = columns.map(({ name }, at) => Object.assign(element("th", { class: classOf[at] }, name), { scope: "col" }));
    const body = rows.map((values) => {
        const cells = columns.map(({ unit }, at) => element("td", { class: classOf[at] }, valueText(unit, values[at], origin, "–")));
        return element("tr", {}, ...cells);
    });
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
    const more = of > rows.length ? [element("p", {}, `and ${count(of - rows.length)} more`)] : [];
    return [element("h3", {}, name), element("div", { class: "wide" }, table), ...more];
}
