// All figures and tables as Markdown, on the clipboard: of the log, or of the range that is summed up.

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
