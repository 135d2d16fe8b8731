// Saves one of a log's profiles in another tool's format: the worker makes the file, and the browser gets it as a download.

import { download, nameFor } from "./download.js";
import { percent } from "../format.js";
import { shownOf } from "../state.js";
import { plain } from "../words.js";

/**
 * @param {Pick<import("../context.js").Context, "store" | "client">} context
 * @returns {import("../panels/exports.js").ExportAs | null} begins an export; null in a page of one file, which has another module instead
 *     of this one
 */
export function startExporting({ store, client }) {
    /** The number of the current export: older ones are no longer wanted. */
    let last = 0;
    return async (format, _called, tell) => {
        const { log, number } = shownOf(store.value);
        if (!log) return;
        const mine = ++last;
        const isOver = () => mine !== last || store.value.shown !== number;
        tell("Writing…");
        const made = await client.of(number).ask("exportAs", { format, name: log.name }, (share) => {
            if (!isOver()) tell(`Writing… ${percent(share)}`);
        });
        if (isOver()) return tell("");
        if (!made) return tell("Nothing was written: the log was closed meanwhile.");
        if ("error" in made) return tell(`It cannot be written: ${plain(made.error)}.`);
        const file = nameFor(log.name, made.ending);
        download(made.file, file);
        tell(`${file} has been saved.`);
    };
}
