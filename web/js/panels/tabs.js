// The drawer's tabs: what each is for, and what a log needs for it.

/**
 * @typedef {object} Tab
 * @property {string} key as it is remembered
 * @property {string} name
 * @property {string[]} [sections] the keys of the facts' sections that it shows; one like its own, if none are named
 * @property {string} [what] what it shows; none for the summary, which is of everything
 * @property {string} [built] how the program has to be built, too
 */

/** @typedef {import("../protocol.js").Section} Section */

/** @type {Tab[]} */
export const TABS = [
    { key: "summary", name: "Summary" },
    { key: "gc", name: "GC", sections: ["gc", "nonmoving"], what: "each collection, its pause and what it copied" },
    { key: "heap", name: "Heap", what: "heap size, live bytes and allocation" },
    { key: "threads", name: "Threads", what: "each thread, how long it ran and what it waited for" },
    { key: "sparks", name: "Sparks", what: "sparks created, run and lost", built: "-threaded" },
    {
        key: "messages",
        name: "Messages",
        sections: ["spans", "messages"],
        what: "what the program wrote by traceEvent and traceMarker, and how long it was between START and STOP",
    },
    { key: "events", name: "Events", what: "every event of the log" },
    {
        key: "profile",
        name: "Profile",
        sections: ["heap_profile", "time_profile", "definitions"],
        what: "what the heap is made of, and where the time goes",
    },
    { key: "ticky", name: "Ticky", what: "how often each closure was entered, and what it allocated", built: "-ticky" },
    { key: "process", name: "Process", sections: ["process", "tasks"], what: "the program's process, its arguments and its environment" },
];

/**
 * The sections that a tab shows, of those that there are.
 * @param {Tab} tab
 * @param {Section[]} all
 */
export function sectionsOf({ key, sections = [key] }, all) {
    return all.filter((section) => sections.includes(section.key));
}

/** The keys of all sections that have a tab. */
export const IN_TABS = new Set(TABS.flatMap(({ key, sections = [key] }) => sections));

/**
 * Whether the log tells nothing of what a section is about.
 * @param {Section} section
 */
export function isMissing({ figures, tables, flag }) {
    return flag !== undefined && figures.every(({ value }) => !value) && tables.every(({ rows }) => rows === 0);
}

/**
 * Sections that have tables and no tab: those tables stand in the summary.
 * @param {import("./told.js").Told} told
 */
export function tableSections({ sections, wholeSections }) {
    return sections.filter(
        (section) => section.tables.length > 0 && !IN_TABS.has(section.key) && !wholeSections.has(section.key) && !isMissing(section),
    );
}

/**
 * What there is to say of a tab that has nothing to show.
 * @param {Tab} tab
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
 * @returns {number | null} none if it is no key of theirs
 */
export function tabAfter(at, key) {
    switch (key) {
        case "ArrowRight":
            return (at + 1) % TABS.length;
        case "ArrowLeft":
            return (at + TABS.length - 1) % TABS.length;
        case "Home":
            return 0;
        case "End":
            return TABS.length - 1;
        default:
            return null;
    }
}
