// The sections to show when a range is selected: those about the range, and from the whole log those that a range cannot have.

/** @typedef {import("../protocol.js").Section} Section */

/** The note at sections and tables that do not follow the selected range. */
export const WHOLE_LOG = "of the whole log";
/** The note at listings that read the log again; they always follow the range. */
export const IN_RANGE = "in the selected range";

/**
 * The facts to show: of the log, or of the selected range.
 * @typedef {object} ShownFacts
 * @property {Section[]} sections
 * @property {boolean} isOfRange whether a range is selected
 * @property {Set<string>} wholeSections the keys of sections about the whole log, though a range is selected
 * @property {Set<string>} wholeTables the keys of such tables
 */

/**
 * The facts to show, without the tables that have no row in the whole log.
 * @param {Section[]} all those of the whole log
 * @param {Section[] | null} ofRange null if no range is selected
 * @returns {ShownFacts}
 */
export function shownFacts(all, ofRange) {
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
        // Tables that only a range has.
        const others = ranged?.tables.filter(({ key, rows }) => rows > 0 && !section.tables.some((table) => table.key === key));
        return { ...(ranged ?? section), tables: [...tables, ...(others ?? [])] };
    });
    return { sections: [...added, ...sections], isOfRange: true, wholeSections, wholeTables };
}

/**
 * When the first event was on the runtime's clock; null if that is not known.
 * @param {ShownFacts} facts
 */
export function firstEvent({ sections }) {
    const figures = sections.find(({ key }) => key === "log")?.figures;
    const value = figures?.find(({ key }) => key === "first_event_ns")?.value;
    return typeof value === "number" ? value : null;
}

/**
 * Without the tables that have no row in the whole log: the figures already say that there is nothing.
 * @param {Section[]} sections
 */
function withRows(sections) {
    return sections.map((section) => ({ ...section, tables: section.tables.filter(({ rows }) => rows > 0) }));
}
