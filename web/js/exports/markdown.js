// Copies all figures and tables as Markdown: of the log, or of the selected range.

import { addExport } from "./export.js";
import { copyText } from "../panels/copying.js";
import { shownOf } from "../state.js";

addExport({
    id: "copy-summary",
    name: "copy summary as Markdown",
    title: "Copy all panels' figures and tables, for an issue or a pull request",
    start:
        ({ store, log, say }) =>
        async () =>
            say(await copyText(log.ask("markdown", { range: shownOf(store.value).totals !== null }), "Summary")),
});
