// Takes names of info tables from another log of the same program: a binary may have none of its own, or logging may have begun too late.

import { breathe } from "./reading.js";
import { sourceOf } from "./source.js";

/**
 * @param {import("./opening.js").Opening} opening
 * @param {{ file: File }} wish
 * @param {import("./answers.js").Call<"namesFrom">} call
 * @returns {Promise<string | null>}
 */
export async function namesFrom(opening, { file }, { isOver }) {
    try {
        // Of an archive with several logs, the first one.
        const source = await sourceOf(
            file,
            async () => 0,
            () => !isOver(),
        );
        if (!source) return null;
        for await (const piece of source.pieces()) {
            await breathe();
            if (isOver()) return null;
            opening.log.feed_names(piece);
        }
        const sentence = opening.log.take_names();
        opening.renewed();
        return sentence;
    } catch (error) {
        return `The other log cannot be read: ${error instanceof Error ? error.message : error}`;
    }
}
