// The search field, and the commands in it.

import { addCommands } from "./command.js";
import { COMMAND } from "../search/mark.js";
import { part } from "../stage.js";

/** @param {import("../context.js").Context} context */
const field = ({ stage }) => /** @type {import("../search/field.js").LogSearch} */ (part(stage, "search"));

addCommands([
    { id: "search.show", codes: [], characters: ["/"], keys: "/", name: "search the log", run: (context) => field(context).show() },
    {
        id: "commands.show",
        codes: ["Ctrl+Shift+KeyP"],
        characters: [">"],
        keys: "> Ctrl+Shift+P",
        name: "find a command, a track or a tab",
        run: (context) => field(context).show(COMMAND),
    },
]);
