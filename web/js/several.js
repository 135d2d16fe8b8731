// Several files that came at once: the user chooses one of them, as one of an archive's logs.

import { counted } from "./words.js";

/** Most files that are listed; the search field finds the others. */
const LISTED = 200;

/**
 * The files with a text in their names. Which letters are capitals does not matter.
 * @param {readonly File[]} files
 * @param {string} text
 * @returns {import("./protocol.js").Choice}
 */
export function choiceOf(files, text) {
    const all = files.map(({ name, size }, index) => ({ index, name, size }));
    const found = all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
    return { logs: files.length, text, count: found.length, entries: found.slice(0, LISTED) };
}

/** @param {readonly File[]} files */
export function filesText(files) {
    return counted(files.length, "file");
}
