// What is told where a range is selected: what it tells of the range, and of the whole log what no range can be told of.

/** @typedef {import("../protocol.js").Section} Section */

/** What is said of what does not follow the selected range. */
export const WHOLE_LOG = "of the whole log";
/** What is said of rows that are read again, which always do. */
export const IN_RANGE = "in the selected range";

/**
 * @typedef {object} Told
 * @property {Section[]} sections
 * @property {boolean} isOfRange whether a range is selected
 * @property {Set<string>} wholeSections the keys of those that are of the whole log, though a range is selected
 * @property {Set<string>} wholeTables
 */

/**
 * @param {Section[]} all of the whole log
 * @param {Section[] | null} ofRange
 * @returns {Told}
 */
export function told(all, ofRange) {
    if (!ofRange) return { sections: withRows(all), isOfRange: false, wholeSections: new Set(), wholeTables: new Set() };
    /** @type {[Set<string>, Set<string>]} */
    const [wholeSections, wholeTables] = [new Set(), new Set()];
    const added = ofRange.filter(({ key }) => !all.some((section) => section.key === key));
    const sections = withRows(all).map((section) => {
        const ranged = ofRange.find(({ key }) => key === section.key);
        if (!ranged) wholeSections.add(section.key);
        const tables = section.tables.map((table) => {
            const found = ranged?.tables.find(({ key }) => key === table.key);
            if (!found) wholeTables.add(table.key);
            return found ?? table;
        });
        // What only a range has.
        const others = ranged?.tables.filter(({ key, rows }) => rows > 0 && !section.tables.some((table) => table.key === key));
        return { ...(ranged ?? section), tables: [...tables, ...(others ?? [])] };
    });
    return { sections: [...added, ...sections], isOfRange: true, wholeSections, wholeTables };
}

/**
 * Without the tables that have no row in the whole log: an empty one says nothing that the figures do not say.
 * @param {Section[]} sections
 */
function withRows(sections) {
    return sections.map((section) => ({ ...section, tables: section.tables.filter(({ rows }) => rows > 0) }));
}
