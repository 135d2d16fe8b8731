// The help, which lists all commands.

import { addCommands } from "./command.js";
import { part } from "../stage.js";

addCommands([
    {
        id: "help.show",
        codes: [],
        characters: ["?"],
        keys: "?",
        name: "help: colours, keys and gestures",
        run: ({ stage }) => /** @type {import("../screens/help.js").LogHelp} */ (part(stage, "keys-help")).show(),
    },
]);
