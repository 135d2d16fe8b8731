// A panel: a tab of the drawer, what it shows, and what a log must contain for it.

import { isMissing } from "../facts.js";
import { count, sentence } from "../format.js";

/** @typedef {import("../protocol.js").Section} Section */
/** @typedef {import("./range-or-whole.js").ShownFacts} ShownFacts */

/**
 * @typedef {object} Panel
 * @property {string} key stored and used in links, so it must never change
 * @property {string} name on its tab
 * @property {string[]} [sections] the keys of the facts' sections that it shows; by default, the one with its own key
 * @property {string} [what] what it shows: the hint on its tab, and what is missing if the log has nothing of it
 * @property {string} [built] how the program must also be built for that
 * @property {(contents: Pick<import("./contents.js").Contents, "log">, log: Pick<import("../state.js").LogState, "dismissed" | "search" | "notes">) =>
 *     Counted | undefined} [counted] what its tab counts, if not the things of its sections
 * @property {(shown: import("./section.js").Shown) => unknown} [render] renders it, if not just as its sections one after the other. Called
 *     again whenever more is known about the log or the range
 * @property {(facts: ShownFacts) => import("../protocol.js").TableInfo[]} [onPaper] if defined, the panel is printed whichever tab is chosen.
 *     Gives the tables that are printed; their rows are kept at hand
 */

/**
 * @typedef {Required<Pick<Section, "count" | "things">> & { marks?: string }} Counted a number of things, and what they are called; or, with
 *     signs that are shown instead of the number, how many of each kind there are, in words
 */

/**
 * All panels, in the order of their tabs, which is that of `tabs/index.js`.
 * @type {Panel[]}
 */
export const PANELS = [];

/**
 * Registers a panel: each panel's file calls this. Only `tabs/index.js` imports those files, so it sets their order.
 * @param {Panel} panel
 */
export function addPanel(panel) {
    PANELS.push(panel);
}

/**
 * The sections that a panel shows, as far as the log has them.
 * @param {Pick<Panel, "key" | "sections">} panel
 * @param {Section[]} all
 */
export function sectionsOf({ key, sections = [key] }, all) {
    return all.filter((section) => sections.includes(section.key));
}

/**
 * The keys of the sections that a panel needs in full; null for all. One that renders itself names them, or needs all.
 * @param {Panel} panel
 */
export function wantedBy({ key, sections, render }) {
    return sections ?? (render ? null : [key]);
}

/**
 * Sections with tables but without a panel: those tables are shown in the summary.
 * @param {ShownFacts} facts
 */
export function tableSections({ sections, wholeSections }) {
    const inPanels = new Set(PANELS.flatMap(({ key, sections = [key] }) => sections));
    return sections.filter(
        (section) => section.tables.length > 0 && !inPanels.has(section.key) && !wholeSections.has(section.key) && !isMissing(section),
    );
}

/**
 * The hint on a tab: how many things there are in which time, and what the panel shows.
 * @param {Pick<Panel, "what">} panel
 * @param {(Pick<Section, "count" | "things"> & { marks?: string }) | undefined} counted what the tab counts
 * @param {boolean} isOfRange whether a range is selected
 */
export function tabHint({ what = "" }, counted, isOfRange) {
    const time = isOfRange ? "in the selected range" : "in the log";
    const number = counted?.marks ? "" : `${count(counted?.count ?? 0)} `;
    const things = counted ? `${number}${counted.things} ${time}. ` : "";
    return `${things}${sentence(what)}`;
}

/**
 * The section whose things a panel's tab counts: those in the selected range, if there is one. Where they are not known, it counts none.
 * @param {Pick<Panel, "key" | "sections">} panel
 * @param {ShownFacts} facts
 */
export function countedBy(panel, { sections, wholeSections }) {
    return sectionsOf(panel, sections).find(({ key, count }) => count !== undefined && !wholeSections.has(key));
}

/**
 * The tab that a key leads to.
 * @param {number} at the index of the tab with the focus
 * @param {string} key
 * @param {number} count the number of tabs
 * @returns {number | null} null if it is not a key of the tabs
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
