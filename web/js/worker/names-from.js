// Takes names of info tables from another log of the same program: a binary may have none of its own, or logging may have begun too late.

import { breathe } from "./reading.js";
import { sourceOf } from "./source.js";
import { Unreadable } from "./unreadable.js";

/**
 * @param {import("./opening.js").Opening} opening
 * @param {{ file: File }} wish
 * @param {import("./answers.js").Call<"namesFrom">} call
 * @returns {Promise<string | null>}
 */
export async function namesFrom(opening, { file }, { isOver }) {
    const { log } = opening;
    // Another one may have been chosen before, and be read in part.
    log.forget_names();
    try {
        const source = await sourceOf(file, firstOf, () => !isOver());
        if (!source) return null;
        for await (const piece of source.pieces()) {
            await breathe();
            if (isOver()) return null;
            log.feed_names(piece);
        }
        if (isOver()) return null;
        const sentence = log.take_names();
        opening.renewed();
        return source.broken ? `${sentence} Only a part of the other log could be read: ${source.broken}.` : sentence;
    } catch (error) {
        if (isOver()) return null;
        if (!(error instanceof Unreadable || error instanceof DOMException)) throw error;
        log.forget_names();
        return `The other log cannot be read: ${error instanceof Unreadable ? error.message : "the file was changed or removed"}.`;
    }
}

/**
 * Of an archive with several logs, the first one.
 * @param {import("./source.js").List} list
 */
async function firstOf(list) {
    return list("").entries[0].index;
}
