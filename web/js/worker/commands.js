// What the worker does at the page's commands about a log: a function for each of the protocol's commands.

import { endSearch } from "./search.js";

/** @typedef {import("../protocol.js").Commands} Commands */

/** @type {{ [K in keyof Commands]: (log: import("./wanted.js").WantedLog, body: Commands[K]) => void }} */
export const commands = {
    open: (log, origin) => void log.open(origin),
    allow: (log) => log.allow(),
    choose: (log, entry) => log.choose(entry),
    filter: (log, text) => log.filter(text),
    drawn: ({ opening }) => opening?.drawn(),
    stop: ({ opening }) => opening?.stop(),
    follow: ({ opening }, on) => opening?.follow(on),
    show: ({ opening }, sections) => opening?.show(sections),
    arrange: ({ opening }, rows) => opening?.arrange(rows),
    arrangeSpans: ({ opening }, spans) => opening?.arrangeSpans(spans),
    lowUse: ({ opening }, percent) => opening?.lowUse(percent),
    endSearch: ({ opening }) => opening && endSearch(opening),
    giveUp: ({ opening }, asker) => opening?.askers.giveUp(asker),
    close: (log) => log.close(),
};
