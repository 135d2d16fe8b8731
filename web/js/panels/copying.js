// Copies a table's rows to the clipboard, for a spreadsheet.

import { tsvHead, tsvRow } from "./tsv.js";
import { count } from "../format.js";
import { counted } from "../words.js";

/** The message when the browser refuses. */
const REFUSED = "The browser does not let this page copy.";

/** The message when the log was closed meanwhile. */
const NOTHING = "Nothing was copied: the log was closed.";

/** Most rows that are copied: what a clipboard and a spreadsheet can take. */
export const MOST_COPIED = 100_000;

/**
 * Copies all rows in the order in which they are shown.
 * @param {import("../protocol.js").TableInfo} info
 * @param {import("./paged.js").PagedRows} rows
 * @param {import("../times.js").Times} times how moments are written
 * @returns {Promise<string>} the message for the user
 */
export async function copyRows({ columns }, rows, times) {
    let [copied, cutTexts] = [0, 0];
    const lines = async () => {
        const parts = [tsvHead(columns, times)];
        for await (const some of rows.all(MOST_COPIED)) {
            copied += some.length;
            parts.push(...some.map(({ values }) => tsvRow(columns, values, times)));
            cutTexts += some.filter(({ values }) => values.some(isCut)).length;
        }
        return parts.join("");
    };
    try {
        await write(lines());
    } catch {
        return REFUSED;
    }
    const cut = rows.found > copied ? `, the first of ${count(rows.found)}` : "";
    // Long texts are whole as lines of JSON, and with the event alone.
    const short = cutTexts > 0 ? `. In ${counted(cutTexts, "row")}, a text is cut after 1 KiB` : "";
    return `${counted(copied, "row")} copied${cut}${short}`;
}

/** The most bytes of a text in a table's cell, before its "…" (MAX_EVENT_TEXT in the model). */
const LONGEST_CELL = 1024;

/** Whether a value is a text of which only the beginning is in the table. @param {import("../protocol.js").Value} value */
function isCut(value) {
    return typeof value === "string" && value.endsWith("…") && new TextEncoder().encode(value).length > LONGEST_CELL - 3;
}

/**
 * Copies a text that is still being made.
 * @param {Promise<string | null>} text
 * @param {string} name what the text is
 * @returns {Promise<string>} the message for the user
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
 * Copies a text.
 * @param {string} text
 * @param {string} [name] what the text is
 * @returns {Promise<string>} the message for the user
 */
export async function writeText(text, name = "") {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        return REFUSED;
    }
    return name ? `${name} copied` : "copied";
}

/**
 * Puts a text on the clipboard that is still being made. The browser permits it because of the click; when the text is there, that
 * permission would be over.
 * @param {Promise<string>} text
 */
async function write(text) {
    const blob = text.then((lines) => new Blob([lines], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}
