// What a panel is: a tab of the drawer, what it shows, and what a log needs for it.

/** @typedef {import("../protocol.js").Section} Section */
/** @typedef {import("./told.js").Told} Told */

/**
 * @typedef {object} Panel
 * @property {string} key as it is remembered, and as links have it: it never changes
 * @property {string} name on its tab
 * @property {string[]} [sections] the keys of the facts' sections that it shows; one like its own, if none are named
 * @property {string} [what] what it shows: the hint on its tab, and what is missing where the log has none of it
 * @property {string} [built] how the program has to be built for that, too
 * @property {(shown: import("./section.js").Shown) => unknown} [render] what it shows, if that is something else than its sections one
 *     beside the other. It is called again whenever the log or the range has more to tell
 * @property {(told: Told) => import("../protocol.js").TableInfo[]} [onPaper] is there if the panel is printed whichever tab is chosen: the
 *     tables that paper has of it, whose rows are kept at hand
 */

/**
 * All of them, in the order of their tabs: as `tabs/index.js` has them.
 * @type {Panel[]}
 */
export const PANELS = [];

/**
 * Each file of a panel calls this. Only `tabs/index.js` imports those files: it has their order.
 * @param {Panel} panel
 */
export function addPanel(panel) {
    PANELS.push(panel);
}

/**
 * The sections that a panel shows, of those that there are.
 * @param {Pick<Panel, "key" | "sections">} panel
 * @param {Section[]} all
 */
export function sectionsOf({ key, sections = [key] }, all) {
    return all.filter((section) => sections.includes(section.key));
}

/**
 * Whether the log tells nothing of what a section is about.
 * @param {Section} section
 */
export function isMissing({ figures, tables, flag }) {
    return flag !== undefined && figures.every(({ value }) => !value) && tables.every(({ rows }) => rows === 0);
}

/**
 * Sections that have tables and no panel: those tables stand in the summary.
 * @param {Told} told
 */
export function tableSections({ sections, wholeSections }) {
    const inPanels = new Set(PANELS.flatMap(({ key, sections = [key] }) => sections));
    return sections.filter(
        (section) => section.tables.length > 0 && !inPanels.has(section.key) && !wholeSections.has(section.key) && !isMissing(section),
    );
}

/**
 * What there is to say of a panel that has nothing to show.
 * @param {Pick<Panel, "what" | "built">} panel
 * @param {Section[]} sections its own, of which the log tells nothing
 */
export function emptyText({ what, built }, sections) {
    const flags = [...new Set(sections.flatMap(({ flag }) => flag ?? []))].join(" or ");
    return [
        `Not in this log: ${what}.`,
        `A log has it if the program was ${built ? `built with ${built} and ` : ""}run with +RTS ${flags}.`,
    ];
}

/**
 * The tab that a key leads to.
 * @param {number} at the tab that has the focus
 * @param {string} key
 * @param {number} count of the tabs
 * @returns {number | null} none if it is no key of theirs
 */
export function tabAfter(at, key, count) {
    switch (key) {
        case "ArrowRight":
            return (at + 1) % count;
        case "ArrowLeft":
            return (at + count - 1) % count;
        case "Home":
            return 0;
        case "End":
            return count - 1;
        default:
            return null;
    }
}
