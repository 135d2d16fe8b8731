// The drawer's tabs: what each is for, and what a log needs for it.

/**
 * @typedef {object} Tab
 * @property {string} key as it is remembered
 * @property {string} name
 * @property {string} [what] what it will show; none for what is shown already
 * @property {string} [flags] what the program has to be run with, for its log to have that
 * @property {string} [built] how the program has to be built, too
 */

/** @type {Tab[]} */
export const TABS = [
    { key: "summary", name: "Summary" },
    { key: "gc", name: "GC", what: "each collection, its pause and what it copied", flags: "-l" },
    { key: "heap", name: "Heap", what: "heap size, live bytes and allocation", flags: "-l" },
    { key: "threads", name: "Threads", what: "each thread, how long it ran and what it waited for", flags: "-l" },
    { key: "sparks", name: "Sparks", what: "sparks created, run and lost", flags: "-l", built: "-threaded" },
    { key: "messages", name: "Messages", what: "what the program wrote by traceEvent and traceMarker", flags: "-l" },
    { key: "events", name: "Events", what: "every event of the log", flags: "-l" },
    { key: "profile", name: "Profile", what: "what the heap is made of", flags: "-l -hT" },
    { key: "ticky", name: "Ticky", what: "how often each closure was entered, and what it allocated", flags: "-l -lT", built: "-ticky" },
    { key: "process", name: "Process", what: "the program's process, its arguments and its environment", flags: "-l" },
];

/**
 * What there is to say of a tab that shows nothing yet.
 * @param {Tab} tab
 */
export function emptyText({ what, flags, built }) {
    return [
        `Not shown yet: ${what}.`,
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
