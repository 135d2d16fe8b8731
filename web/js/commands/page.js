// What has a button, but no key: files and colours.

import { addCommands } from "./command.js";
import { part } from "../stage.js";
import { CHOICES, choose } from "../theme-switch.js";
import { forgetRecent } from "../recent.js";
import { shownOf } from "../state.js";

/** @typedef {import("../context.js").Context} Context */

addCommands([
    {
        id: "page.open",
        codes: [],
        keys: "",
        name: "open a file",
        run: ({ stage }) => part(stage, "open-file").click(),
    },
    {
        id: "page.close",
        codes: [],
        keys: "",
        name: "close the log",
        run: ({ opener, store }) => shownOf(store.value).log && opener.close(),
    },
    {
        id: "page.forget-recent",
        codes: [],
        keys: "",
        name: "forget the logs that were opened before",
        run: ({ note }) => void forgetRecent().then(() => note("The recent logs are forgotten")),
    },
    {
        id: "page.sources",
        codes: [],
        keys: "",
        name: "set a link to your sources",
        run: ({ stage }) => /** @type {import("../sources/dialog.js").LogSources} */ (part(stage, "sources-dialog")).show(),
    },
    ...CHOICES.map((colours) => ({
        id: `page.colours-${colours}`,
        codes: [],
        keys: "",
        name: `colours: ${colours}`,
        run: (/** @type {Context} */ context) => choose(context, colours),
    })),
]);
