// A table's rows on the clipboard, for a spreadsheet.

import { tsvHead, tsvRow } from "./tsv.js";
import { count } from "../format.js";
import { counted } from "../words.js";

/** What is said when nothing could be copied. */
const REFUSED = "The browser does not let this page copy.";

/** What is said when there is no log any more. */
const NOTHING = "Nothing came that could be copied.";

/** Rows that are copied at most: what a clipboard and a spreadsheet still take. */
const MOST_COPIED = 100_000;

/**
 * Copies all rows in the order in which they are shown.
 * @param {import("../protocol.js").TableInfo} info
 * @param {import("./paged.js").PagedRows} rows
 * @param {number} origin the time that is written as 0
 * @returns {Promise<string>} what is to be said of it
 */
export async function copyRows({ columns }, rows, origin) {
    let copied = 0;
    const lines = async () => {
        const parts = [tsvHead(columns)];
        for await (const some of rows.all(MOST_COPIED)) {
            copied += some.length;
            parts.push(...some.map(({ values }) => tsvRow(columns, values, origin)));
        }
        return parts.join("");
    };
    try {
        await write(lines());
    } catch {
        return REFUSED;
    }
    const cut = rows.found > copied ? `, the first of ${count(rows.found)}` : "";
    return `${counted(copied, "row")} copied${cut}`;
}

/**
 * Copies a text that is still being made.
 * @param {Promise<string | null>} text
 * @param {string} name what it is
 * @returns {Promise<string>} what is to be said of it
 */
export async function copyText(text, name) {
    let gone = false;
    const known = async () => {
        const made = await text;
        gone = made === null;
        if (made === null) throw new Error(NOTHING);
        return made;
    };
    try {
        await write(known());
    } catch {
        return gone ? NOTHING : REFUSED;
    }
    return `${name} copied`;
}

/**
 * Puts a text that is not there yet on the clipboard: the permission is that of the click, which would be over by then.
 * @param {Promise<string>} text
 */
async function write(text) {
    const blob = text.then((lines) => new Blob([lines], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}
